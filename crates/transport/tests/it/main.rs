//! Links as a client sees them: bytes, an end, last words.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod harness;
mod memory;
#[cfg(all(unix, feature = "stdio"))]
mod stdio;
