//! What a client does: in memory with a paused clock, and over pipes against the fake servers.

mod calls;
mod ends;
mod lists;
mod server;
