//! A server ready to start.
//!
//! - `ready`: the type, nothing left to look up
//! - `expand`: `${VAR}` and its forms
//! - `resolve`: from an entry to a server, collecting its secrets

mod expand;
mod ready;
mod resolve;

pub use ready::{OAuth, Remote, Server, Stdio, ToolFilter, Transport};
pub(crate) use resolve::resolve;
