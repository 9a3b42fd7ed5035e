//! `cargo xtask bench`: clients side by side, in one run.
//!
//! - `verb`: what the verb does, in order
//! - `options`: its command line
//! - `clients`: who is measured
//! - `cases`: what is done
//! - `figure`: what is looked at, and which way is better
//! - `sample`: one run of one client
//! - `results`: all samples, and the ratios within each repetition
//! - `targets`: what the ratios have to be
//! - `table`, `written`: for people, for programs
//! - `machine`: on what it ran

mod cases;
mod clients;
mod figure;
mod machine;
mod options;
mod results;
mod sample;
mod table;
mod targets;
mod verb;
mod written;

pub(super) use machine::load;
pub(crate) use verb::compare;
