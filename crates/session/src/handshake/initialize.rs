//! Waiting for the answer to `initialize`.

use std::time::Duration;

use codewhale_mcp_protocol::{
    DiscoverResult, Era, ErrorObject, InitializeParams, InitializeResult, Revision, code,
};

use super::error::Probed;
use super::{AwaitDiscover, HandshakeError, Next, Step};
use crate::{EraReason, Established, Settings, Unanswered};

/// `initialize` was sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AwaitInitialize {
    /// The revision that was offered.
    version: Revision,
    /// Why the server counts as legacy.
    reason: EraReason,
    /// The server named other revisions once already.
    reoffered: bool,
    /// The probe was answered after all, as a modern server does.
    heard_modern: bool,
}

impl AwaitInitialize {
    pub(crate) fn new(version: Revision, reason: EraReason) -> Self {
        Self { version, reason, reoffered: false, heard_modern: false }
    }

    pub(crate) fn params(&self, settings: &Settings) -> InitializeParams {
        InitializeParams {
            protocol_version: self.version.as_str().into(),
            capabilities: settings.capabilities.clone(),
            client_info: settings.client_info.clone(),
            ..InitializeParams::default()
        }
    }

    pub(crate) fn on_result(self, result: Result<InitializeResult, String>) -> Next {
        let invalid = |reason| Next::Fail(HandshakeError::InvalidAnswer { step: Step::Initialize, reason });
        let result = match result {
            Ok(result) => result,
            Err(reason) => return invalid(reason),
        };
        match Revision::parse(&result.protocol_version) {
            Some(revision) if revision.era() == Era::Legacy => Next::Ready(Box::new(Established {
                revision,
                reason: self.reason,
                server_info: result.server_info,
                capabilities: result.capabilities,
                instructions: result.instructions,
            })),
            Some(modern) => invalid(format!("{modern} is not a revision with a handshake")),
            None => Next::Fail(HandshakeError::NoCommonRevision { theirs: vec![result.protocol_version] }),
        }
    }

    pub(crate) fn on_error(self, error: ErrorObject) -> Next {
        let theirs = error.supported_versions();
        if self.may_be_modern(&error, &theirs) {
            return Next::Discover(match self.reason {
                EraReason::ProbeUnanswered => AwaitDiscover::modern_only(),
                _ => AwaitDiscover::auto(),
            });
        }
        match Revision::newest_common(&theirs, Era::Legacy) {
            Some(version) if error.code == code::INVALID_PARAMS && !self.reoffered => {
                Next::Initialize(Self { version, reoffered: true, ..self })
            }
            _ => Next::Fail(HandshakeError::Refused { step: Step::Initialize, error }),
        }
    }

    /// A server that has no use for `initialize` here may have another way in (MCP 2026-07-28,
    /// basic/transports/streamable-http).
    pub(crate) fn on_no_answer(self, found: &Unanswered, has_other_way: bool) -> Next {
        if let Some(error) = &found.error {
            // So a modern server speaks of a method that it does not know.
            let is_modern =
                error.is_modern() || (found.status == 404 && error.code == code::METHOD_NOT_FOUND);
            if is_modern && self.reason == EraReason::Remembered {
                return Next::Discover(AwaitDiscover::auto());
            }
            match self.on_error(error.clone()) {
                // It answered the probe as well, and what came then says more.
                Next::Fail(_) if is_modern && self.reason == EraReason::ProbeUnintelligible => {
                    return Next::TurnedDown;
                }
                Next::Fail(failed) if is_modern => return Next::Fail(failed),
                Next::Fail(_) => {}
                next => return next,
            }
        }
        match found.status {
            400 | 404 | 405 if has_other_way => Next::OtherWay,
            _ => Next::TurnedDown,
        }
    }

    /// The probe was answered after it had been given up. The session that was asked for meanwhile may still come,
    /// so this decides nothing yet.
    pub(crate) fn on_late_discovery(&mut self, result: &DiscoverResult) {
        self.heard_modern |= Revision::newest_common(&result.supported_versions, Era::Modern).is_some();
    }

    /// What was remembered can be out of date: the server may have been replaced by a modern one. And a modern one
    /// that is slow to start reads the probe and `initialize` at the same time, long after we gave the probe up.
    fn may_be_modern(self, error: &ErrorObject, theirs: &[String]) -> bool {
        self.heard_modern
            || (matches!(self.reason, EraReason::Remembered | EraReason::ProbeUnanswered)
                && (error.is_modern() || Revision::newest_common(theirs, Era::Modern).is_some()))
    }

    /// What this server has not answered on this link.
    pub(crate) fn unanswered(self) -> &'static [Step] {
        match self.reason {
            EraReason::ProbeUnanswered => &[Step::Discover, Step::Initialize],
            _ => &[Step::Initialize],
        }
    }

    pub(crate) fn on_silence(self, waited: Duration) -> Next {
        let probed = match self.reason {
            EraReason::ProbeUnanswered => Probed::Unanswered,
            _ => Probed::No,
        };
        Next::Fail(HandshakeError::Unanswered { step: Step::Initialize, probed, waited })
    }

    /// A server that saw a probe on this link gets a second chance without one.
    pub(crate) fn on_close(self) -> Next {
        match self.reason {
            EraReason::ProbeUnanswered | EraReason::ProbeRefused(_) | EraReason::ProbeUnintelligible => {
                Next::Reopen
            }
            _ => Next::Fail(HandshakeError::Closed { step: Step::Initialize }),
        }
    }
}
