//! When the list of a server that is alive is read again.

use super::life::Time;
use super::rules::Rules;

/// How reading the list again stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Listing {
    /// Since when the server has said that its list changed without having been asked.
    wanted: Option<Time>,
    is_running: bool,
    /// When it was asked last.
    began: Option<Time>,
    /// When that was answered.
    ended: Option<Time>,
    /// How many lists followed each other without a rest.
    pace: u32,
}

impl Listing {
    pub(super) fn want(&mut self, now: Time) {
        self.wanted.get_or_insert(now);
    }

    pub(super) fn over(&mut self, now: Time) {
        (self.is_running, self.ended) = (false, Some(now));
    }

    /// Begins to read, if that is wanted and may be done; whether it does.
    pub(super) fn begins(&mut self, now: Time, rules: &Rules) -> bool {
        if self.due(rules).is_none_or(|due| now < due) {
            return false;
        }
        let rested = |ended: Time| self.wanted.is_some_and(|at| at >= ended + rules.list_pause(self.pace));
        self.pace = if self.ended.is_none_or(rested) { 0 } else { self.pace.saturating_add(1) };
        (self.wanted, self.is_running, self.began) = (None, true, Some(now));
        true
    }

    /// From when on it may be read, if that is wanted.
    pub(super) fn due(&self, rules: &Rules) -> Option<Time> {
        let wanted = self.wanted.filter(|_| !self.is_running)?;
        Some(self.began.map_or(wanted, |began| began + rules.list_pause(self.pace)))
    }
}
