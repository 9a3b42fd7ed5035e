//! The floor under every client: bytes that are ready, over a pipe or a socket, in one thread that waits. No JSON is
//! read.
//!
//! - `run`: the command line
//! - `frames`: the bytes
//! - `child`: a server that was started
//! - `calls`, `lists`: the scenarios over a pipe
//! - `http`: the scenarios over a socket

mod calls;
mod child;
mod frames;
mod http;
mod lists;
mod run;

pub use run::run;
