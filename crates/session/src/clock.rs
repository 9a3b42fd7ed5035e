//! Time without the time that people take.

use crate::Time;

/// Turns the owner's time into working time, which stands still while a person is asked something.
///
/// A server may ask a person in the middle of a request (elicitation, sampling). The person's time is not the
/// server's, so it counts towards no deadline.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    /// How much time people have taken so far.
    taken: Time,
    /// Since when somebody is being asked.
    since: Option<Time>,
    /// How many questions are open.
    people: usize,
}

impl Clock {
    pub(crate) fn working(&self, now: Time) -> Time {
        self.since.unwrap_or(now).min(now).saturating_sub(self.taken)
    }

    /// When a moment of working time comes, or `None` while time stands still.
    pub(crate) fn owner(&self, working: Time) -> Option<Time> {
        self.since.is_none().then(|| working.saturating_add(self.taken))
    }

    pub(crate) fn person_asked(&mut self, now: Time) {
        self.people += 1;
        self.since.get_or_insert(now);
    }

    pub(crate) fn person_answered(&mut self, now: Time) {
        self.people = self.people.saturating_sub(1);
        if self.people == 0
            && let Some(since) = self.since.take()
        {
            self.taken += now.saturating_sub(since);
        }
    }
}
