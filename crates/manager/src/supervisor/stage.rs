//! The words for how a server is.

/// How a server is. The words of [`as_str`](Self::as_str) are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ServerState {
    /// Switched off.
    Disabled,
    /// Never started, or not since it was changed.
    Configured,
    /// Being started, reached, greeted, or asked for its first list.
    Connecting,
    /// It can be used.
    Ready,
    /// Alive, but its list of tools failed, or is empty though it says that it has tools.
    Degraded,
    /// It asks for a login.
    NeedsLogin,
    /// Policy or a missing consent holds it up.
    Blocked,
    /// It could not be started.
    Failed,
    /// It was up and is gone.
    Offline,
}

impl ServerState {
    /// Every state.
    pub const ALL: [Self; 9] = [
        Self::Disabled,
        Self::Configured,
        Self::Connecting,
        Self::Ready,
        Self::Degraded,
        Self::NeedsLogin,
        Self::Blocked,
        Self::Failed,
        Self::Offline,
    ];

    /// A stable word for programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Configured => "configured",
            Self::Connecting => "connecting",
            Self::Ready => "ready",
            Self::Degraded => "degraded",
            Self::NeedsLogin => "needs_login",
            Self::Blocked => "blocked",
            Self::Failed => "failed",
            Self::Offline => "offline",
        }
    }

    /// What it is or does, for a sentence that begins with the server.
    #[must_use]
    pub const fn predicate(self) -> &'static str {
        match self {
            Self::Disabled => "is disabled",
            Self::Configured => "is not started",
            Self::Connecting => "is connecting",
            Self::Ready => "is ready",
            Self::Degraded => "works in part",
            Self::NeedsLogin => "needs a login",
            Self::Blocked => "is blocked",
            Self::Failed => "has failed",
            Self::Offline => "is offline",
        }
    }

    /// The state that a word names. One that nobody knows is `offline`: to take it for `ready` would promise tools that
    /// never come.
    #[must_use]
    pub fn parse(word: &str) -> Self {
        Self::ALL.into_iter().find(|state| state.as_str() == word).unwrap_or(Self::Offline)
    }

    /// Whether a request can be sent to it.
    #[must_use]
    pub const fn is_alive(self) -> bool {
        matches!(self, Self::Ready | Self::Degraded)
    }

    /// Whether nothing more happens to it by itself: it is up, or it is not and somebody has to do something.
    #[must_use]
    pub const fn is_settled(self) -> bool {
        !matches!(self, Self::Configured | Self::Connecting | Self::Offline)
    }

    /// Whether its tools are a number: not before it has told them, and not of one that is no part of this run.
    #[must_use]
    pub const fn counts_tools(self) -> bool {
        matches!(self, Self::Ready | Self::Degraded)
    }
}
