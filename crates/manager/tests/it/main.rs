//! Tests of the public API, against real processes and over real sockets.
#![expect(clippy::unwrap_used, reason = "a helper of a test may panic")]

mod approval;
mod argv;
mod checks;
mod endings;
mod fleet;
mod http;
mod known;
mod logs;
mod modes;
mod modes_expected;
mod names;
mod remote;
mod rows;
mod scope;
mod supervisor;
mod trust;
mod world;
