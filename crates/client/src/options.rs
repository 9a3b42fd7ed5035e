//! What the owner of a client decides.

use std::time::Duration;

use codewhale_mcp_protocol::{ClientCapabilities, Implementation};
use codewhale_mcp_session::{EraChoice, Memory, Settings};

use crate::event::Observer;
use crate::handler::HandlerHandle;

/// What the owner of a client decides. Every default is the product's.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// Who we are.
    pub client_info: Implementation,
    /// What we can do for the server.
    pub capabilities: ClientCapabilities,
    /// Which eras may be spoken.
    pub era: EraChoice,
    /// What an earlier connection to this server learnt.
    pub memory: Memory,
    /// How long opening and the handshake may take together.
    pub connect_timeout: Duration,
    /// How long the answer to `server/discover` may take before the server counts as legacy.
    pub probe_timeout: Duration,
    /// How long each answer may take during the handshake and while lists are read.
    pub read_timeout: Duration,
    /// How long a tool may run.
    pub execute_timeout: Duration,
    /// How long a tool may be silent; progress ends the silence.
    pub idle_timeout: Option<Duration>,
    /// The most bytes a message of the server may have.
    pub message_limit: usize,
    /// The most requests that wait for an answer at one time; at most 8,000. Further ones wait their turn.
    pub in_flight: usize,
    /// Bounds on lists.
    pub list: ListLimits,
    /// Who answers what the server asks of us; only what `capabilities` declare reaches it.
    pub handler: Option<HandlerHandle>,
    /// Who is told what happens from the first moment on; [`Client::events`](crate::Client::events) begins
    /// after the handshake.
    pub observer: Option<Observer>,
}

impl Default for Options {
    fn default() -> Self {
        let session = Settings::default();
        Self {
            client_info: session.client_info,
            capabilities: session.capabilities,
            era: session.era,
            memory: session.memory,
            connect_timeout: Duration::from_secs(30),
            probe_timeout: session.probe_timeout,
            read_timeout: session.handshake_timeout,
            execute_timeout: Duration::from_secs(1800),
            idle_timeout: None,
            message_limit: 64 << 20,
            in_flight: session.limits.in_flight,
            list: ListLimits::default(),
            handler: None,
            observer: None,
        }
    }
}

impl Options {
    pub(crate) fn settings(&self) -> Settings {
        let mut settings = Settings {
            client_info: self.client_info.clone(),
            capabilities: self.capabilities.clone(),
            era: self.era,
            memory: self.memory,
            probe_timeout: self.probe_timeout,
            handshake_timeout: self.read_timeout,
            ..Settings::default()
        };
        settings.limits.in_flight = self.in_flight;
        settings
    }
}

/// How much of a list is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListLimits {
    /// The most pages.
    pub pages: usize,
    /// The most items on all pages together.
    pub items: usize,
}

impl Default for ListLimits {
    fn default() -> Self {
        Self { pages: 1_000, items: 100_000 }
    }
}
