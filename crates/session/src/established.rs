//! What a handshake found out.

use std::fmt;

use codewhale_mcp_protocol::{Era, Implementation, Revision, ServerCapabilities};

/// A server that is ready, and what it said about itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Established {
    /// The revision that is spoken.
    pub revision: Revision,
    /// Why this era is spoken.
    pub reason: EraReason,
    /// Who the server is. Nothing may be decided by it (MCP 2026-07-28, basic/index).
    pub server_info: Option<Implementation>,
    /// What the server offers.
    pub capabilities: ServerCapabilities,
    /// How to use the server, in its own words.
    pub instructions: Option<String>,
}

impl Established {
    /// The era that is spoken.
    #[must_use]
    pub fn era(&self) -> Era {
        self.revision.era()
    }
}

/// Why a server is spoken to in its era.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EraReason {
    /// It answered `server/discover` with a modern revision.
    Discovered,
    /// It answered `server/discover`, and only legacy revisions are common.
    OnlyLegacyInCommon,
    /// It answered `server/discover` with this error code.
    ProbeRefused(i64),
    /// Its answer to `server/discover` was not one.
    ProbeUnintelligible,
    /// It did not answer `server/discover` in time.
    ProbeUnanswered,
    /// It ended when it saw `server/discover`, and was started again.
    ProbeFatal,
    /// It turned `server/discover` down with this HTTP status.
    ProbeTurnedDown(u16),
    /// It is reached by the deprecated HTTP+SSE transport, which only legacy servers have.
    EventStream,
    /// An earlier connection found out.
    Remembered,
    /// The owner of the connection said so.
    Chosen,
}

impl fmt::Display for EraReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Discovered => f.write_str("it answered server/discover"),
            Self::OnlyLegacyInCommon => f.write_str("server/discover names only legacy revisions we share"),
            Self::ProbeRefused(code) => write!(f, "it answered server/discover with error {code}"),
            Self::ProbeUnintelligible => f.write_str("its answer to server/discover was not a modern one"),
            Self::ProbeUnanswered => f.write_str("it did not answer server/discover in time"),
            Self::ProbeFatal => f.write_str("it ended on server/discover and was started again"),
            Self::ProbeTurnedDown(status) => {
                write!(f, "it answered server/discover with HTTP status {status}")
            }
            Self::EventStream => f.write_str("the HTTP+SSE transport is of that era"),
            Self::Remembered => f.write_str("an earlier connection found out"),
            Self::Chosen => f.write_str("it was chosen"),
        }
    }
}
