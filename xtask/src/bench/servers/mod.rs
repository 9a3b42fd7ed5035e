//! `cargo xtask bench server`: servers side by side, in one run.
//!
//! - `served`: who is measured
//! - `cases`: what is done, and what ours has to come to
//! - `verb`: the order of it, and the table

mod cases;
mod served;
mod verb;

pub(crate) use verb::server;
