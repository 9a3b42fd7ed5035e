//! Who waits for an answer: slots, their ids and their deadlines.
//!
//! ```text
//!            reserve                  reply
//!   free ───────────────▶ waiting ───────────▶ free (next generation)
//!                            │ cancel, deadline      ▲
//!                            ▼                       │ late reply, or too many tombstones
//!                        tombstone ──────────────────┘
//! ```
//!
//! An id is made of a slot's index and its generation, so that it never comes back in the life of a
//! connection, and the first ids are small.

use std::collections::VecDeque;
use std::time::Duration;

use crate::Time;

const INDEX_BITS: u32 = 13;
const INDEX_MASK: u64 = (1 << INDEX_BITS) - 1;
/// Ids stay exact in a double, which is what many servers keep numbers in.
const ID_LIMIT: u64 = 1 << 53;
/// The highest number of slots: index + 1 has to fit into the index bits.
const MOST_SLOTS: usize = INDEX_MASK as usize - 1;
/// As a moment, in nanoseconds: half a thousand years after the connection began.
const NEVER: u64 = u64::MAX;

/// A request that waits for its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ticket {
    index: u32,
    generation: u64,
}

impl Ticket {
    /// The request's id and progress token on the wire.
    #[must_use]
    pub fn id(self) -> u64 {
        (self.generation << INDEX_BITS) | u64::from(self.index + 1)
    }

    /// The slot's number: small, dense, and used again after the answer came.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }

    fn of_id(id: u64) -> Option<Self> {
        let index = u32::try_from(id & INDEX_MASK).ok()?.checked_sub(1)?;
        Some(Self { index, generation: id >> INDEX_BITS })
    }
}

/// How long a request may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// From the request to its answer, whatever happens in between.
    pub total: Duration,
    /// The longest silence: from the request to the first progress, from one progress to the next.
    pub idle: Option<Duration>,
}

impl Budget {
    /// A budget without a limit on silence.
    #[must_use]
    pub fn total(total: Duration) -> Self {
        Self { total, idle: None }
    }
}

/// There are as many requests in flight as there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many requests in flight")]
pub struct Full;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Free,
    Waiting,
    Tombstone,
}

/// Small, since thousands are gone through again and again: moments and spans are in nanoseconds.
#[derive(Debug)]
struct Slot {
    generation: u64,
    deadline: u64,
    /// The longest silence, or [`NEVER`].
    idle: u64,
    quiet_until: u64,
    state: State,
    /// The answer ends a stream of notifications, and the server may end it too.
    listens: bool,
}

/// What an id means at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lookup {
    Waiting(Ticket),
    Tombstone(Ticket),
    Unknown,
}

/// Which part of a budget ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RanOut {
    Total,
    Idle,
}

#[derive(Debug)]
pub(crate) struct Slots {
    slots: Vec<Slot>,
    free: Vec<u32>,
    waiting: usize,
    tombstones: VecDeque<Ticket>,
    most_waiting: usize,
    most_tombstones: usize,
    /// No deadline lies before this; it may be earlier than the first, never later.
    earliest: u64,
}

