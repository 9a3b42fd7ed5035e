//! What a client does: in memory with a paused clock, and over pipes against the fake servers.

mod addresses;
mod asks;
mod bursts;
mod caches;
mod calls;
mod cancellation;
#[cfg(feature = "schema")]
mod coercion;
mod content;
mod ends;
mod http;
mod inputs;
mod lists;
mod logging;
mod many;
mod moved;
mod people;
mod pieces;
#[cfg(unix)]
mod pipes;
mod revisions;
mod sampling;
#[cfg(feature = "schema")]
mod schemas;
mod server;
#[cfg(feature = "skills")]
mod skill_frontmatter;
#[cfg(feature = "skills")]
mod skills;
mod subscriptions;
mod subscriptions_legacy;
mod tasks;
mod tasks_legacy;
