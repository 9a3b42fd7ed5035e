//! `cargo xtask bench`: numbers with limits, on release builds.
//!
//! - `compare`: clients side by side, with targets (`bench`)
//! - `counts`: instructions and system calls of a call (`bench counts`)
//! - `servers`: servers side by side (`bench server`)
//! - `layout`: which functions run, for the linker (`bench layout`)
//! - `cli`: time and memory of the release binary (`bench cli`)
//! - `programs`: what is measured, built and installed
//! - `server`: the measuring server over HTTP
//! - `callgrind`, `measure`, `raw`: one run of a program, looked at from outside
//! - `limit`: numbers beside what they may be

mod callgrind;
mod cli;
mod compare;
mod counts;
mod layout;
mod limit;
mod measure;
mod programs;
mod raw;
mod server;
mod servers;

pub(crate) use cli::cli;
pub(crate) use compare::compare;
pub(crate) use counts::counts;
pub(crate) use layout::layout;
pub(crate) use measure::measure;
pub(crate) use servers::server;
