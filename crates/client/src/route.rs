//! What a frame, a deadline or the end of the link does to those who wait.

use std::sync::Arc;
use std::task::Waker;

use bytes::Bytes;
use codewhale_mcp_protocol::{Json, ResourceParams, method};
use codewhale_mcp_session::{Ask, Expired, Received, Ticket, Time, Unanswered, Verdict};
use tokio::sync::Notify;

use crate::asked::Asked;
use crate::error::{Gone, LimitFault};
use crate::event::Event;
use crate::lane::ExchangeFault;
use crate::state::{Effects, Outcome, Settled, State, Waiter, Wants};

/// How many progress notifications are kept for a request that does not look at them.
const PROGRESS_KEPT: usize = 64;
/// How many notifications of a subscription are kept for one who does not look at them.
const STREAM_KEPT: usize = 1024;
/// How much of a dropped line is kept for its event.
const LINE_KEPT: usize = 4096;
/// Answers to the server and cancellations may use this many bytes.
const RESERVE: usize = 256 << 10;

impl State {
    /// Deals with one line. `frame` is a message without its line end.
    pub(crate) fn receive(&mut self, now: impl FnOnce() -> Time, frame: Bytes, effects: &mut Effects) {
        self.receive_from(now, None, frame, effects);
    }

    /// The same with a message that came in the exchange of a request.
    pub(crate) fn receive_from(
        &mut self,
        now: impl FnOnce() -> Time,
        exchange: Option<Ticket>,
        frame: Bytes,
        effects: &mut Effects,
    ) {
        if let Some((ticket, reply)) = self.session.receive_reply(&frame) {
            return self.settle(ticket, Outcome::Reply(frame, reply), effects);
        }
        let now = now();
        if frame.first() == Some(&b'[')
            && let Some(elements) = codewhale_mcp_protocol::batch(&frame)
        {
            for element in elements {
                self.receive_one(now, exchange, frame.slice_ref(element.get().as_bytes()), effects);
            }
            return;
        }
        self.receive_one(now, exchange, frame, effects);
    }

    fn receive_one(&mut self, now: Time, exchange: Option<Ticket>, frame: Bytes, effects: &mut Effects) {
        let before = self.out.len();
        match self.session.receive_from(now, exchange, &frame, &mut self.out) {
            Received::Reply { ticket, reply } => {
                self.settle(ticket, Outcome::Reply(frame, reply), effects);
            }
            Received::BrokenReply { ticket, fault } => {
                self.settle(ticket, Outcome::Broken(fault), effects);
            }
            Received::Progress { ticket, params } => {
                let params = frame.slice_ref(params.get().as_bytes());
                let waiter = self.waiter(ticket);
                if waiter.wants == Wants::Progress {
                    waiter.note(params, PROGRESS_KEPT);
                    effects.wakers.extend(waiter.waker.take());
                }
            }
            Received::Notification { method, params, subscription } => {
                self.changes.note(&method);
                if self.is_listened_to() {
                    effects.events.push(notification(&method, params.map(Json::from)));
                }
                if let Some(ticket) = subscription {
                    let waiter = self.waiter(ticket);
                    waiter.note(frame.clone(), STREAM_KEPT);
                    effects.wakers.extend(waiter.waker.take());
                }
            }
            Received::ListenEnded { ticket } => self.settle(ticket, Outcome::Ended, effects),
            Received::Request { ask, id, method, params } => {
                let withdrawn = Arc::new(Notify::new());
                self.asked.push((ask, withdrawn.clone()));
                effects.asked.push(Asked {
                    ask,
                    id: id.get().into(),
                    method: (*method).into(),
                    params: params.map(Json::from),
                    withdrawn,
                });
            }
            Received::RequestCancelled { ask } => self.forget(ask),
            Received::PeerError { error } if self.is_listened_to() => {
                if let Ok(error) = serde_json::from_str(error.get()) {
                    effects.events.push(Event::PeerError(Arc::new(error)));
                }
            }
            Received::Ignored(reason) if self.is_listened_to() => {
                let start = &frame[..frame.len().min(LINE_KEPT)];
                effects.events.push(Event::Dropped { line: String::from_utf8_lossy(start).into(), reason });
            }
            Received::Verdict(verdict) => self.announce(Ok(verdict), effects),
            _ => {}
        }
        effects.wakers.extend(self.has_to_leave(before));
    }

    fn is_listened_to(&self) -> bool {
        self.told.is_listened_to()
    }

    /// The server does not read the answers that it asks for.
    pub(crate) fn overfull(&self) -> Option<LimitFault> {
        (self.reserve > RESERVE).then_some(LimitFault::Unread)
    }

