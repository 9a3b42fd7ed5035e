//! What the owner of a fleet decides.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

use crate::supervisor::Rules;

/// What the owner of a fleet decides. Every default is the product's.
#[derive(Debug, Clone)]
pub struct FleetRules {
    /// How patiently a server is tried again.
    pub supervisor: Rules,
    /// How many servers are started at one time in the background and by a search.
    pub at_once: usize,
    /// How long a search waits for the servers that it started, all together.
    pub search_time: Duration,
    /// The most tools that a search finds.
    pub most_found: usize,
    /// The most characters of a server's instructions that are kept.
    pub instructions: usize,
    /// How many events are kept for a listener that does not keep up.
    pub events_kept: usize,
    /// A chance from 0 to 1, a new one at each call.
    pub chance: fn() -> f64,
}

impl Default for FleetRules {
    fn default() -> Self {
        Self {
            supervisor: Rules::default(),
            at_once: 8,
            search_time: Duration::from_secs(5),
            most_found: 20,
            instructions: 2_000,
            events_kept: 1_024,
            chance,
        }
    }
}

fn chance() -> f64 {
    // Each state hashes in its own way, and is random enough for a pause.
    let random = RandomState::new().build_hasher().finish();
    f64::from(u32::try_from(random >> 32).unwrap_or(u32::MAX)) / f64::from(u32::MAX)
}
