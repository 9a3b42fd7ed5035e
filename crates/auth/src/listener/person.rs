//! The person at the terminal, while a browser is away.

use std::fmt;

use async_trait::async_trait;
use codewhale_mcp_redact::Secret;

use crate::browser::CannotOpen;
use crate::paste::PasteError;

/// Whoever logs in.
#[async_trait]
pub trait Person: Send + Sync + fmt::Debug {
    /// Hears where to go, and whether a browser is on its way. The listener is up.
    fn told(&self, visit: &Visit<'_>);

    /// The next line that they paste; `None` when there will be none.
    async fn pasted(&self) -> Option<Secret<String>>;

    /// Hears that it was not what is waited for. They may paste again.
    fn refused(&self, why: &PasteError);
}

/// Where a person goes to log in.
#[derive(Debug)]
#[non_exhaustive]
pub struct Visit<'a> {
    /// The URL to open, without anything that would trouble a terminal.
    pub url: &'a str,
    /// Where the browser comes back to.
    pub redirect_uri: &'a str,
    /// Whether a browser opens it.
    pub opened: Opened,
}

/// Whether a browser opens a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opened {
    /// One was started.
    Yes,
    /// None was to be.
    NotAsked,
    /// None could be.
    Failed(CannotOpen),
}
