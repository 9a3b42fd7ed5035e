//! What a process writes to standard error: always read, never kept without bound.
//!
//! [`drain`] reads, [`lines`] cuts the bytes into capped lines, [`tail`] keeps the last of them; a
//! [`StderrSink`] sees every one.

mod drain;
mod lines;
mod sink;
mod tail;

pub(crate) use drain::{Drain, Source};
pub use sink::StderrSink;
pub(crate) use tail::Tail;
