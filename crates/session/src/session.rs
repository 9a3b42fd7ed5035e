//! The machine: its phases, and what its owner asks of it.

use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_protocol::{Era, Revision, method};

use crate::asks::{Ask, Asks};
use crate::clock::Clock;
use crate::exchange::{Attempt, Attempted, Binding};
use crate::handshake::{AwaitDiscover, AwaitInitialize, Next, Step};
use crate::outcome::{Closed, Expired, Verdict};
use crate::pen::Pen;
use crate::slots::{Budget, Full, RanOut, Slots, Ticket};
use crate::{EraChoice, EraReason, HandshakeError, Memory, Settings, Time};

/// One connection's protocol, from the first message to the last.
///
/// The owner calls [`opened`](Self::opened) once a link is there, [`receive`](Self::receive) for every frame,
/// [`expire`](Self::expire) when [`next_deadline`](Self::next_deadline) has passed and
/// [`closed`](Self::closed) when the link is gone. Whatever these append to the buffer they are given has to
/// be written to the link, in that order.
#[derive(Debug)]
pub struct Session {
    pub(crate) settings: Settings,
    pub(crate) slots: Slots,
    pub(crate) asks: Asks,
    pub(crate) clock: Clock,
    pub(crate) phase: Phase,
    /// The least severe log message that a modern server is asked for.
    log_level: Option<String>,
    pub(crate) memory: Memory,
    /// The link was closed on a probe, and the server is now opened without one.
    probe_was_fatal: bool,
    pub(crate) binding: Binding,
    /// What the server turned down so far.
    pub(crate) attempts: Vec<Attempt>,
    /// A further `initialize` after the handshake.
    pub(crate) renewing: Option<Ticket>,
}

/// Where a connection stands.
#[derive(Debug)]
pub(crate) enum Phase {
    Idle,
    Discover(AwaitDiscover, Ticket),
    Initialize(AwaitInitialize, Ticket),
    Ready(Era, Arc<Pen>),
    Over,
}

