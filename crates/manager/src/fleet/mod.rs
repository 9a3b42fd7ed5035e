//! Servers that live: started when somebody needs them, watched, started again, and stopped at the end.
//!
//! - `rules`, `error`, `trouble`, `status`: the words for it
//! - `lines`: how servers are, a line each
//! - `events`: what is told, and to whom
//! - `live`: a connection in use, and who uses it
//! - `member`: one server: its definition, its life, its connection, its tools
//! - `name`: how the names of servers are told apart
//! - `held`: all of them under one lock; every change goes through one function there
//! - `task`: one server's attempt and connection, from the start of its process until it is gone
//! - `timer`: what is to happen later
//! - `handle`: the owner of it all, as others hold it
//! - `begin`: which servers start when
//! - `wait`: until a server is up, or will not be
//! - `resolve`: from the name that a model knows a tool by to the tool
//! - `call`: a tool is called
//! - `reload`: other definitions take the place of those there are
//! - `tool_set`: the tools of all servers, by the names that models know them by
//! - `hints`: what is known of servers that were not started
//! - `query`, `search`: tools are looked for, and servers started for it
//! - `close`: the end
//!
//! Whoever learns something about a server tells it to `Held::tell`, which asks [`decide`](crate::supervisor::decide),
//! starts what is to be done and tells the listeners, all under the lock, so that what is told comes in the order in
//! which it happened. Nothing there waits, and nothing of anybody else runs there: a task is spawned, a channel of ours
//! is written.

mod begin;
mod call;
mod close;
mod error;
mod events;
mod handle;
mod held;
mod hints;
mod lines;
mod live;
mod member;
mod name;
mod query;
mod reload;
mod resolve;
mod rules;
mod search;
mod status;
mod task;
mod timer;
mod tool_set;
mod trouble;
mod wait;

pub use call::ToolCall;
pub use error::FleetError;
pub use events::{FleetEvent, FleetEvents};
pub use handle::Fleet;
pub use lines::status_lines;
pub use query::{Matching, Query, QueryError};
pub use reload::{ReloadError, Reloaded};
pub use rules::FleetRules;
pub use search::{Found, FoundTool, Unavailable};
pub use status::{Instructions, ServerStatus};
pub use tool_set::{Offer, OfferedTool, ToolSet};
pub use trouble::{Trouble, TroubleClass};
