//! A server ready to start.
//!
//! - `ready`: the type, nothing left to look up
//! - `expand`: `${VAR}` and its forms
//! - `outlook`: what can be said of a server that is not started
//! - `resolve`: from an entry to a server, collecting its secrets

mod expand;
mod outlook;
mod ready;
mod resolve;

pub(crate) use expand::{odd_form, variables};
pub use outlook::Outlook;
pub use ready::{OAuth, Remote, Server, Stdio, ToolFilter, Transport};
pub(crate) use resolve::resolve;
