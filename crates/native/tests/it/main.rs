//! The tools in real folders: what they answer, what they refuse, and that they end.

mod editing;
mod finding;
mod fixture;
mod guarding;
mod listing;
mod model;
mod random;
mod reading;
mod searching;
mod serving;
#[cfg(unix)]
mod shell;
#[cfg(unix)]
mod swapped;
mod writing;
