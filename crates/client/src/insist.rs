//! A request that goes out once more by itself: into a new session, or because it changes nothing.

use std::time::Duration;

use codewhale_mcp_protocol::{Era, ErrorObject, Reply, ReplyError, method};
use codewhale_mcp_session::{Budget, Time};
use serde::Serialize;
use serde::de::IgnoredAny;

use crate::error::CallError;
use crate::lane::{is_lost_session, renew};
use crate::request::{Ask, OnProgress};
use crate::state::Outcome;

/// How often a request that changes nothing goes out again.
const MOST: u32 = 2;

/// Why a request may go out once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// The server has forgotten the session, and did nothing.
    NewSession,
    /// It changes nothing, and may be answered after this pause.
    After(Duration),
}

impl Again {
    /// What an outcome of a request that was exchanged leads to.
    pub(crate) fn after(outcome: &Outcome, method: &str) -> Option<Self> {
        match outcome {
            Outcome::Fault(fault) if fault.names_a_lost_session() => Some(Self::NewSession),
            Outcome::Fault(fault) if changes_nothing(method) => fault.pause().map(Self::After),
            Outcome::Reply(frame, reply @ Reply::Error(_)) => {
                let error = refusal(frame, reply)?;
                is_lost_session(&error).then_some(Self::NewSession)
            }
            _ => None,
        }
    }
}

impl<P: Serialize> Ask<'_, P> {
    /// One message to the server and its answer, and when it was sent first. On a lane it goes out once more where that
    /// is called for.
    pub(crate) async fn insist(
        &self,
        budget: Budget,
        members: Option<&str>,
        on_progress: &mut OnProgress<'_>,
    ) -> Result<(Outcome, Time), CallError> {
        let shared = self.client.shared();
        let Some(lane) = shared.lane_if_any() else {
            return self.exchange(budget, members, on_progress).await;
        };
        let begun = shared.now();
        let left = || budget.total.saturating_sub(shared.now().saturating_sub(begun));
        let (mut renewed, mut tries) = (false, 0);
        loop {
            if self.may_be_asked_back() {
                // What most requests do not wait for is kept apart: they would carry its room.
                Box::pin(lane.hears()).await;
            }
            let session = lane.session();
            let total = left();
            if total.is_zero() {
                return Err(self.timed_out());
            }
            let (outcome, _) = self.exchange(Budget { total, ..budget }, members, on_progress).await?;
            match Again::after(&outcome, self.method) {
                Some(Again::NewSession) if !renewed && session.id.is_some() => {
                    renewed = true;
                    let renewal = Box::pin(tokio::time::timeout(left(), renew(shared, session.number))).await;
                    if let Err(fault) = renewal.map_err(|_| self.timed_out())? {
                        return Ok((Outcome::Fault(Box::new(fault)), begun));
                    }
                }
                Some(Again::After(pause)) if tries < MOST && pause < left() => {
                    tries += 1;
                    tokio::time::sleep(pause).await;
                }
                _ => return Ok((outcome, begun)),
            }
        }
    }

    /// Whether a legacy server may ask something on a stream of its own before it answers.
    fn may_be_asked_back(&self) -> bool {
        matches!(self.method, method::TOOLS_CALL | method::PROMPTS_GET | method::RESOURCES_READ)
            && self.client.server().era() == Era::Legacy
            && self.client.shared().handlers.answer_anything()
    }
}

/// Whether asking twice is the same as asking once.
fn changes_nothing(method: &str) -> bool {
    matches!(
        method,
        method::DISCOVER
            | method::PING
            | method::TOOLS_LIST
            | method::RESOURCES_LIST
            | method::RESOURCES_TEMPLATES_LIST
            | method::RESOURCES_READ
            | method::PROMPTS_LIST
            | method::PROMPTS_GET
            | method::COMPLETE
            | method::TASKS_GET
            | method::TASKS_LIST
            | method::SKILLS_LIST
            | method::SKILLS_GET
    )
}

fn refusal(frame: &[u8], reply: &Reply) -> Option<ErrorObject> {
    match reply.decode::<IgnoredAny>(frame) {
        Err(ReplyError::Peer(error)) => Some(error),
        _ => None,
    }
}
