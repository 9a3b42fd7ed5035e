//! A connection that is a stream of lines in each direction (MCP 2026-07-28, basic/transports/stdio).
//!
//! ```text
//!   input ──▶ Input ──▶ Connection ──▶ answers that are there at once ──▶ Outbox ──▶ output
//!                            └──▶ tasks ──▶ everything else ────────────────▲
//! ```
//!
//! - `input`: bytes become lines; `ahead`: an input that is read before it is wanted
//! - `connection`: what a line comes to; `busy`: how many answers are under way
//! - `outbox`: what has to leave; whoever has something to say waits while too much does
//! - `streams`: over asynchronous streams
//! - `threads`: over what blocks, with a thread for each direction
//! - `stdio`: over the process's own standard input and output; `pipe`: without buffers in between, on Unix

mod ahead;
mod busy;
mod connection;
mod input;
mod outbox;
#[cfg(unix)]
mod pipe;
mod stdio;
mod streams;
mod threads;

pub(crate) use connection::Connection;
pub(crate) use outbox::Outbox;
pub use stdio::serve_stdio;
pub use streams::serve_lines;
pub use threads::serve_blocking;
