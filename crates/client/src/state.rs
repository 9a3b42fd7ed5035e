//! Everything of a connection that changes, under one lock: the machine, the bytes that have to leave, and
//! who waits for what.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use bytes::Bytes;
use codewhale_mcp_protocol::{NotAMessage, Reply};
use codewhale_mcp_session::{Ask, Session, Ticket, Time, Verdict};
use tokio::sync::{Notify, oneshot};

use crate::asked::Asked;
use crate::cache::Changes;
use crate::error::Gone;
use crate::event::Event;
use crate::lane::ExchangeFault;
use crate::teller::Teller;

/// Requests wait when more bytes than this have not left yet.
pub(crate) const HIGH_WATER: usize = 1 << 20;
/// A buffer that grew larger than this is given back once it is empty.
const KEEP: usize = 32 << 20;
/// One that grew larger than this is kept for as long as the connection is busy.
const SMALL: usize = 64 << 10;
/// A frame that is as long is never copied.
const LONG: usize = 4 << 10;

/// Nothing of a frame stands in `out`.
const NOT_QUEUED: (u64, usize) = (0, 0);

/// What a request is told.
#[derive(Debug)]
pub(crate) enum Outcome {
    Reply(Bytes, Reply),
    Broken(NotAMessage),
    TimedOut(Option<Duration>),
    /// The server ended a subscription without an answer.
    Ended,
    Gone(Arc<Gone>),
    /// Its exchange brought no answer.
    Fault(Box<ExchangeFault>),
}

/// How a handshake ended; a fault says that its exchange came to nothing.
pub(crate) type Settled = Result<Verdict, ExchangeFault>;

/// What a request looks at beside its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Wants {
    #[default]
    Answer,
    /// Progress notifications: their params.
    Progress,
    /// The notifications of its stream, each a whole message.
    Stream,
}

#[derive(Debug, Default)]
pub(crate) struct Waiter {
    pub(crate) waker: Option<Waker>,
    pub(crate) outcome: Option<Outcome>,
    /// Apart, because few requests have any, and thousands wait side by side.
    pub(crate) notes: Option<Box<Notes>>,
    pub(crate) wants: Wants,
    /// Where the whole frame stands among all bytes that were ever put into `out`, and how long it is; nothing of it
    /// has left while `out` begins no later.
    queued: (u64, usize),
}

/// What the server says of a request before it answers.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) kept: VecDeque<Bytes>,
    /// Some were lost.
    pub(crate) missed: bool,
}

/// What has to happen once the lock is free again.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    pub(crate) wakers: Vec<Waker>,
    pub(crate) events: Vec<Event>,
    pub(crate) asked: Vec<Asked>,
    pub(crate) verdict: Option<Box<(oneshot::Sender<Settled>, Settled)>>,
    pub(crate) room: bool,
}

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) session: Session,
    /// Whole frames that have to leave; the first `head` bytes have left.
    pub(crate) out: Vec<u8>,
    head: usize,
    /// How many bytes were taken out of `out` before.
    taken: u64,
    /// How many bytes of `out` the server caused: answers and cancellations.
    pub(crate) reserve: usize,
    /// What the next frame is written into.
    spare: Vec<u8>,
    /// The writing task has bytes that came before those in `out`.
    writing: bool,
    pub(crate) writer: Option<Waker>,
    pub(crate) waiters: Vec<Waiter>,
    free: Vec<u32>,
    /// The waiter of each slot.
    by_slot: Vec<u32>,
    pub(crate) verdict: Option<oneshot::Sender<Settled>>,
    /// Another link takes the place of this one.
    pub(crate) replaced: bool,
    /// Nothing more is sent; what is in `out` still leaves.
    pub(crate) closing: bool,
    pub(crate) gone: Option<Arc<Gone>>,
    /// The deadline that the keeper sleeps for.
    pub(crate) armed: Option<Time>,
    pub(crate) waiting_for_room: usize,
    /// Where what happens is told, to know whether anybody listens.
    pub(crate) told: Teller,
    pub(crate) changes: Changes,
    /// What the server asks and has not been answered, and how its withdrawal is told.
    pub(crate) asked: Vec<(Ask, Arc<Notify>)>,
}

impl State {
    pub(crate) fn new(session: Session, verdict: oneshot::Sender<Settled>, told: Teller) -> Self {
        Self {
            session,
            out: Vec::new(),
            head: 0,
            taken: 0,
            reserve: 0,
            spare: Vec::new(),
            writing: false,
            writer: None,
            waiters: Vec::new(),
            free: Vec::new(),
            by_slot: Vec::new(),
            verdict: Some(verdict),
            replaced: false,
            closing: false,
            gone: None,
            armed: None,
            waiting_for_room: 0,
            told,
            changes: Changes::default(),
            asked: Vec::new(),
        }
    }

