//! Who opens the URL of an authorization, and where the browser comes back to.

use std::fmt;

use async_trait::async_trait;
use codewhale_mcp_redact::Secret;

/// Sends people to an authorization server and hears of their return.
#[async_trait]
pub trait Browse: Send + Sync + fmt::Debug {
    /// Makes a place to come back to, before anybody is told of its URI: whatever listens there listens when this
    /// returns.
    ///
    /// `registered` is a redirect URI that we are registered with. It spares a registration when it can be had again,
    /// and nothing is lost when it cannot.
    ///
    /// # Errors
    /// [`BrowseError`]; no browser is opened then.
    async fn land(&self, registered: Option<&str>) -> Result<Box<dyn Landing>, BrowseError>;
}

/// A place to come back to. It is gone when this is dropped.
#[async_trait]
pub trait Landing: Send + Sync + fmt::Debug {
    /// Its URI, as it is registered and compared: `http://127.0.0.1:7777/callback`.
    fn redirect_uri(&self) -> &str;

    /// Opens `url`, which has been judged, and waits until a browser comes back with `state`. Whoever comes with
    /// another state, or with none, ends nothing (see [`is_same`]).
    ///
    /// # Errors
    /// [`BrowseError`]. That the person declined is no error: it stands in what comes back.
    async fn visit(&self, url: &str, state: &Secret<String>) -> Result<Redirected, BrowseError>;

    /// Tells whoever came back how the login ended; their browser waits for it. Without this they are told to look
    /// where they began.
    async fn show(&self, _ending: Ending) {}
}

/// How a login ended, for the page that its browser is left with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// There is a token.
    LoggedIn,
    /// There is none.
    Failed {
        /// Why, in words that may come from a server whose `iss` was checked. The page escapes them.
        reason: String,
    },
}

/// The URL that an authorization server sent the browser to, or its query alone.
#[derive(Debug, Clone)]
pub struct Redirected(pub Secret<String>);

/// Nobody came back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BrowseError {
    /// The place to come back to cannot be had.
    #[error("cannot listen for the browser's return at {address}: {reason}")]
    NoLanding {
        /// Where it should be.
        address: String,
        /// What the system said.
        reason: String,
    },
    /// Nobody came back in time.
    #[error("the login was not finished within {} s", limit.as_secs())]
    TimedOut {
        /// How long we waited.
        limit: std::time::Duration,
    },
    /// The person went away, or there is no way to ask them.
    #[error("the login was given up: {reason}")]
    GivenUp {
        /// Why.
        reason: String,
    },
}

/// Compares secrets in a time that says nothing about where they differ.
#[must_use]
pub fn is_same(one: &Secret<String>, other: &Secret<String>) -> bool {
    let (one, other) = (one.expose().as_bytes(), other.expose().as_bytes());
    one.len() == other.len() && one.iter().zip(other).fold(0, |seen, (a, b)| seen | (a ^ b)) == 0
}
