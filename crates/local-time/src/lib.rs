//! A small MCP server that knows the time, and an example of how one is written with `codewhale-mcp-server`.
//!
//! Its tools are `get_current_time`, `format_time`, `time_diff` and `list_timezones`; the time is also the resource
//! `time://now`, and the prompt `convert_time` asks a model to take a time from one place to another. The data of time
//! zones is part of the program. What time it is, and where, is for whoever makes the server to say.
//!
//! ```
//! use codewhale_local_time::{World, server};
//!
//! let world = World { now: || "2026-07-28T12:00:00Z".parse().expect("a time"), zone: jiff::tz::TimeZone::UTC };
//! let server = server(world)?;
//! assert!(server.capabilities().tools.is_some());
//! # Ok::<(), codewhale_mcp_server::BuildError>(())
//! ```

mod difference;
mod moment;
mod offer;
mod zones;

pub use offer::{World, server};
