//! `cargo xtask bench counts`: instructions and system calls of one call, which do not wobble.
//!
//! - `verb`: what the verb does, in order
//! - `rows`: the calls that are counted
//! - `committed`: what they came to when somebody last looked
//! - `system_calls`: counts them

mod committed;
mod rows;
mod system_calls;
mod verb;

pub(crate) use verb::counts;