impl Slots {
    pub(crate) fn new(limits: crate::Limits) -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            waiting: 0,
            tombstones: VecDeque::new(),
            // The handshake is a request too.
            most_waiting: limits.in_flight.clamp(1, MOST_SLOTS),
            most_tombstones: limits.tombstones.min(MOST_SLOTS),
            earliest: NEVER,
        }
    }

    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }

    pub(crate) fn reserve(&mut self, now: Time, budget: Budget) -> Result<Ticket, Full> {
        if self.waiting >= self.most_waiting {
            return Err(Full);
        }
        let index = self.free_slot().ok_or(Full)?;
        let slot = &mut self.slots[index as usize];
        let now = nanoseconds(now);
        slot.state = State::Waiting;
        slot.deadline = now.saturating_add(nanoseconds(budget.total));
        slot.idle = budget.idle.map_or(NEVER, nanoseconds);
        slot.quiet_until = now.saturating_add(slot.idle);
        slot.listens = false;
        self.earliest = self.earliest.min(slot.deadline).min(slot.quiet_until);
        self.waiting += 1;
        Ok(Ticket { index, generation: slot.generation })
    }

    /// As [`Self::reserve`], for a request that is answered when the server has no more to say.
    pub(crate) fn listen(&mut self, now: Time) -> Result<Ticket, Full> {
        let ticket = self.reserve(now, Budget::total(Duration::MAX))?;
        self.slots[ticket.index()].listens = true;
        Ok(ticket)
    }

    pub(crate) fn listens(&self, ticket: Ticket) -> bool {
        self.is_waiting(ticket) && self.slots[ticket.index()].listens
    }

    fn free_slot(&mut self) -> Option<u32> {
        if let Some(index) = self.free.pop() {
            return Some(index);
        }
        if self.slots.len() < MOST_SLOTS {
            self.slots.push(Slot {
                generation: 0,
                state: State::Free,
                deadline: NEVER,
                idle: NEVER,
                quiet_until: NEVER,
                listens: false,
            });
            return u32::try_from(self.slots.len() - 1).ok();
        }
        let oldest = self.tombstones.pop_front()?;
        self.release(oldest);
        self.free.pop()
    }

    pub(crate) fn look_up(&self, id: u64) -> Lookup {
        let Some(ticket) = Ticket::of_id(id) else { return Lookup::Unknown };
        match self.slots.get(ticket.index()) {
            Some(slot) if slot.generation == ticket.generation => match slot.state {
                State::Waiting => Lookup::Waiting(ticket),
                State::Tombstone => Lookup::Tombstone(ticket),
                State::Free => Lookup::Unknown,
            },
            _ => Lookup::Unknown,
        }
    }

    pub(crate) fn is_waiting(&self, ticket: Ticket) -> bool {
        self.look_up(ticket.id()) == Lookup::Waiting(ticket)
    }

    /// The answer is here, or the request never left.
    pub(crate) fn release(&mut self, ticket: Ticket) {
        let slot = &mut self.slots[ticket.index()];
        match slot.state {
            State::Free => return,
            State::Waiting => self.waiting -= 1,
            State::Tombstone => self.tombstones.retain(|other| *other != ticket),
        }
        slot.state = State::Free;
        slot.generation += 1;
        let next = Ticket { index: ticket.index, generation: slot.generation };
        if next.id() < ID_LIMIT {
            self.free.push(ticket.index);
        }
    }

    /// Nobody waits any more, but the answer may still come.
    pub(crate) fn bury(&mut self, ticket: Ticket) {
        if !self.is_waiting(ticket) {
            return;
        }
        self.slots[ticket.index()].state = State::Tombstone;
        self.waiting -= 1;
        self.tombstones.push_back(ticket);
        if self.tombstones.len() > self.most_tombstones {
            let oldest = self.tombstones[0];
            self.release(oldest);
        }
    }

    /// The peer is still at work on this request.
    pub(crate) fn touch(&mut self, now: Time, ticket: Ticket) {
        let slot = &mut self.slots[ticket.index()];
        slot.quiet_until = nanoseconds(now).saturating_add(slot.idle);
    }

    pub(crate) fn idle_limit(&self, ticket: Ticket) -> Option<Duration> {
        let idle = self.slots[ticket.index()].idle;
        (idle != NEVER).then(|| Duration::from_nanos(idle))
    }

    pub(crate) fn next_deadline(&self) -> Option<Time> {
        (self.waiting > 0 && self.earliest != NEVER).then(|| Duration::from_nanos(self.earliest))
    }

    /// One request whose time is over, still waiting.
    pub(crate) fn overdue(&mut self, now: Time) -> Option<(Ticket, RanOut)> {
        let now = nanoseconds(now);
        if now < self.earliest {
            return None;
        }
        let mut earliest = NEVER;
        for (index, slot) in self.slots.iter().enumerate() {
            if slot.state != State::Waiting {
                continue;
            }
            if slot.deadline <= now || slot.quiet_until <= now {
                let ran_out = if slot.deadline <= now { RanOut::Total } else { RanOut::Idle };
                let index = u32::try_from(index).expect("there are at most 8,190 slots");
                return Some((Ticket { index, generation: slot.generation }, ran_out));
            }
            earliest = earliest.min(slot.deadline).min(slot.quiet_until);
        }
        self.earliest = earliest;
        None
    }
}

/// What does not fit counts as never.
fn nanoseconds(span: Duration) -> u64 {
    u64::try_from(span.as_nanos()).unwrap_or(NEVER)
}
