//! How patiently a server is tried again.

use std::time::Duration;

use super::life::Time;

/// How patiently a server is tried again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// The pause before the first try; each further one is twice as long.
    pub base: Duration,
    /// The longest pause.
    pub most: Duration,
    /// By how much of itself a pause may be longer or shorter, so that servers that fell together do not rise together.
    pub jitter: f64,
    /// How often a server that was up is tried again.
    pub tries: u32,
    /// How long after one list the next one may be asked for; twice as long after each that follows at once.
    pub list_pause: Duration,
    /// The longest pause between two lists.
    pub most_list_pause: Duration,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            base: Duration::from_secs(1),
            most: Duration::from_secs(60),
            jitter: 0.2,
            tries: 5,
            list_pause: Duration::from_secs(1),
            most_list_pause: Duration::from_secs(30),
        }
    }
}

impl Rules {
    /// The pause after `tries` tries in vain; `chance` is from 0 to 1.
    #[must_use]
    pub fn pause(&self, tries: u32, chance: f64) -> Time {
        let pause = doubled(self.base, tries, self.most);
        let factor = 1.0 + self.jitter * (2.0 * chance.clamp(0.0, 1.0) - 1.0);
        pause.mul_f64(factor.max(0.0))
    }

    /// The pause between two lists of a server that has asked for `pace` lists without a rest.
    pub(super) fn list_pause(&self, pace: u32) -> Time {
        doubled(self.list_pause, pace, self.most_list_pause)
    }
}

fn doubled(base: Duration, times: u32, most: Duration) -> Duration {
    let factor = 1_u32.checked_shl(times).unwrap_or(u32::MAX);
    base.saturating_mul(factor).min(most)
}