    pub(crate) fn add_waiter(&mut self, ticket: Ticket, wants: Wants, waker: Option<Waker>) -> u32 {
        let key = self.free.pop().unwrap_or_else(|| {
            if self.waiters.is_empty() {
                // Most connections never have two requests in flight.
                self.waiters.reserve_exact(1);
            }
            self.waiters.push(Waiter::default());
            u32::try_from(self.waiters.len() - 1).expect("waiters are bounded by the requests in flight")
        });
        let waiter = &mut self.waiters[key as usize];
        waiter.wants = wants;
        waiter.waker = waker;
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
        waiter.notes = None;
        waiter.queued = NOT_QUEUED;
        self.free.push(key);
    }

    pub(crate) fn waiter(&mut self, ticket: Ticket) -> &mut Waiter {
        let key = self.by_slot[ticket.index()];
        &mut self.waiters[key as usize]
    }

    /// The next note, else the outcome, with which the waiter is gone, else a promise to wake.
    pub(crate) fn poll(&mut self, key: u32, waker: &Waker) -> Option<Result<Outcome, Bytes>> {
        let waiter = &mut self.waiters[key as usize];
        if let Some(note) = waiter.notes.as_mut().and_then(|notes| notes.kept.pop_front()) {
            return Some(Err(note));
        }
        if let Some(outcome) = waiter.outcome.take() {
            self.remove_waiter(key);
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

    /// Takes a buffer back, the larger one of two.
    pub(crate) fn hand_back(&mut self, mut frame: Vec<u8>) {
        frame.clear();
        if frame.capacity() <= KEEP && frame.capacity() > self.spare.capacity() {
            self.spare = frame;
        }
    }

    /// Whether buffers are kept that an idle connection should not have.
    pub(crate) fn is_roomy(&self) -> bool {
        self.spare.capacity().max(self.out.capacity()) > SMALL
    }

    /// Gives back what nothing is in.
    pub(crate) fn slim(&mut self) {
        self.spare = Vec::new();
        self.out.shrink_to(SMALL);
    }

    /// Whether a caller may write its own frame: nothing else is on its way.
    pub(crate) fn may_write_inline(&self) -> bool {
        !self.writing && self.out.is_empty() && self.session.in_flight() == 1
    }

    /// Puts the rest of a frame behind what has to leave; `written` of its bytes have left already.
    pub(crate) fn enqueue(&mut self, key: u32, mut frame: Vec<u8>, written: usize) -> Option<Waker> {
        if written == 0 {
            self.waiters[key as usize].queued = (self.taken + self.out.len() as u64, frame.len());
        }
        if self.out.is_empty() {
            self.head = written;
        }
        // What comes behind a short frame shall find room, so the larger buffer becomes the one that leaves.
        if self.out.is_empty() && (frame.len() > LONG || frame.capacity() > self.out.capacity()) {
            mem::swap(&mut self.out, &mut frame);
        } else {
            self.out.extend_from_slice(&frame);
        }
        self.hand_back(frame);
        self.writer.take()
    }

    /// Bytes for the writing task, and how many of them have left already.
    pub(crate) fn next_write(&mut self, buffer: &mut Vec<u8>, waker: &Waker) -> Option<usize> {
        self.hand_back(mem::take(buffer));
        if self.out.is_empty() {
            self.writing = false;
            self.writer = Some(waker.clone());
            return None;
        }
        self.writing = true;
        self.reserve = 0;
        self.taken += self.out.len() as u64;
        mem::swap(&mut self.out, buffer);
        Some(mem::take(&mut self.head))
    }

    /// A request is no longer wanted.
    pub(crate) fn give_up(&mut self, key: u32, ticket: Ticket, reason: &str) -> Option<Waker> {
        let waiter = &self.waiters[key as usize];
        if waiter.outcome.is_some() || self.gone.is_some() {
            return None;
        }
        let (at, length) = waiter.queued;
        if length > 0 && at >= self.taken {
            let start = usize::try_from(at - self.taken).expect("it stands in `out`");
            self.out.drain(start..start + length);
            for other in &mut self.waiters {
                if other.queued.0 > at {
                    other.queued.0 -= length as u64;
                }
            }
            self.session.release(ticket);
            return None;
        }
        let before = self.out.len();
        self.session.cancel(ticket, reason, &mut self.out);
        self.has_to_leave(before)
    }

    /// Puts a whole frame that no request waits for behind what has to leave.
    pub(crate) fn append(&mut self, frame: &[u8]) -> Option<Waker> {
        let before = self.out.len();
        self.out.extend_from_slice(frame);
        self.has_to_leave(before)
    }

    /// Wakes the writing task if anything came behind the first `before` bytes.
    pub(crate) fn has_to_leave(&mut self, before: usize) -> Option<Waker> {
        let more = self.out.len() - before;
        self.reserve += more;
        if more > 0 { self.writer.take() } else { None }
    }
}
