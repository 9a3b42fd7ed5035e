//! Waiting for the answer to `server/discover`.

use std::time::Duration;

use codewhale_mcp_protocol::{DiscoverResult, Era, ErrorObject, Revision, code};

use super::{HandshakeError, Next, Probed, Step};
use crate::{EraReason, Established, Settings, Unanswered};

/// `server/discover` was sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AwaitDiscover {
    /// The revision the question was written in.
    pub(crate) version: Revision,
    /// The server named other revisions once already.
    reselected: bool,
    /// Only the modern era is allowed.
    modern_only: bool,
    /// An answer that does not come says nothing about the era.
    silence_is_silence: bool,
}

impl AwaitDiscover {
    pub(crate) fn auto() -> Self {
        Self {
            version: Revision::NEWEST_MODERN,
            reselected: false,
            modern_only: false,
            silence_is_silence: false,
        }
    }

    pub(crate) fn modern_only() -> Self {
        Self { modern_only: true, ..Self::auto() }
    }

    /// The same where messages are exchanges: a server that is slow is no legacy one.
    pub(crate) fn in_exchange(self) -> Self {
        Self { silence_is_silence: true, ..self }
    }

    /// How long the answer may take. Where nothing else can be tried, there is no reason to hurry.
    pub(crate) fn limit(self, settings: &Settings) -> Duration {
        if self.ends_in_silence() { settings.handshake_timeout } else { settings.probe_timeout }
    }

    pub(crate) fn on_result(self, result: Result<DiscoverResult, String>) -> Next {
        let result = match result {
            Ok(result) if !result.supported_versions.is_empty() => result,
            _ => return self.legacy(EraReason::ProbeUnintelligible),
        };
        if let Some(unknown) = result.result_type.as_deref().filter(|kind| *kind != "complete") {
            let reason = format!("it has the unknown resultType {unknown:?}");
            return Next::Fail(HandshakeError::InvalidAnswer { step: Step::Discover, reason });
        }
        let Some(revision) = Revision::newest_common(&result.supported_versions, Era::Modern) else {
            return self.only_legacy(result.supported_versions);
        };
        Next::Ready(Box::new(Established {
            revision,
            reason: EraReason::Discovered,
            server_info: result.server_info(),
            capabilities: result.capabilities,
            instructions: result.instructions,
        }))
    }

    /// A modern error proves a modern server; any other error, of any code, means a legacy one.
    pub(crate) fn on_error(self, error: ErrorObject) -> Next {
        if error.code == code::UNSUPPORTED_PROTOCOL_VERSION {
            let theirs = error.supported_versions();
            return match Revision::newest_common(&theirs, Era::Modern) {
                Some(version) if !self.reselected => {
                    Next::Discover(Self { version, reselected: true, ..self })
                }
                Some(_) => Next::Fail(HandshakeError::Refused { step: Step::Discover, error }),
                None => self.only_legacy(theirs),
            };
        }
        if error.is_modern() {
            return Next::Fail(HandshakeError::Refused { step: Step::Discover, error });
        }
        self.legacy(EraReason::ProbeRefused(error.code))
    }

    pub(crate) fn on_silence(self, settings: &Settings) -> Next {
        if self.ends_in_silence() {
            let waited = self.limit(settings);
            let (step, probed) = (Step::Discover, Probed::No);
            return Next::Fail(HandshakeError::Unanswered { step, probed, waited });
        }
        self.legacy(EraReason::ProbeUnanswered)
    }

    fn ends_in_silence(self) -> bool {
        self.modern_only || self.silence_is_silence
    }

    /// A modern error proves a modern server, whatever its status. Other refusals of a message that was understood,
    /// and of one that nobody there knows, mean a legacy server; the rest says nothing about eras (MCP 2026-07-28,
    /// basic/transports/streamable-http).
    pub(crate) fn on_no_answer(self, found: &Unanswered) -> Next {
        let reason = match (found.status, &found.error) {
            (_, Some(error)) if error.is_modern() => return self.on_error(error.clone()),
            _ if self.modern_only => return Next::TurnedDown,
            (200..300, _) => EraReason::ProbeUnintelligible,
            (400 | 404..=406 | 410 | 415 | 422 | 500.., Some(error)) => EraReason::ProbeRefused(error.code),
            (400 | 404..=406 | 410 | 415 | 422 | 501, None) => EraReason::ProbeTurnedDown(found.status),
            _ => return Next::TurnedDown,
        };
        self.legacy(reason)
    }

    /// Some legacy servers end on a first message they do not know.
    pub(crate) fn on_close(self) -> Next {
        if self.modern_only {
            return Next::Fail(HandshakeError::Closed { step: Step::Discover });
        }
        Next::Reopen
    }

    fn legacy(self, reason: EraReason) -> Next {
        if self.modern_only {
            return Next::Fail(HandshakeError::NotModern);
        }
        Next::initialize(Revision::NEWEST_LEGACY, reason)
    }

    fn only_legacy(self, theirs: Vec<String>) -> Next {
        match Revision::newest_common(&theirs, Era::Legacy) {
            Some(version) if !self.modern_only => Next::initialize(version, EraReason::OnlyLegacyInCommon),
            _ => Next::Fail(HandshakeError::NoCommonRevision { theirs }),
        }
    }
}
