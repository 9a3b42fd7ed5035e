//! Whole runs of the command line, each in a world of its own.

mod call;
#[cfg(unix)]
mod changes;
mod check;
mod edit;
mod guarded;
#[cfg(unix)]
mod json_reference;
mod list;
#[expect(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]
mod login;
#[cfg(unix)]
mod mistakes;
mod offered;
mod output;
mod questions;
mod reaching;
mod reading;
mod reference;
mod remote;
mod seen;
mod served;
mod sessions;
mod signals;
#[cfg(unix)]
mod tasks;
mod toolbox;
mod trust;
mod typed;
mod visits;
mod world;
