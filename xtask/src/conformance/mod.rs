//! `cargo xtask conformance client`: the client against the official conformance suite.
//!
//! - `verb`: what the verb does, in order
//! - `options`: what can be said to it
//! - `suite`: the suite, pinned, below the target folder, and how it is run
//! - `found`: what it wrote down of each scenario
//! - `expected`: what is expected beside a pass of everything
//! - `verdict`: whether a scenario passed; the suite's own exit code tells too little
//! - `table`: all runs on one screen

mod expected;
mod found;
mod options;
mod suite;
mod table;
mod verb;
mod verdict;

pub(crate) use verb::client;
