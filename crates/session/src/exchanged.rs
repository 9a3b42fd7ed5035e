//! What the machine makes of exchanges: refusals during the handshake, and a session that the server forgot.

use std::sync::Arc;

use codewhale_mcp_protocol::{Era, InitializeResult, Revision, method};

use crate::exchange::{Asking, Attempt, Attempted, Binding, Unanswered};
use crate::handshake::{AwaitInitialize, Next, Step};
use crate::outcome::Verdict;
use crate::pen::Pen;
use crate::session::{Phase, Session};
use crate::slots::{Budget, Full, Ticket};
use crate::{EraReason, HandshakeError, Time};

impl Session {
    /// Whether the request still waits for its answer.
    #[must_use]
    pub fn is_waiting(&self, ticket: Ticket) -> bool {
        self.slots.is_waiting(ticket)
    }

    /// The request of the handshake that waits for its answer.
    #[must_use]
    pub fn asking(&self) -> Option<Asking> {
        match self.phase {
            Phase::Discover(state, ticket) => {
                Some(Asking { ticket, step: Step::Discover, revision: Some(state.version) })
            }
            Phase::Initialize(_, ticket) => Some(Asking { ticket, step: Step::Initialize, revision: None }),
            Phase::Idle | Phase::Ready(..) | Phase::Over => None,
        }
    }

    /// The exchange of a request ended without its answer; the ticket is used up. For a request of the handshake
    /// something follows.
    pub fn no_answer(
        &mut self,
        now: Time,
        ticket: Ticket,
        found: &Unanswered,
        out: &mut Vec<u8>,
    ) -> Option<Verdict> {
        let asking = self.asking().filter(|asking| asking.ticket == ticket);
        self.release(ticket);
        let step = asking?.step;
        self.attempts.push(Attempt { way: Attempted::Post(step), found: found.to_string() });
        let next = match self.phase {
            Phase::Discover(state, _) => state.on_no_answer(found),
            Phase::Initialize(state, _) => {
                let has_other_way = self.binding == Binding::Streamable { has_other_way: true };
                state.on_no_answer(found, has_other_way)
            }
            Phase::Idle | Phase::Ready(..) | Phase::Over => unreachable!("a handshake asks"),
        };
        self.advance(now, next, out)
    }

    /// The other way to the server does not open. The error says everything that was tried; without one nothing was,
    /// because the way was only remembered, and the first way is the next one.
    pub fn other_way_closed(&mut self, found: String) -> Option<HandshakeError> {
        self.memory.event_stream = false;
        if self.attempts.is_empty() {
            return None;
        }
        self.attempts.push(Attempt { way: Attempted::EventStream, found });
        Some(HandshakeError::TurnedDown { attempts: std::mem::take(&mut self.attempts) })
    }

    /// The server has forgotten the session of a legacy connection: writes a further `initialize`, whose result
    /// goes to [`renewed`](Self::renewed). What else waits goes on waiting.
    ///
    /// # Errors
    /// When too many requests wait already.
    pub fn renew(&mut self, now: Time, out: &mut Vec<u8>) -> Result<Ticket, Full> {
        let ticket = self.reserve(now, Budget::total(self.settings.handshake_timeout))?;
        let version = self.pen().and_then(|pen| pen.revision()).unwrap_or(Revision::NEWEST_LEGACY);
        let params = AwaitInitialize::new(version, EraReason::Remembered).params(&self.settings);
        let written = Pen::handshake().request(ticket.id(), method::INITIALIZE, &params, out);
        written.expect("handshake params are objects");
        self.renewing = Some(ticket);
        Ok(ticket)
    }

    /// The server has opened a new session. Its revision may be another one.
    ///
    /// # Errors
    /// When the answer to `initialize` names no legacy revision that we speak.
    pub fn renewed(&mut self, result: InitializeResult) -> Result<(), HandshakeError> {
        match AwaitInitialize::new(Revision::NEWEST_LEGACY, EraReason::Remembered).on_result(Ok(result)) {
            Next::Ready(established) => {
                self.phase = Phase::Ready(Era::Legacy, Arc::new(Pen::legacy(established.revision)));
                Ok(())
            }
            Next::Fail(error) => Err(error),
            _ => unreachable!("a result ends the handshake"),
        }
    }
}
