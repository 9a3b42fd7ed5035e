//! Calls that become tasks: by the extension of the modern era, and as 2025-11-25 has them.
//!
//! A task goes a step forward each time it is looked at, or when the tool `advance` says so; no clock moves it.

mod board;
mod clock;
mod legacy;
mod modern;
mod task;

pub(super) use board::Tasks;
