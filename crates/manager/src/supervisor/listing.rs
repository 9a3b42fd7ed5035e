//! When the list of a server that is alive is read again.

use super::life::Time;
use super::rules::Rules;

/// How reading the list again stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Listing {
    /// The server said that its list changed, and it has not been asked since.
    wanted: bool,
    is_running: bool,
    /// When it was asked last.
    last: Option<Time>,
    /// How many lists followed each other without a rest.
    pace: u32,
}

impl Listing {
    pub(super) fn want(&mut self) {
        self.wanted = true;
    }

    pub(super) fn over(&mut self) {
        self.is_running = false;
    }

    /// Begins to read, if that is wanted and may be done; whether it does.
    pub(super) fn begins(&mut self, now: Time, rules: &Rules) -> bool {
        if self.due(rules).is_none_or(|due| now < due) {
            return false;
        }
        let rested = |last: Time| now >= last + 2 * rules.list_pause(self.pace);
        self.pace = if self.last.is_none_or(rested) { 0 } else { self.pace.saturating_add(1) };
        *self = Self { wanted: false, is_running: true, last: Some(now), pace: self.pace };
        true
    }

    /// From when on it may be read, if that is wanted.
    pub(super) fn due(&self, rules: &Rules) -> Option<Time> {
        let may = self.wanted && !self.is_running;
        may.then(|| self.last.map_or(Time::ZERO, |last| last + rules.list_pause(self.pace)))
    }
}
