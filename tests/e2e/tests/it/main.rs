//! End-to-end tests: the real binary against the fake servers.

#[cfg(target_os = "linux")]
mod bounded;
#[cfg(target_os = "linux")]
mod browsers;
mod calls;
mod files;
#[expect(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]
mod first_prompt;
mod harness;
#[cfg(target_os = "linux")]
mod listening;
mod logins;
mod mixed;
#[cfg(target_os = "linux")]
mod orphans;
mod random;
mod remote;
#[cfg(target_os = "linux")]
mod serving;
#[cfg(target_os = "linux")]
mod started;
#[cfg(target_os = "linux")]
mod stuck;
mod traffic;
mod unread;
