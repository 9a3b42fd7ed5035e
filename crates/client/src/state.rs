//! Everything of a connection that changes, under one lock: the machine, the bytes that have to leave, and
//! who waits for what.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use bytes::Bytes;
use codewhale_mcp_protocol::{Json, NotAMessage, Reply, method};
use codewhale_mcp_session::{Expired, Received, Session, Ticket, Time, Verdict};
use tokio::sync::oneshot;

use crate::error::{Gone, LimitFault};
use crate::event::Event;

/// Requests wait when more bytes than this have not left yet.
pub(crate) const HIGH_WATER: usize = 1 << 20;
/// Answers to the server and cancellations may use this much more.
const RESERVE: usize = 256 << 10;
/// A buffer that grew larger than this is given back once it is empty.
const KEEP: usize = 64 << 10;
/// How many progress notifications are kept for a request that does not look at them.
const PROGRESS_KEPT: usize = 64;
/// How much of a dropped line is kept for its event.
const LINE_KEPT: usize = 4096;

/// What a request is told.
#[derive(Debug)]
pub(crate) enum Outcome {
    Reply(Bytes, Reply),
    Broken(NotAMessage),
    TimedOut(Option<Duration>),
    Gone(Arc<Gone>),
}

#[derive(Debug, Default)]
struct Waiter {
    waker: Option<Waker>,
    outcome: Option<Outcome>,
    progress: VecDeque<Bytes>,
    wants_progress: bool,
    /// Where the whole frame stands in `out`, as long as none of it has left.
    queued: Option<(usize, usize)>,
}

/// What has to happen once the lock is free again.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    pub(crate) wakers: Vec<Waker>,
    pub(crate) events: Vec<Event>,
    pub(crate) verdict: Option<(oneshot::Sender<Verdict>, Verdict)>,
    pub(crate) room: bool,
}

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) session: Session,
    /// Whole frames that have to leave; the first `head` bytes have left.
    pub(crate) out: Vec<u8>,
    head: usize,
    /// How many bytes of `out` the server caused: answers and cancellations.
    reserve: usize,
    spare: Vec<u8>,
    /// The writing task has bytes that came before those in `out`.
    writing: bool,
    writer: Option<Waker>,
    waiters: Vec<Waiter>,
    free: Vec<u32>,
    /// The waiter of each slot.
    by_slot: Vec<u32>,
    verdict: Option<oneshot::Sender<Verdict>>,
    /// Nothing more is sent; what is in `out` still leaves.
    pub(crate) closing: bool,
    pub(crate) gone: Option<Arc<Gone>>,
    /// The deadline that the keeper sleeps for.
    pub(crate) armed: Option<Time>,
    pub(crate) waiting_for_room: usize,
    pub(crate) listened: bool,
}

impl State {
    pub(crate) fn new(session: Session, verdict: oneshot::Sender<Verdict>) -> Self {
        Self {
            session,
            out: Vec::new(),
            head: 0,
            reserve: 0,
            spare: Vec::new(),
            writing: false,
            writer: None,
            waiters: Vec::new(),
            free: Vec::new(),
            by_slot: Vec::new(),
            verdict: Some(verdict),
            closing: false,
            gone: None,
            armed: None,
            waiting_for_room: 0,
            listened: false,
        }
    }

    pub(crate) fn add_waiter(&mut self, ticket: Ticket, wants_progress: bool) -> u32 {
        let key = self.free.pop().unwrap_or_else(|| {
            self.waiters.push(Waiter::default());
            u32::try_from(self.waiters.len() - 1).expect("waiters are bounded by the requests in flight")
        });
        self.waiters[key as usize].wants_progress = wants_progress;
        if self.by_slot.len() <= ticket.index() {
            self.by_slot.resize(ticket.index() + 1, u32::MAX);
        }
        self.by_slot[ticket.index()] = key;
        key
    }

    pub(crate) fn remove_waiter(&mut self, key: u32) {
        let waiter = &mut self.waiters[key as usize];
        waiter.waker = None;
        waiter.outcome = None;
        waiter.progress.clear();
        waiter.queued = None;
        self.free.push(key);
    }

    fn waiter(&mut self, ticket: Ticket) -> &mut Waiter {
        let key = self.by_slot[ticket.index()];
        &mut self.waiters[key as usize]
    }

    /// The outcome, else the next progress, else a promise to wake.
    pub(crate) fn poll(&mut self, key: u32, waker: &Waker) -> Option<Result<Outcome, Bytes>> {
        let waiter = &mut self.waiters[key as usize];
        if let Some(progress) = waiter.progress.pop_front() {
            return Some(Err(progress));
        }
        if let Some(outcome) = waiter.outcome.take() {
            return Some(Ok(outcome));
        }
        match &waiter.waker {
            Some(known) if known.will_wake(waker) => {}
            _ => waiter.waker = Some(waker.clone()),
        }
        None
    }

    /// A buffer to write a frame into without holding the lock.
    pub(crate) fn lend(&mut self) -> Vec<u8> {
        mem::take(&mut self.spare)
    }

    pub(crate) fn hand_back(&mut self, mut frame: Vec<u8>) {
        if frame.capacity() <= KEEP {
            frame.clear();
            self.spare = frame;
        }
    }

    /// Whether a caller may write its own frame: nothing else is on its way.
    pub(crate) fn may_write_inline(&self) -> bool {
        !self.writing && self.out.is_empty() && self.session.in_flight() == 1
    }