    /// Deals with one deadline that has passed; false when there is none.
    pub(crate) fn expire(&mut self, now: Time, effects: &mut Effects) -> bool {
        let before = self.out.len();
        let expired = self.session.expire(now, &mut self.out);
        effects.wakers.extend(self.has_to_leave(before));
        match expired {
            Some(Expired::Request { ticket, idle }) => {
                self.settle(ticket, Outcome::TimedOut(idle), effects);
                true
            }
            Some(Expired::Verdict(verdict)) => {
                self.announce(Ok(verdict), effects);
                true
            }
            Some(_) => true,
            None => false,
        }
    }

    /// An exchange brought no answer to its request.
    pub(crate) fn no_answer(
        &mut self,
        now: Time,
        ticket: Ticket,
        fault: ExchangeFault,
        effects: &mut Effects,
    ) {
        if !self.session.is_waiting(ticket) {
            return;
        }
        if self.session.asking().is_none_or(|asking| asking.ticket != ticket) {
            self.session.release(ticket);
            return self.settle(ticket, Outcome::Fault(Box::new(fault)), effects);
        }
        let found = match fault {
            ExchangeFault::Refused { found, .. } => found,
            ExchangeFault::NoMessages { body, .. } => Unanswered { status: 200, error: None, said: body },
            fault => return self.announce(Err(fault), effects),
        };
        let before = self.out.len();
        if let Some(verdict) = self.session.no_answer(now, ticket, &found, &mut self.out) {
            self.announce(Ok(verdict), effects);
        }
        effects.wakers.extend(self.has_to_leave(before));
    }

    /// The link is gone: everything that waits learns it.
    pub(crate) fn close(&mut self, gone: Gone, effects: &mut Effects) {
        if self.gone.is_some() {
            return;
        }
        let gone = Arc::new(gone);
        self.gone = Some(gone.clone());
        self.out.clear();
        if let codewhale_mcp_session::Closed::Verdict(verdict) = self.session.closed() {
            self.announce(Ok(verdict), effects);
        }
        for waiter in &mut self.waiters {
            waiter.outcome.get_or_insert_with(|| Outcome::Gone(gone.clone()));
            effects.wakers.extend(waiter.waker.take());
        }
        for (_, withdrawn) in self.asked.drain(..) {
            withdrawn.notify_one();
        }
        effects.wakers.extend(self.writer.take());
        // The connection goes on where its link was replaced.
        if !self.replaced {
            effects.events.push(Event::Closed(gone));
        }
        effects.room = true;
    }

    /// No more requests; the writing task ends once everything has left.
    pub(crate) fn begin_closing(&mut self) -> Option<Waker> {
        self.closing = true;
        self.writer.take()
    }

    /// A request of the server is over: whoever works on its answer is told.
    pub(crate) fn forget(&mut self, ask: Ask) {
        if let Some(at) = self.asked.iter().position(|(other, _)| *other == ask) {
            self.asked.swap_remove(at).1.notify_one();
        }
    }

    fn settle(&mut self, ticket: Ticket, outcome: Outcome, effects: &mut Effects) {
        let waiter = self.waiter(ticket);
        waiter.outcome = Some(outcome);
        effects.wakers.extend(waiter.waker.take());
        effects.room |= self.waiting_for_room > 0;
    }

    fn announce(&mut self, settled: Settled, effects: &mut Effects) {
        self.replaced |= matches!(settled, Ok(Verdict::Reopen));
        if let Some(sender) = self.verdict.take() {
            effects.verdict = Some(Box::new((sender, settled)));
        }
    }
}

impl Waiter {
    /// Keeps a note, and no more than `most` of them.
    fn note(&mut self, note: Bytes, most: usize) {
        let notes = self.notes.get_or_insert_default();
        if notes.kept.len() == most {
            notes.kept.pop_front();
            notes.missed = true;
        }
        notes.kept.push_back(note);
    }
}

fn notification(name: &str, params: Option<Json>) -> Event {
    let message = || params.as_ref()?.decode().ok();
    match name {
        method::TOOLS_LIST_CHANGED => return Event::ToolsChanged,
        method::PROMPTS_LIST_CHANGED => return Event::PromptsChanged,
        method::RESOURCES_LIST_CHANGED => return Event::ResourcesChanged,
        method::RESOURCES_UPDATED => {
            let params = params.as_ref().and_then(|params| params.decode::<ResourceParams>().ok());
            if let Some(params) = params {
                return Event::ResourceUpdated { uri: params.uri.into() };
            }
        }
        method::MESSAGE => {
            if let Some(message) = message() {
                return Event::Message(Arc::new(message));
            }
        }
        _ => {}
    }
    Event::Notification { method: name.into(), params: params.map(Arc::new) }
}
