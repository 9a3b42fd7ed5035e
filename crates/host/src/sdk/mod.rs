//! Servers that live in the process of the caller: every message to them is a `mcp_message` request, every answer comes
//! in the answer to it.
//!
//! - `servers`: all of them, by name
//! - `connector`: the way to one
//! - `way`: the way of its messages to its connection

mod connector;
mod servers;
mod way;

pub(crate) use servers::SdkServers;
