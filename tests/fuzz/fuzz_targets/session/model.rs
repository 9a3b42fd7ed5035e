//! What a session is measured by: who waits, until when, and which ids were used.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use codewhale_mcp_session::{Ask, Budget, Ticket, Time};

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
    listening: HashSet<Ticket>,
    /// What the server has asked, and whether it still wants the answer.
    pub(crate) asks: Vec<(Ask, bool)>,
    people: usize,
    /// Since when somebody is being asked.
    since: Time,
    /// What people have taken of the time.
    taken: Time,
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
        let now = self.working(now);
        let quiet_until = budget.idle.map_or(Time::MAX, |idle| now + idle);
        let waiting = Waiting { deadline: now.saturating_add(budget.total), idle: budget.idle, quiet_until };
        self.waiting.insert(ticket, waiting);
    }

    pub(crate) fn listen(&mut self, ticket: Ticket) {
        self.reserve(Time::ZERO, ticket, Budget::total(Time::MAX));
        self.listening.insert(ticket);
    }

    pub(crate) fn listens(&self, ticket: Ticket) -> bool {
        self.is_waiting(ticket) && self.listening.contains(&ticket)
    }

    pub(crate) fn ask_person(&mut self, now: Time) {
        if self.people == 0 {
            self.since = now;
        }
        self.people += 1;
    }

    pub(crate) fn person_answers(&mut self, now: Time) {
        if self.people == 1 {
            self.taken += now - self.since;
        }
        self.people = self.people.saturating_sub(1);
    }

    pub(crate) fn is_held_up(&self) -> bool {
        self.people > 0
    }

    /// The time without that of people.
    fn working(&self, now: Time) -> Time {
        (if self.people > 0 { self.since } else { now }).saturating_sub(self.taken)
    }

    pub(crate) fn asked(&mut self, ask: Ask, most: usize) {
        assert!(self.asks.iter().all(|(other, _)| *other != ask), "a question is asked once");
        self.asks.push((ask, true));
        assert!(self.asks.iter().filter(|(_, is_open)| *is_open).count() <= most);
    }

    /// Whether the server still wanted it.
    pub(crate) fn answer(&mut self, ask: Ask) -> bool {
        let asked = self.asks.iter_mut().find(|(other, _)| *other == ask).expect("it was asked");
        std::mem::take(&mut asked.1)
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
        let now = self.working(now);
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
        let now = self.working(now);
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
        let first = self.waiting.values().map(|waiting| waiting.deadline.min(waiting.quiet_until)).min();
        let first = first.filter(|first| self.people == 0 && *first < Time::MAX);
        first.map(|first| first.saturating_add(self.taken))
    }
}
