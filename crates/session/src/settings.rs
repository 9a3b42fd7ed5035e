//! What the owner of a connection decides before it opens, and what is worth knowing the next time.

use std::time::Duration;

use codewhale_mcp_protocol::{ClientCapabilities, Era, Implementation};

/// What the owner of a connection decides.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Who we are.
    pub client_info: Implementation,
    /// What we can do for the server.
    pub capabilities: ClientCapabilities,
    /// Which eras may be spoken.
    pub era: EraChoice,
    /// What an earlier connection to the same server learnt.
    pub memory: Memory,
    /// How long the answer to `server/discover` may take before the server counts as legacy.
    pub probe_timeout: Duration,
    /// How long the answer to `initialize` may take.
    pub handshake_timeout: Duration,
    /// Bounds on what is kept.
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            client_info: Implementation {
                name: "codewhale".into(),
                version: env!("CARGO_PKG_VERSION").into(),
                ..Implementation::default()
            },
            capabilities: ClientCapabilities::default(),
            era: EraChoice::Auto,
            memory: Memory::default(),
            probe_timeout: Duration::from_secs(5),
            handshake_timeout: Duration::from_secs(120),
            limits: Limits::default(),
        }
    }
}

/// Which eras may be spoken with a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EraChoice {
    /// Find out.
    #[default]
    Auto,
    /// Modern only.
    Modern,
    /// Legacy only.
    Legacy,
}

/// What a connection learnt about its server. A hint: it saves a round trip or a second start, and is given
/// up as soon as the server shows otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Memory {
    /// The era the server belongs to, once known.
    pub era: Option<Era>,
    /// The server is reached by the deprecated HTTP+SSE transport, and by no other.
    pub event_stream: bool,
}

/// Bounds on what a session keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most requests that wait for an answer at one time; at most 8,000.
    pub in_flight: usize,
    /// The most given-up requests whose late answer is still recognised.
    pub tombstones: usize,
    /// The most requests of the server that wait for our answer at one time.
    pub asks: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { in_flight: 4096, tombstones: 256, asks: 64 }
    }
}
