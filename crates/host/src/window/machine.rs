//! The wait of the first prompt, as a value: whoever drives it says what happened and when.

use std::time::Duration;

use super::event::{Event, State};

/// How a server settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It can be used, if perhaps not all of it.
    Ready,
    /// It cannot, for this reason.
    Failed(String),
}

/// The wait of the first prompt for servers that have not settled.
///
/// Times are counted from any moment, the same one throughout.
///
/// ```
/// use std::time::Duration;
///
/// use codewhale_host::window::{Event, Outcome, Window};
///
/// let (mut window, told) = Window::open(vec!["slow".into()], Duration::from_secs(2), Duration::ZERO).unwrap();
/// assert_eq!(told[0], Event::Start { servers: vec!["slow".into()] });
/// let told = window.settled("slow", Outcome::Ready, Duration::from_secs(1));
/// assert_eq!(told[1], Event::Finish { failed: vec![], timed_out: vec![] });
/// assert!(window.is_closed());
/// ```
#[derive(Debug, Clone)]
pub struct Window {
    servers: Vec<(String, State)>,
    deadline: Option<Duration>,
    closed: bool,
}

impl Window {
    /// Opens at the first prompt, for these servers in the order of the configuration. `None` where there is nobody to
    /// wait for, or no time to.
    #[must_use]
    pub fn open(blocking: Vec<String>, length: Duration, now: Duration) -> Option<(Self, Vec<Event>)> {
        if blocking.is_empty() || length.is_zero() {
            return None;
        }
        let total = blocking.len();
        let mut told = vec![Event::Start { servers: blocking.clone() }];
        told.extend(blocking.iter().map(|name| Event::Server {
            name: name.clone(),
            state: State::Connecting,
            completed: 0,
            total,
        }));
        let servers = blocking.into_iter().map(|name| (name, State::Connecting)).collect();
        Some((Self { servers, deadline: now.checked_add(length), closed: false }, told))
    }

    /// When the time is up; `None` if it never is, or no longer matters.
    #[must_use]
    pub fn deadline(&self) -> Option<Duration> {
        self.deadline.filter(|_| !self.closed)
    }

    /// Whether the prompt may leave.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whom the prompt still waits for.
    pub fn open_servers(&self) -> impl Iterator<Item = &str> {
        let open = self.servers.iter().filter(|(_, state)| !self.closed && *state == State::Connecting);
        open.map(|(name, _)| name.as_str())
    }

    /// A server settled. Of one that settles when the time is up already, the time counts.
    pub fn settled(&mut self, name: &str, outcome: Outcome, now: Duration) -> Vec<Event> {
        let mut told = self.pass(now);
        let state = match outcome {
            Outcome::Ready => State::Ready,
            Outcome::Failed(error) => State::Failed(error),
        };
        told.extend(self.change(name, state));
        if !self.closed && self.open_servers().next().is_none() {
            told.push(self.close());
        }
        told
    }

    /// Time passed.
    pub fn pass(&mut self, now: Duration) -> Vec<Event> {
        if self.deadline().is_none_or(|deadline| now < deadline) {
            return Vec::new();
        }
        let late: Vec<String> = self.open_servers().map(str::to_owned).collect();
        let mut told: Vec<Event> = late.iter().filter_map(|name| self.change(name, State::Timeout)).collect();
        told.push(self.close());
        told
    }

    /// A new message or an interrupt came: the wait is over.
    pub fn cut(&mut self, now: Duration) -> Vec<Event> {
        let mut told = self.pass(now);
        if !self.closed {
            told.push(self.close());
        }
        told
    }

    fn change(&mut self, name: &str, state: State) -> Option<Event> {
        if self.closed {
            return None;
        }
        let open = |(known, state): &&mut (String, State)| known == name && *state == State::Connecting;
        self.servers.iter_mut().find(open)?.1 = state.clone();
        let completed = self.servers.iter().filter(|(_, state)| *state != State::Connecting).count();
        Some(Event::Server { name: name.to_owned(), state, completed, total: self.servers.len() })
    }

    fn close(&mut self) -> Event {
        self.closed = true;
        let those = |wanted: fn(&State) -> bool| {
            let those = self.servers.iter().filter(|(_, state)| wanted(state));
            those.map(|(name, _)| name.clone()).collect()
        };
        Event::Finish {
            failed: those(|state| matches!(state, State::Failed(_))),
            timed_out: those(|state| matches!(state, State::Connecting | State::Timeout)),
        }
    }
}
