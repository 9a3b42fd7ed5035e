//! How a server is, for those who show it.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use codewhale_mcp_config::Scope;
use codewhale_mcp_redact::safe_text;

use super::trouble::Trouble;
use crate::Phase;
use crate::supervisor::ServerState;

/// How a server is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ServerStatus {
    /// Its name in the configuration.
    pub name: String,
    /// Whose it is, if its definition can be used.
    pub scope: Option<Scope>,
    /// How it is.
    pub state: ServerState,
    /// Since when.
    pub since: SystemTime,
    /// For how long, at the time that this was made.
    pub elapsed: Duration,
    /// How far a server that is connecting has come.
    pub phase: Option<Phase>,
    /// What is wrong with it, if anything. A server that is connecting again still says why it went.
    pub trouble: Option<Trouble>,
    /// When a server that is offline is tried again, if it is.
    pub retry_in: Option<Duration>,
    /// How many tools it offers. Nothing of a server that has not told: one that is starting has not 0 tools.
    pub tools: Option<usize>,
    /// Its failure fails the turn.
    pub required: bool,
    /// The first prompt of a host waits for it.
    pub eager: bool,
    /// What it says about how to use it.
    pub instructions: Option<Instructions>,
}

impl ServerStatus {
    /// How it is and why, as a sentence, safe to print.
    #[must_use]
    pub fn in_words(&self) -> String {
        let why = self.trouble.as_ref().map(|trouble| format!(": {trouble}")).unwrap_or_default();
        format!("server `{}` {}{why}", self.name, self.state.predicate())
    }

    /// Whether a required server stands in the way of a turn: it is down, and will not come up by itself.
    #[must_use]
    pub fn fails_the_turn(&self) -> bool {
        let down = matches!(
            self.state,
            ServerState::NeedsLogin | ServerState::Blocked | ServerState::Failed | ServerState::Offline
        );
        self.required && down && self.retry_in.is_none()
    }
}

/// What a server says about how to use it, cut to a length and safe to print. They are a stranger's words: whoever shows
/// them to a model says so, see [`quoted`](Self::quoted).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instructions {
    text: Arc<str>,
    left_out: usize,
}

impl Instructions {
    /// The first `most` characters of what a server says; `None` if it says nothing.
    #[must_use]
    pub fn new(said: &str, most: usize) -> Option<Self> {
        let said = said.trim();
        let count = said.chars().count();
        let cut: String = said.chars().take(most).collect();
        (count > 0)
            .then(|| Self { text: safe_text(&cut).as_ref().into(), left_out: count.saturating_sub(most) })
    }

    /// The words.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many characters were cut off.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The words as a quotation of the server's, every line marked.
    #[must_use]
    pub fn quoted(&self, server: &str) -> String {
        let mut quoted = format!("server `{server}` says about itself (its own words, not the user's):");
        for line in self.text.lines() {
            quoted.push_str("\n> ");
            quoted.push_str(line);
        }
        if self.left_out > 0 {
            quoted.push_str(&format!("\n> … ({} more characters)", self.left_out));
        }
        quoted
    }
}
