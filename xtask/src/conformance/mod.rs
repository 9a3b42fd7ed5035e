//! `cargo xtask conformance client` and `cargo xtask conformance server`: both ends against the official suite.
//!
//! - `verb`: what the verbs do, in order
//! - `options`: what can be said to them
//! - `suite`: the suite, pinned, below the target folder, and how it is run
//! - `scenarios`: what it lists
//! - `fixture`: the server that it tests, started and stopped
//! - `found`: what it wrote down of each scenario
//! - `expected`: what is expected beside a pass of everything
//! - `verdict`: whether a scenario passed; the suite's own exit code tells too little
//! - `table`: all runs on one screen

mod expected;
mod fixture;
mod found;
mod options;
mod scenarios;
mod suite;
mod table;
mod verb;
mod verdict;

pub(crate) use verb::{client, server};
