//! How long a process is waited for on each step of being stopped.

use std::time::Duration;

/// The steps of a stop: standard input closes, wait, `SIGTERM` to the group, wait, `SIGKILL` to the group
/// (MCP 2026-07-28, basic/transports/stdio, shutdown). Every wait ends as soon as nobody is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ladder {
    /// How long the process may take to leave after its standard input closed.
    pub stdin_wait: Duration,
    /// How long the group may take to leave after `SIGTERM`.
    pub term_wait: Duration,
}

impl Default for Ladder {
    /// Two seconds for each step.
    fn default() -> Self {
        Self { stdin_wait: Duration::from_secs(2), term_wait: Duration::from_secs(2) }
    }
}
