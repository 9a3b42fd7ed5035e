//! How long to wait before a stream is asked for again.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// Where the server says nothing.
const USUAL: Duration = Duration::from_secs(1);
/// However little the server asks for, and however much.
const LEAST: Duration = Duration::from_millis(250);
const MOST: Duration = Duration::from_secs(60);
/// Where the pauses stop growing, unless the server asks for more.
const GROWN: Duration = Duration::from_secs(30);
/// So many streams in a row may be of no use.
const PATIENCE: u32 = 10;

/// Pauses that grow while streams bring nothing, and an end to that.
#[derive(Debug, Default)]
pub(crate) struct Pause {
    useless: u32,
}

impl Pause {
    /// The next one; `retry` is what the server asked for (WHATWG HTML, server-sent events). `None` when enough was
    /// tried.
    ///
    /// The first one is exactly what the server asked for; those after it double, and are a little longer each time,
    /// so that many clients do not come back at the same moment.
    pub(crate) fn next(&mut self, retry: Option<Duration>) -> Option<Duration> {
        if self.useless == PATIENCE {
            return None;
        }
        let base = retry.unwrap_or(USUAL).clamp(LEAST, MOST);
        let grown = base.saturating_mul(1 << self.useless).min(GROWN.max(base));
        let more = match self.useless {
            0 => Duration::ZERO,
            _ => grown.mul_f64(f64::from(RandomState::new().hash_one(0) as u8) / 2560.0),
        };
        self.useless += 1;
        Some(grown + more)
    }

    /// A stream was of use: a message came, or it was open for a while.
    pub(crate) fn was_useful(&mut self) {
        self.useless = 0;
    }

    /// How often there was a pause since something was of use.
    pub(crate) fn taken(&self) -> u32 {
        self.useless
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_pause_is_what_the_server_asked_for_within_bounds() {
        for (asked, given) in [(None, 1000), (Some(500), 500), (Some(1), 250), (Some(3_600_000), 60_000)] {
            let asked = asked.map(Duration::from_millis);
            assert_eq!(Pause::default().next(asked), Some(Duration::from_millis(given)), "{asked:?}");
        }
    }

    #[test]
    fn pauses_grow_and_end_unless_a_stream_was_of_use() {
        let mut pause = Pause::default();
        let five = Duration::from_secs(5);
        let mut at = Duration::ZERO;
        let soon = std::iter::from_fn(|| {
            at += pause.next(Some(Duration::from_millis(1)))?;
            Some(at)
        });
        let all: Vec<_> = soon.collect();
        assert_eq!(all.len(), 10, "it ends");
        assert!(all.iter().filter(|at| **at < five).count() <= 5, "no storm: {all:?}");
        assert!(all.windows(2).all(|pair| pair[1] - pair[0] <= GROWN.mul_f64(1.1)), "{all:?}");
        assert_eq!(pause.next(None), None);
        pause.was_useful();
        assert_eq!(pause.next(None), Some(USUAL));
    }
}
