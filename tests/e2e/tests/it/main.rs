//! End-to-end tests: the real binary against the fake servers.

mod calls;
mod harness;
#[cfg(target_os = "linux")]
mod orphans;
