//! How the life of a server stands.

use std::time::Duration;

use super::listing::Listing;
use super::rules::Rules;
use super::stage::ServerState;
use crate::Phase;

/// A moment, as the time since some beginning.
pub type Time = Duration;

/// How the life of a server stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Life {
    /// Where it stands.
    pub stage: Stage,
    /// Since when.
    pub since: Time,
    /// The number of the latest attempt to connect. What happens to an earlier one does not matter any more.
    pub attempt: u64,
    /// How often it was tried again since a call succeeded.
    pub tries: u32,
    pub(super) listing: Listing,
}

/// Where a life stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Switched off.
    Disabled,
    /// Never started.
    Configured,
    /// Being connected to.
    Connecting {
        /// How far it has come.
        phase: Phase,
        /// Whether it was up before.
        origin: Origin,
    },
    /// Alive.
    Ready,
    /// Alive, without a list.
    Degraded,
    /// A login is missing.
    NeedsLogin,
    /// Policy or a missing consent holds it up.
    Blocked,
    /// It could not be started.
    Failed,
    /// It was up and is gone.
    Offline {
        /// When it is tried again, if it is.
        retry: Option<Time>,
    },
}

/// Why a server is connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Somebody asked for it.
    Asked,
    /// It was up and is gone.
    Lost,
}

impl Life {
    /// A server that has not been started.
    #[must_use]
    pub fn configured(now: Time) -> Self {
        Self::at(Stage::Configured, now)
    }

    /// A server that is switched off.
    #[must_use]
    pub fn disabled(now: Time) -> Self {
        Self::at(Stage::Disabled, now)
    }

    /// A server that stands so without ever having been started.
    #[must_use]
    pub fn at(stage: Stage, since: Time) -> Self {
        Self { stage, since, attempt: 0, tries: 0, listing: Listing::default() }
    }

    /// The word for it.
    #[must_use]
    pub const fn state(&self) -> ServerState {
        match self.stage {
            Stage::Disabled => ServerState::Disabled,
            Stage::Configured => ServerState::Configured,
            Stage::Connecting { .. } => ServerState::Connecting,
            Stage::Ready => ServerState::Ready,
            Stage::Degraded => ServerState::Degraded,
            Stage::NeedsLogin => ServerState::NeedsLogin,
            Stage::Blocked => ServerState::Blocked,
            Stage::Failed => ServerState::Failed,
            Stage::Offline { .. } => ServerState::Offline,
        }
    }

    /// When to tell [`Fact::Due`](super::Fact::Due), if nothing happens before.
    #[must_use]
    pub fn due(&self, rules: &Rules) -> Option<Time> {
        match self.stage {
            Stage::Offline { retry } => retry,
            Stage::Ready | Stage::Degraded => self.listing.due(rules),
            _ => None,
        }
    }
}
