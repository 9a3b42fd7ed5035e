//! Tests of the public API, against real processes.
#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod checks;
mod coercion;
mod known;
mod logs;
mod names;
mod schemas;
mod trust;
mod world;
