//! Random moments that can be had again, and how many of them.
//!
//! `CODEWHALE_TRIALS` sets how many trials a test makes of each kind, `CODEWHALE_SEED` repeats the moments of an
//! earlier run.

use std::io::Write;
use std::time::{Duration, Instant, SystemTime};

/// `SplitMix64`.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// Below `limit`.
    pub(crate) fn time(&mut self, limit: Duration) -> Duration {
        let micros = u64::try_from(limit.as_micros()).expect("limits are seconds").max(1);
        Duration::from_micros(self.number() % micros)
    }
}

/// How many trials there are of each kind.
pub(crate) fn trials(usual: u64) -> u64 {
    setting("CODEWHALE_TRIALS").unwrap_or(usual)
}

pub(crate) fn seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    setting("CODEWHALE_SEED").unwrap_or(u64::from(now.subsec_nanos()))
}

/// Waits until `moment` after `begin`.
pub(crate) fn wait_until(begin: Instant, moment: Duration) {
    while let Some(rest) = moment.checked_sub(begin.elapsed()).filter(|rest| !rest.is_zero()) {
        std::thread::park_timeout(rest);
    }
}

/// Says what a test found, to those who chose the number of trials.
pub(crate) fn tell(text: &str) {
    if setting("CODEWHALE_TRIALS").is_some() {
        let _ = writeln!(std::io::stderr(), "{text}");
    }
}

#[expect(clippy::disallowed_methods, reason = "who runs the tests decides how many trials there are")]
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
