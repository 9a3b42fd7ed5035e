//! Links as a client sees them: bytes, an end, last words.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod frames;
mod harness;
#[cfg(feature = "http")]
mod http;
mod memory;
#[cfg(feature = "http")]
#[path = "../../../net/tests/it/server.rs"]
mod server;
#[cfg(all(unix, feature = "stdio"))]
mod stdio;
