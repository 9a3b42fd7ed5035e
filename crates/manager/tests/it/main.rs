//! Tests of the public API, against real processes.
#![expect(clippy::unwrap_used, reason = "a helper of a test may panic")]

mod argv;
mod checks;
mod endings;
mod known;
mod logs;
mod modes;
mod modes_expected;
mod names;
mod remote;
mod trust;
mod world;
