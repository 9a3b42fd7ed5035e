//! Whole runs of the command line, each in a world of its own.

mod call;
mod check;
mod edit;
#[cfg(unix)]
mod json_reference;
mod list;
#[cfg(unix)]
mod mistakes;
mod output;
mod reference;
mod signals;
mod trust;
mod world;
