//! `shell`: a command, with its output, its time and its end. An operator has to allow it.
//!
//! - `run`: the tool
//! - `output`: the beginning and the end of what was written
//! - `environment`: the variables that a command gets
//! - `running`: the commands that run, all of which end with the server

mod environment;
mod output;
mod run;
mod running;

pub use environment::environment;
pub use run::{Heard, Ran, RunCommand, Shell};
