//! A session with a model, on standard input and output.
//!
//! - `run`: from the words of a command line to an exit code
//! - `session`: what the session is told
//! - `targets`: the servers, and an entry that is read again

mod run;
mod session;
mod targets;

pub(crate) use run::{run, words};
