//! Whether a tool may run: unasked, after a question, or not at all.
//!
//! - `mode`: the modes of a session
//! - `rules`: names of tools as other programs write them
//! - `decision`: mode, rules and hints together
//! - `remedy`: what would let a call run that did not

mod decision;
mod mode;
mod remedy;
mod rules;

pub use decision::{Decision, Subject, decide};
pub use mode::Mode;
pub(crate) use remedy::remedy;
pub(crate) use rules::{helper, ours};
