//! The budgets of a server: as written, and as they count.

use std::time::Duration;

use crate::{Located, Place};

/// What a file says about budgets, in the block `timeouts` or at a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimeoutSettings {
    /// `connect_timeout`, in seconds.
    pub connect: Option<Located<Limit>>,
    /// `execute_timeout` in seconds, or `timeout` in milliseconds.
    pub execute: Option<Located<Limit>>,
    /// `read_timeout`, in seconds.
    pub read: Option<Located<Limit>>,
    /// `idle_timeout`, in seconds.
    pub idle: Option<Located<Limit>>,
}

/// A timeout as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// 0: the built-in default, whatever a wider setting says.
    Default,
    /// A time.
    Of(Duration),
}

/// The budgets that count for one server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeouts {
    /// Covers spawn, handshake and the first `tools/list`.
    pub connect: Budget,
    /// The whole time of a `tools/call` or `prompts/get`, never extended.
    pub execute: Budget,
    /// Bounds each wait for a reply during handshake and discovery, and a `resources/read`.
    pub read: Budget,
    /// The longest silence within a call, restarted by progress; no limit unless set.
    pub idle: Option<Budget>,
}

/// One budget and where it was set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// The time.
    pub value: Duration,
    /// Where it was set; the built-in default has no place.
    pub place: Option<Place>,
}

impl Timeouts {
    /// `connect_timeout` unless set.
    pub const DEFAULT_CONNECT: Duration = Duration::from_secs(30);
    /// `execute_timeout` unless set.
    pub const DEFAULT_EXECUTE: Duration = Duration::from_secs(1800);
    /// `read_timeout` unless set.
    pub const DEFAULT_READ: Duration = Duration::from_secs(120);

    /// The budgets that follow from settings, the narrowest first: a server's own, its file's block, the user's block.
    pub fn resolve(settings: &[&TimeoutSettings]) -> Self {
        let first = |pick: fn(&TimeoutSettings) -> &Option<Located<Limit>>| {
            settings.iter().find_map(|setting| pick(setting).as_ref())
        };
        let budget = |set: Option<&Located<Limit>>, default: Duration| match set {
            Some(Located { value: Limit::Of(value), place }) => {
                Budget { value: *value, place: Some(place.clone()) }
            }
            Some(Located { value: Limit::Default, place }) => {
                Budget { value: default, place: Some(place.clone()) }
            }
            None => Budget { value: default, place: None },
        };
        Self {
            connect: budget(first(|s| &s.connect), Self::DEFAULT_CONNECT),
            execute: budget(first(|s| &s.execute), Self::DEFAULT_EXECUTE),
            read: budget(first(|s| &s.read), Self::DEFAULT_READ),
            idle: first(|s| &s.idle).and_then(|set| match set.value {
                Limit::Of(value) => Some(Budget { value, place: Some(set.place.clone()) }),
                Limit::Default => None,
            }),
        }
    }
}

impl Default for Timeouts {
    fn default() -> Self {
        Self::resolve(&[])
    }
}