    /// Puts the rest of a frame behind what has to leave; `written` of its bytes have left already.
    pub(crate) fn enqueue(&mut self, key: u32, mut frame: Vec<u8>, written: usize) -> Option<Waker> {
        if written == 0 {
            self.waiters[key as usize].queued = Some((self.out.len(), frame.len()));
        }
        if self.out.is_empty() {
            mem::swap(&mut self.out, &mut frame);
            self.head = written;
        } else {
            self.out.extend_from_slice(&frame);
        }
        self.hand_back(frame);
        self.writer.take()
    }

    /// Bytes for the writing task, and how many of them have left already.
    pub(crate) fn next_write(&mut self, buffer: &mut Vec<u8>, waker: &Waker) -> Option<usize> {
        buffer.clear();
        if buffer.capacity() > KEEP {
            *buffer = Vec::new();
        }
        if self.out.is_empty() {
            self.writing = false;
            self.writer = Some(waker.clone());
            return None;
        }
        self.writing = true;
        self.reserve = 0;
        mem::swap(&mut self.out, buffer);
        for waiter in &mut self.waiters {
            waiter.queued = None;
        }
        Some(mem::take(&mut self.head))
    }

    /// A request is no longer wanted.
    pub(crate) fn give_up(&mut self, key: u32, ticket: Ticket, reason: &str) -> Option<Waker> {
        let waiter = &self.waiters[key as usize];
        if waiter.outcome.is_some() || self.gone.is_some() {
            return None;
        }
        if let Some((start, length)) = waiter.queued {
            self.out.drain(start..start + length);
            for other in &mut self.waiters {
                if let Some((at, _)) = &mut other.queued
                    && *at > start
                {
                    *at -= length;
                }
            }
            self.session.release(ticket);
            return None;
        }
        let before = self.out.len();
        self.session.cancel(ticket, reason, &mut self.out);
        self.has_to_leave(before)
    }

    /// Wakes the writing task if anything came behind the first `before` bytes.
    fn has_to_leave(&mut self, before: usize) -> Option<Waker> {
        let more = self.out.len() - before;
        self.reserve += more;
        if more > 0 { self.writer.take() } else { None }
    }

    /// Deals with one line. `frame` is a message without its line end.
    pub(crate) fn receive(&mut self, now: Time, frame: Bytes, effects: &mut Effects) {
        if frame.first() == Some(&b'[')
            && let Some(elements) = codewhale_mcp_protocol::batch(&frame)
        {
            for element in elements {
                self.receive_one(now, frame.slice_ref(element.get().as_bytes()), effects);
            }
            return;
        }
        self.receive_one(now, frame, effects);
    }

    fn receive_one(&mut self, now: Time, frame: Bytes, effects: &mut Effects) {
        let before = self.out.len();
        match self.session.receive(now, &frame, &mut self.out) {
            Received::Reply { ticket, reply } => {
                self.settle(ticket, Outcome::Reply(frame, reply), effects);
            }
            Received::BrokenReply { ticket, fault } => {
                self.settle(ticket, Outcome::Broken(fault), effects);
            }
            Received::Progress { ticket, params } => {
                let params = frame.slice_ref(params.get().as_bytes());
                let waiter = self.waiter(ticket);
                if waiter.wants_progress {
                    if waiter.progress.len() == PROGRESS_KEPT {
                        waiter.progress.pop_front();
                    }
                    waiter.progress.push_back(params);
                    effects.wakers.extend(waiter.waker.take());
                }
            }
            Received::Notification { method, params, .. } if self.listened => {
                effects.events.push(notification(&method, params.map(Json::from)));
            }
            Received::PeerError { error } if self.listened => {
                if let Ok(error) = serde_json::from_str(error.get()) {
                    effects.events.push(Event::PeerError(Arc::new(error)));
                }
            }
            Received::Ignored(reason) if self.listened => {
                let start = &frame[..frame.len().min(LINE_KEPT)];
                effects.events.push(Event::Dropped {
                    line: String::from_utf8_lossy(start).into(),
                    reason: reason.to_string().into(),
                });
            }
            Received::Verdict(verdict) => self.announce(verdict, effects),
            _ => {}
        }
        effects.wakers.extend(self.has_to_leave(before));
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
                self.announce(verdict, effects);
                true
            }
            Some(_) => true,
            None => false,
        }
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
            self.announce(verdict, effects);
        }
        for waiter in &mut self.waiters {
            waiter.outcome.get_or_insert_with(|| Outcome::Gone(gone.clone()));
            effects.wakers.extend(waiter.waker.take());
        }
        effects.wakers.extend(self.writer.take());
        effects.events.push(Event::Closed(gone));
        effects.room = true;
    }

    /// No more requests; the writing task ends once everything has left.
    pub(crate) fn begin_closing(&mut self) -> Option<Waker> {
        self.closing = true;
        self.writer.take()
    }

    fn settle(&mut self, ticket: Ticket, outcome: Outcome, effects: &mut Effects) {
        let waiter = self.waiter(ticket);
        waiter.outcome = Some(outcome);
        effects.wakers.extend(waiter.waker.take());
        effects.room |= self.waiting_for_room > 0;
    }

    fn announce(&mut self, verdict: Verdict, effects: &mut Effects) {
        if let Some(sender) = self.verdict.take() {
            effects.verdict = Some((sender, verdict));
        }
    }
}

fn notification(name: &str, params: Option<Json>) -> Event {
    let message = || params.as_ref()?.decode().ok();
    match name {
        method::TOOLS_LIST_CHANGED => return Event::ToolsChanged,
        method::MESSAGE => {
            if let Some(message) = message() {
                return Event::Message(Arc::new(message));
            }
        }
        _ => {}
    }
    Event::Notification { method: name.into(), params: params.map(Arc::new) }
}