impl Session {
    /// A session that has not begun.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let slots = Slots::new(settings.limits);
        // The other way leads to legacy servers alone.
        let event_stream = settings.memory.event_stream && settings.era != EraChoice::Modern;
        Self {
            memory: Memory { event_stream, ..settings.memory },
            asks: Asks::new(settings.limits.asks),
            settings,
            slots,
            clock: Clock::default(),
            phase: Phase::Idle,
            log_level: None,
            probe_was_fatal: false,
            binding: Binding::Stream,
            attempts: Vec::new(),
            renewing: None,
        }
    }

    /// A link is open: writes the first message.
    pub fn opened(&mut self, now: Time, out: &mut Vec<u8>) {
        self.opened_by(Binding::Stream, now, out);
    }

    /// A link is open on which messages travel in this way: writes the first message.
    pub fn opened_by(&mut self, binding: Binding, now: Time, out: &mut Vec<u8>) {
        self.binding = binding;
        self.slots = Slots::new(self.settings.limits);
        self.asks = Asks::new(self.settings.limits.asks);
        self.clock = Clock::default();
        self.renewing = None;
        let legacy = |reason| Next::initialize(Revision::NEWEST_LEGACY, reason);
        let first = match (self.settings.era, self.memory.era) {
            (EraChoice::Auto | EraChoice::Legacy, _) if binding == Binding::EventStream => {
                legacy(EraReason::EventStream)
            }
            (EraChoice::Modern, _) => Next::Discover(AwaitDiscover::modern_only()),
            (EraChoice::Legacy, _) => legacy(EraReason::Chosen),
            (EraChoice::Auto, Some(Era::Legacy)) if self.probe_was_fatal => legacy(EraReason::ProbeFatal),
            (EraChoice::Auto, Some(Era::Legacy)) => legacy(EraReason::Remembered),
            (EraChoice::Auto, _) => Next::Discover(AwaitDiscover::auto()),
        };
        let verdict = self.advance(now, first, out);
        debug_assert!(verdict.is_none(), "the first step of a handshake sends a message");
    }

    /// What is worth knowing when the server is opened the next time.
    #[must_use]
    pub fn memory(&self) -> Memory {
        self.memory
    }

    /// How many requests wait for an answer.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.slots.waiting()
    }

    /// What writes requests, once the handshake is over.
    #[must_use]
    pub fn pen(&self) -> Option<&Arc<Pen>> {
        match &self.phase {
            Phase::Ready(_, pen) => Some(pen),
            _ => None,
        }
    }

    /// Makes room for one request; its time runs from now on.
    ///
    /// # Errors
    /// When too many requests wait already.
    pub fn reserve(&mut self, now: Time, budget: Budget) -> Result<Ticket, Full> {
        self.slots.reserve(self.clock.working(now), budget)
    }

    /// Makes room for a request whose answer ends a stream of notifications (`subscriptions/listen`). It has no
    /// deadline; until its answer, notifications of its stream name its ticket.
    ///
    /// # Errors
    /// As for [`Self::reserve`].
    pub fn listen(&mut self, now: Time) -> Result<Ticket, Full> {
        self.slots.listen(self.clock.working(now))
    }

    /// Whether a request of the server still wants its answer, which is then to be written. After this it does
    /// not.
    pub fn answer(&mut self, ask: Ask) -> bool {
        self.asks.close(ask)
    }

    /// A person is being asked something: no deadline comes nearer until
    /// [`person_answered`](Self::person_answered) was called as often.
    pub fn person_asked(&mut self, now: Time) {
        self.clock.person_asked(now);
    }

    /// A person has answered, or is no longer asked.
    pub fn person_answered(&mut self, now: Time) {
        self.clock.person_answered(now);
    }

    /// A modern server refused the revision of a request and named these: takes up the newest one that both
    /// speak. `None` when there is none, or the server is not modern (MCP 2026-07-28, basic/versioning).
    pub fn reselect(&mut self, theirs: &[String]) -> Option<Revision> {
        let Phase::Ready(Era::Modern, _) = self.phase else { return None };
        let revision = Revision::newest_common(theirs, Era::Modern)?;
        self.become_modern(revision);
        Some(revision)
    }

    /// From now on every request says which log messages it wants. False in the legacy era, which has a request
    /// for it (`logging/setLevel`).
    pub fn want_log_messages(&mut self, level: Option<&str>) -> bool {
        let Phase::Ready(Era::Modern, pen) = &self.phase else { return false };
        let revision = pen.revision();
        self.log_level = level.map(str::to_owned);
        if let Some(revision) = revision {
            self.become_modern(revision);
        }
        true
    }

    fn become_modern(&mut self, revision: Revision) {
        let pen = Pen::modern(revision, &self.settings).with_log_level(self.log_level.as_deref());
        self.phase = Phase::Ready(Era::Modern, Arc::new(pen));
    }

    /// Takes back a ticket whose request has not left and will not leave.
    pub fn release(&mut self, ticket: Ticket) {
        if self.slots.is_waiting(ticket) {
            self.slots.release(ticket);
        }
    }

    /// Gives up a request that has left, and tells the server, but for `initialize`, which is never cancelled
    /// (MCP 2025-11-25, basic/utilities/cancellation). The ticket is used up.
    pub fn cancel(&mut self, ticket: Ticket, reason: &str, out: &mut Vec<u8>) {
        if !self.slots.is_waiting(ticket) {
            return;
        }
        match (&self.phase, self.binding) {
            // The end of the exchange says it, and no answer can come after it.
            (Phase::Ready(Era::Modern, _), Binding::Streamable { .. }) => self.slots.release(ticket),
            _ if self.renewing == Some(ticket) => self.slots.bury(ticket),
            _ => {
                self.slots.bury(ticket);
                Pen::cancelled(ticket.id(), reason, out);
            }
        }
    }

    /// The moment from which [`expire`](Self::expire) may have something to say. Asked again after each call;
    /// it may lie before the first deadline, never behind it.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Time> {
        self.slots.next_deadline().and_then(|deadline| self.clock.owner(deadline))
    }

    /// One deadline that has passed. To be called until it returns `None`.
    pub fn expire(&mut self, now: Time, out: &mut Vec<u8>) -> Option<Expired> {
        while let Some((ticket, ran_out)) = self.slots.overdue(self.clock.working(now)) {
            let next = match self.phase {
                Phase::Discover(state, asked) if asked == ticket => state.on_silence(&self.settings),
                Phase::Initialize(state, asked) if asked == ticket => {
                    state.on_silence(self.settings.handshake_timeout)
                }
                _ => {
                    let idle = match ran_out {
                        RanOut::Total => None,
                        RanOut::Idle => self.slots.idle_limit(ticket),
                    };
                    self.cancel(ticket, "timed out", out);
                    return Some(Expired::Request { ticket, idle });
                }
            };
            // A handshake request is never cancelled on the wire; its late answer is known by its id.
            self.slots.bury(ticket);
            if let Some(verdict) = self.advance(now, next, out) {
                return Some(Expired::Verdict(verdict));
            }
        }
        None
    }

    /// The messages of the handshake that were not answered, the last of which is still waited for.
    #[must_use]
    pub fn unanswered(&self) -> &'static [Step] {
        match self.phase {
            Phase::Discover(..) => &[Step::Discover],
            Phase::Initialize(state, _) => state.unanswered(),
            Phase::Idle | Phase::Ready(..) | Phase::Over => &[],
        }
    }

    /// The link is gone, and with it all that waits: no ticket ends again after this.
    pub fn closed(&mut self) -> Closed {
        self.slots = Slots::new(self.settings.limits);
        self.asks = Asks::new(self.settings.limits.asks);
        let next = match self.phase {
            Phase::Discover(state, _) => state.on_close(),
            Phase::Initialize(state, _) => state.on_close(),
            Phase::Idle | Phase::Ready(..) | Phase::Over => {
                self.phase = Phase::Over;
                return Closed::Over;
            }
        };
        match next {
            Next::Reopen => {
                self.memory.era = Some(Era::Legacy);
                self.probe_was_fatal = true;
                self.phase = Phase::Idle;
                Closed::Verdict(Verdict::Reopen)
            }
            Next::Fail(error) => Closed::Verdict(self.fail(error)),
            Next::Discover(_) | Next::Initialize(_) | Next::Ready(_) | Next::OtherWay | Next::TurnedDown => {
                unreachable!("a closed link takes no further message")
            }
        }
    }

    /// Does what follows a step of the handshake.
    pub(crate) fn advance(&mut self, now: Time, next: Next, out: &mut Vec<u8>) -> Option<Verdict> {
        match next {
            Next::Discover(state) => {
                let state = match self.binding {
                    Binding::Stream => state,
                    Binding::Streamable { .. } | Binding::EventStream => state.in_exchange(),
                };
                let pen = Pen::modern(state.version, &self.settings);
                let limit = state.limit(&self.settings);
                let ticket = self.ask(now, &pen, (Step::Discover, limit), &(), out)?;
                self.phase = Phase::Discover(state, ticket);
                None
            }
            Next::Initialize(state) => {
                let (params, limit) = (state.params(&self.settings), self.settings.handshake_timeout);
                let ticket = self.ask(now, &Pen::handshake(), (Step::Initialize, limit), &params, out)?;
                self.phase = Phase::Initialize(state, ticket);
                None
            }
            Next::Ready(established) => {
                let era = established.era();
                match era {
                    Era::Legacy => {
                        Pen::notification(method::INITIALIZED, out);
                        self.phase = Phase::Ready(era, Arc::new(Pen::legacy(established.revision)));
                    }
                    Era::Modern => self.become_modern(established.revision),
                }
                self.memory.era = Some(era);
                self.memory.event_stream = self.binding == Binding::EventStream;
                Some(Verdict::Ready(established))
            }
            Next::Reopen => None,
            Next::OtherWay => {
                self.memory.event_stream = true;
                self.phase = Phase::Idle;
                Some(Verdict::Reopen)
            }
            Next::TurnedDown => {
                let attempts = std::mem::take(&mut self.attempts);
                Some(self.fail(HandshakeError::TurnedDown { attempts }))
            }
            Next::Fail(error) => Some(self.fail(error)),
        }
    }

    fn ask<P: serde::Serialize>(
        &mut self,
        now: Time,
        pen: &Pen,
        (step, limit): (Step, Duration),
        params: &P,
        out: &mut Vec<u8>,
    ) -> Option<Ticket> {
        let ticket = self.slots.reserve(self.clock.working(now), Budget::total(limit)).ok()?;
        pen.request(ticket.id(), Next::name(step), params, out).expect("handshake params are objects");
        Some(ticket)
    }

    fn fail(&mut self, error: HandshakeError) -> Verdict {
        self.phase = Phase::Over;
        let turned_down = matches!(error, HandshakeError::TurnedDown { .. });
        if self.binding == Binding::EventStream && !self.attempts.is_empty() && !turned_down {
            // Why this way was taken at all must not be lost.
            self.attempts.push(Attempt { way: Attempted::EventStream, found: error.to_string() });
            let attempts = std::mem::take(&mut self.attempts);
            return Verdict::Failed(Box::new(HandshakeError::TurnedDown { attempts }));
        }
        Verdict::Failed(Box::new(error))
    }
}
