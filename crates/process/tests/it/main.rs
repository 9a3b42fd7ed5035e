//! Real processes, by what can be seen of them from outside.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod harness;

#[cfg(target_os = "linux")]
mod guard;
mod leaving;
mod lookup;
mod refused;
mod stderr;
mod streams;
