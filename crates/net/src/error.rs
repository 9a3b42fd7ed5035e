//! Why a request came to nothing.

use std::time::Duration;

use crate::{GuardError, ProxyError, Refusal};

/// A request came to nothing. The texts name hosts, rules and what the system said: never user-info, a secret of a
/// query, or the value of a header.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NetError {
    /// A rule forbids it; nothing was sent.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It would go through a proxy that the environment names in no usable way.
    #[error(transparent)]
    NoProxy(#[from] ProxyError),
    /// No request can be made of what was asked for.
    #[error("no request can be made: {reason}")]
    NoRequest {
        /// What is wrong with it.
        reason: String,
    },
    /// The host's name has no address.
    #[error("cannot find {host}: {reason}")]
    Resolve {
        /// The name.
        host: String,
        /// What the system said.
        reason: String,
    },
    /// None of the host's addresses takes a connection.
    #[error("cannot connect to {host}: {reason}")]
    Connect {
        /// Host and port.
        host: String,
        /// What the system said, of the first address that was tried.
        reason: String,
    },
    /// The way to the host was not made in time.
    #[error("no connection to {host} within {} s", limit.as_secs_f32())]
    ConnectTimeout {
        /// Host and port.
        host: String,
        /// The time it had.
        limit: Duration,
    },
    /// There is no agreement on encryption, or the certificate is not to be trusted.
    #[error("no secure connection to {host}: {reason}")]
    Tls {
        /// Host and port.
        host: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The proxy does not let us through.
    #[error("the proxy {proxy} does not let us through: {reason}")]
    Proxy {
        /// Its host and port.
        proxy: String,
        /// What it answered, in words.
        reason: String,
    },
    /// The server sends us where we do not go.
    #[error("status {status} sends us to {target}, {why}")]
    Redirected {
        /// The status code.
        status: u16,
        /// Where to, made safe to show.
        target: String,
        /// Why that is not followed.
        why: &'static str,
    },
    /// The head or the body of the answer is longer than it may be.
    #[error("the answer's {what} has more than {limit} bytes")]
    TooLong {
        /// `head` or `body`.
        what: &'static str,
        /// The most it may have.
        limit: usize,
    },
    /// The connection broke while the request left or the answer came.
    #[error("the connection broke: {reason}")]
    Broken {
        /// What happened.
        reason: String,
    },
    /// A login is needed, and what is stored does not do.
    #[error("a login is needed")]
    LoginNeeded {
        /// What the server says about it: the values of `WWW-Authenticate`.
        challenges: Vec<String>,
    },
    /// A login was tried, and it failed.
    #[error("the login failed: {reason}")]
    LoginFailed {
        /// Why.
        reason: String,
    },
    /// The server wants scopes, and no login is left to ask for them.
    #[error("missing scopes: {reason}")]
    ScopesRefused {
        /// Which, and what there is.
        reason: String,
    },
}

impl From<GuardError> for NetError {
    fn from(error: GuardError) -> Self {
        match error {
            GuardError::Refused(refusal) => refusal.into(),
            GuardError::Proxy(error) => error.into(),
        }
    }
}
