//! What a session is measured by: who waits, until when, and which ids were used.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use codewhale_mcp_session::{Budget, Ticket, Time};

/// One link's requests, the handshake's apart.
#[derive(Default)]
pub(crate) struct Model {
    /// Every ticket that was given, in order.
    pub(crate) given: Vec<Ticket>,
    /// Every id that was used, the handshake's among them.
    ids: HashSet<u64>,
    waiting: HashMap<Ticket, Waiting>,
    /// Ids that were given up, whose answer may still come.
    given_up: HashSet<u64>,
}

struct Waiting {
    deadline: Time,
    idle: Option<Duration>,
    quiet_until: Time,
}

impl Model {
    pub(crate) fn reserve(&mut self, now: Time, ticket: Ticket, budget: Budget) {
        self.use_id(ticket.id());
        self.given.push(ticket);
        let quiet_until = budget.idle.map_or(Time::MAX, |idle| now + idle);
        let waiting = Waiting { deadline: now + budget.total, idle: budget.idle, quiet_until };
        self.waiting.insert(ticket, waiting);
    }

    pub(crate) fn use_id(&mut self, id: u64) {
        assert!(id < 1 << 53, "an id is exact in a double");
        assert!(self.ids.insert(id), "id {id} is given twice");
    }

    pub(crate) fn was_used(&self, id: u64) -> bool {
        self.ids.contains(&id)
    }

    pub(crate) fn is_waiting(&self, ticket: Ticket) -> bool {
        self.waiting.contains_key(&ticket)
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(crate) fn touch(&mut self, now: Time, ticket: Ticket) {
        let waiting = self.waiting.get_mut(&ticket).expect("progress is that of a request that waits");
        if let Some(idle) = waiting.idle {
            waiting.quiet_until = now + idle;
        }
    }

    /// A request is answered, or never left.
    pub(crate) fn end(&mut self, ticket: Ticket) {
        self.waiting.remove(&ticket).expect("a request ends once");
    }

    /// A request is given up: its answer may still come.
    pub(crate) fn give_up(&mut self, ticket: Ticket) {
        self.end(ticket);
        self.given_up.insert(ticket.id());
    }

    /// A request ran out of time, all of it or that without a sign of life.
    pub(crate) fn expire(&mut self, now: Time, ticket: Ticket, idle: Option<Duration>) {
        let waiting = &self.waiting[&ticket];
        match idle {
            None => assert!(waiting.deadline <= now, "its time is over"),
            Some(_) => {
                assert_eq!(idle, waiting.idle);
                assert!(waiting.deadline > now && waiting.quiet_until <= now, "it was silent for too long");
            }
        }
        self.give_up(ticket);
    }

    /// A late answer came; there is no second.
    pub(crate) fn late(&mut self, id: u64) {
        if self.given.iter().any(|ticket| ticket.id() == id) {
            assert!(self.given_up.remove(&id), "{id} was not given up");
        } else {
            assert!(self.was_used(id), "{id} is an id of ours");
        }
    }

    pub(crate) fn first_deadline(&self) -> Option<Time> {
        self.waiting.values().map(|waiting| waiting.deadline.min(waiting.quiet_until)).min()
    }
}
