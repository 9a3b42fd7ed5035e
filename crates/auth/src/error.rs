//! Why a login came to nothing.

use std::time::Duration;

use codewhale_mcp_net::NetError;

use crate::browse::BrowseError;
use crate::credentials::StoreError;

/// A login, or a refresh, came to nothing. The texts never show a token, a code, a verifier or a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoginError {
    /// The server has no metadata, and no way of 2025-03-26 either.
    #[error("the server offers no OAuth: nothing at {}", tried.join(", "))]
    ServerOffersNone {
        /// The URLs that were tried.
        tried: Vec<String>,
    },
    /// The server's metadata cannot be used.
    #[error("the server's metadata at {url} cannot be used: {reason}")]
    ServerMetadata {
        /// Where they are.
        url: String,
        /// What is wrong with them.
        reason: String,
    },
    /// The server's metadata are about another resource.
    #[error("the server's metadata are about {found}, which is not {server}")]
    ServerResource {
        /// What they are about.
        found: String,
        /// The server as it was asked.
        server: String,
    },
    /// The authorization server has no metadata.
    #[error("{issuer} has no metadata: nothing at {}", tried.join(", "))]
    IssuerUnknown {
        /// The issuer.
        issuer: String,
        /// The URLs that were tried.
        tried: Vec<String>,
    },
    /// The authorization server's metadata cannot be used.
    #[error("the metadata of {issuer} cannot be used: {reason}")]
    IssuerMetadata {
        /// The issuer.
        issuer: String,
        /// What is wrong with them.
        reason: String,
    },
    /// The metadata name another issuer, by as much as a slash.
    #[error("the metadata of {asked} say that they are of {found}")]
    IssuerMismatch {
        /// Whose metadata were asked for.
        asked: String,
        /// Whose they say they are.
        found: String,
    },
    /// A URL that a document names is not one to go to.
    #[error("the {what} {url} {reason}")]
    Endpoint {
        /// What it is for.
        what: &'static str,
        /// The URL, safe to show.
        url: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// There is no client id, and none can be had.
    #[error(
        "no client id for {issuer}: none is configured, it does not know clients by their metadata documents, and it \
         registers none"
    )]
    NoClient {
        /// The issuer.
        issuer: String,
    },
    /// The client that is configured is one of another authorization server.
    #[error("the configured client is one of {configured}, and the server now sends us to {issuer}")]
    ForeignClient {
        /// The issuer that the client is registered with.
        configured: String,
        /// The issuer that the server names.
        issuer: String,
    },
    /// The configured client cannot be used.
    #[error("the configured client cannot be used: {reason}")]
    Client {
        /// What is wrong with it.
        reason: String,
    },
    /// The authorization server does not register us.
    #[error("{issuer} does not register us: {reason}")]
    IssuerRegistersNot {
        /// The issuer.
        issuer: String,
        /// What it said.
        reason: String,
    },
    /// The person said no.
    #[error("the authorization was declined")]
    Declined,
    /// The authorization server answered the browser's visit with an error.
    #[error("{issuer} does not authorize us: {reason}")]
    IssuerAuthorizesNot {
        /// The issuer.
        issuer: String,
        /// What it said.
        reason: String,
    },
    /// What the browser came back with is not the answer to what was asked.
    #[error("the browser came back with {reason}; nothing of it is used")]
    Callback {
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The browser came back from another authorization server than it was sent to.
    #[error(
        "the browser was sent to {expected} and {}; nothing of it is used",
        found.as_ref().map_or_else(
            || "came back without `iss`, which was to say that it was there".to_owned(),
            |found| format!("came back with the `iss` of another one: {found}"),
        )
    )]
    CallbackIssuer {
        /// The issuer that it was sent to.
        expected: String,
        /// The `iss` that it came back with, safe to show.
        found: Option<String>,
    },
    /// The token endpoint refuses.
    #[error("{issuer} gives no token: {}", with(code, description.as_deref()))]
    Refused {
        /// The issuer.
        issuer: String,
        /// The code of the error (RFC 6749, section 5.2).
        code: String,
        /// The same in words, safe to show.
        description: Option<String>,
    },
    /// The token endpoint's answer makes no sense.
    #[error("the answer of {issuer} is no token: {reason}")]
    TokenReply {
        /// The issuer.
        issuer: String,
        /// What is wrong with it, without any of it.
        reason: &'static str,
    },
    /// The revocation endpoint refuses.
    #[error("{issuer} does not revoke the token: status {status}")]
    IssuerRevokesNot {
        /// The issuer.
        issuer: String,
        /// The status of its answer.
        status: u16,
    },
    /// The flow is not offered.
    #[error("{issuer} offers no {what}")]
    IssuerOffersNot {
        /// The issuer.
        issuer: String,
        /// What was wanted of it.
        what: &'static str,
    },
    /// What stands for us, or for a person, cannot be had.
    #[error("no {what} to show: {reason}")]
    Subject {
        /// What it is.
        what: &'static str,
        /// Why not.
        reason: String,
    },
    /// The server wants scopes for which there is no other login: it asked for them already, or was made too often.
    #[error(
        "{wanted}; the login was granted {}",
        if granted.is_empty() { "nothing that was named" } else { granted }
    )]
    ScopesRefused {
        /// What the server wants, safe to show.
        wanted: String,
        /// What the login was granted, safe to show.
        granted: String,
    },
    /// It took too long.
    #[error("the login was not finished in time")]
    TimedOut,
    /// A request had no answer in its time.
    #[error("no answer from {host} within {} s", limit.as_secs())]
    Slow {
        /// The host.
        host: String,
        /// The time it had.
        limit: Duration,
    },
    /// A request had no answer.
    #[error(transparent)]
    Net(#[from] NetError),
    /// Credentials cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nobody came back from the browser.
    #[error(transparent)]
    Browse(#[from] BrowseError),
}

impl LoginError {
    /// What a page may say of it: nothing that a stranger said.
    #[must_use]
    pub fn for_a_page(&self) -> String {
        match self {
            Self::CallbackIssuer { expected, found: Some(_) } => {
                format!(
                    "the browser was sent to {expected} and came back from elsewhere; nothing of it is used"
                )
            }
            other => other.to_string(),
        }
    }

    /// Whether a rule of the network forbade a request.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        matches!(self, Self::Net(NetError::Refused(_)))
    }
}

fn with(code: &str, description: Option<&str>) -> String {
    match description {
        Some(description) => format!("{code} ({description})"),
        None => code.to_owned(),
    }
}
