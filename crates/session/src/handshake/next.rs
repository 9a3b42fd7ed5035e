//! What follows a step of the handshake.

use codewhale_mcp_protocol::{Revision, method};

use super::{AwaitDiscover, AwaitInitialize};
use crate::{EraReason, Established, HandshakeError};

/// What follows a step of the handshake.
#[derive(Debug)]
pub(crate) enum Next {
    /// Ask (again) what the server speaks.
    Discover(AwaitDiscover),
    /// Open a legacy session.
    Initialize(AwaitInitialize),
    /// The server is ready, in the era of its revision.
    Ready(Box<Established>),
    /// Open the link again; the server is legacy.
    Reopen,
    /// Open the other way to the server.
    OtherWay,
    /// Give up: the exchange says it all.
    TurnedDown,
    /// Give up.
    Fail(HandshakeError),
}

impl Next {
    pub(crate) fn initialize(version: Revision, reason: EraReason) -> Self {
        Self::Initialize(AwaitInitialize::new(version, reason))
    }

    pub(crate) fn name(step: super::Step) -> &'static str {
        match step {
            super::Step::Discover => method::DISCOVER,
            super::Step::Initialize => method::INITIALIZE,
        }
    }
}
