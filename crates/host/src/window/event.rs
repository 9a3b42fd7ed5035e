//! What is told of the wait of the first prompt.

/// Something that happened in the window of the first prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// It opened, for these servers in the order of the configuration.
    Start {
        /// Whom the prompt waits for.
        servers: Vec<String>,
    },
    /// A server is in another state.
    Server {
        /// Its name.
        name: String,
        /// Its state.
        state: State,
        /// How many of them have settled, whichever way.
        completed: usize,
        /// How many there are.
        total: usize,
    },
    /// It closed.
    Finish {
        /// Who failed, in the order of the configuration.
        failed: Vec<String>,
        /// Who has not settled, in the order of the configuration.
        timed_out: Vec<String>,
    },
}

/// The state of a server that the first prompt waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It connects.
    Connecting,
    /// It can be used.
    Ready,
    /// It cannot, for this reason.
    Failed(String),
    /// It had not settled when the time was up.
    Timeout,
}

impl State {
    /// The word for it in an event.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Connecting => "connecting",
            Self::Ready => "ready",
            Self::Failed(_) => "failed",
            Self::Timeout => "timeout",
        }
    }
}
