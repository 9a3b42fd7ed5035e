//! Ways on which every message is an exchange of its own: HTTP.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use codewhale_mcp_redact::Secret;

use crate::{Frames, Peer};

/// A server that is reached by one exchange for each message (MCP 2026-07-28,
/// basic/transports/streamable-http).
pub struct Exchanges {
    /// What carries an exchange to the server's endpoint.
    pub carrier: Arc<dyn Carrier>,
    /// The one stream on which a server of the deprecated HTTP+SSE transport says everything; its end is the end
    /// of the link, and the bodies of the carrier's answers say nothing (MCP 2024-11-05, basic/transports).
    pub stream: Option<Frames>,
    /// Whether the connector has a further way, [`Way::EventStream`](crate::Way::EventStream), for a server that
    /// turns this one down.
    pub has_other_way: bool,
    /// The other end as a whole. It is gone once it was stopped, and not before.
    pub peer: Arc<dyn Peer>,
}

impl fmt::Debug for Exchanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchanges").field("carrier", &self.carrier).finish_non_exhaustive()
    }
}

/// Carries exchanges to one endpoint. It reports what came back and concludes nothing from it.
///
/// Where the endpoint is, which addresses may be reached and what authorizes a request is the carrier's; which
/// message is sent when, and the headers that belong to it, are the caller's.
pub trait Carrier: Send + Sync + fmt::Debug {
    /// Sends one request and waits for the head of its answer. The carrier adds `Content-Type` to a POST and the
    /// `Accept` that belongs to the verb.
    ///
    /// Dropping the future, or the answer's body before its end, ends the exchange.
    ///
    /// # Errors
    /// [`ExchangeError`] when there is no answer.
    fn exchange(&self, exchange: Exchange) -> Exchanging<'_>;
}

/// An exchange on its way, until the head of its answer is there.
pub type Exchanging<'a> = Pin<Box<dyn Future<Output = Result<Answer, ExchangeError>> + Send + 'a>>;

/// One request to the endpoint.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// What it does.
    pub verb: Verb,
    /// The headers that belong to its message.
    pub headers: Vec<Header>,
}

/// What a request to the endpoint does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verb {
    /// Sends one message, without a line end.
    Post(Bytes),
    /// Asks for an event stream.
    Get,
    /// Ends a session.
    Delete,
}

/// A header of a message.
#[derive(Clone, PartialEq, Eq)]
pub struct Header {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Its value: visible ASCII, spaces and tabs. It may be worth hiding.
    pub value: Secret<Cow<'static, str>>,
}

impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.name, self.value)
    }
}

/// What came back.
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The kind of its body.
    pub media: Media,
    /// The session that the server opened, as it named it: `MCP-Session-Id`.
    pub session: Option<Secret<String>>,
    /// How long the server wants us to wait before we ask again, where it refuses.
    pub retry_after: Option<Duration>,
    /// What the server says about authorization, where it refuses: each value of `WWW-Authenticate`.
    pub challenges: Vec<String>,
    /// The body.
    pub body: Box<dyn Body>,
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer")
            .field("status", &self.status)
            .field("media", &self.media)
            .finish_non_exhaustive()
    }
}

/// The kind of a body: its media type without parameters, compared without regard to case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Media {
    /// `application/json`.
    Json,
    /// `text/event-stream`.
    EventStream,
    /// Another one, as the server wrote it.
    Other(String),
    /// None is named.
    Unnamed,
}

impl Media {
    /// Reads a value of `Content-Type` (RFC 9110, 8.3).
    #[must_use]
    pub fn of(content_type: Option<&str>) -> Self {
        let Some(content_type) = content_type.map(str::trim).filter(|value| !value.is_empty()) else {
            return Self::Unnamed;
        };
        let essence = content_type.split(';').next().unwrap_or_default().trim();
        if essence.eq_ignore_ascii_case("application/json") {
            Self::Json
        } else if essence.eq_ignore_ascii_case("text/event-stream") {
            Self::EventStream
        } else {
            Self::Other(content_type.to_owned())
        }
    }
}

/// A body that is still on its way.
pub trait Body: Send {
    /// The next bytes, never empty, `None` at the end. An error is the last thing that comes.
    fn poll_chunk(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, ExchangeError>>>;
}

/// An exchange came to nothing. The texts name hosts and rules and never a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The request was not made: a rule forbids it.
    #[error("{0}")]
    Blocked(Blocked),
    /// The server was not reached: no address, no connection, no agreement on encryption, a proxy that refuses.
    /// Nothing of the request has left.
    #[error("cannot reach {host}: {reason}")]
    Unreachable {
        /// The host and port that was asked for.
        host: String,
        /// What failed.
        reason: String,
    },
    /// The connection broke while the request left or the answer came.
    #[error("the connection broke: {0}")]
    Broken(String),
    /// The server sends us where we do not go.
    #[error("the server answered with status {status} and sends us to {target}, {why}")]
    Redirected {
        /// The status code.
        status: u16,
        /// Where to, made safe to show.
        target: String,
        /// Why that is not followed.
        why: &'static str,
    },
    /// The head of the answer, or its body, is longer than it may be.
    #[error("the answer's {what} has more than {limit} bytes")]
    TooLong {
        /// `head`, `body` or `event`.
        what: &'static str,
        /// The most it may have.
        limit: usize,
    },
    /// A login is needed, and what is stored does not do.
    #[error("the server asks for a login")]
    LoginNeeded {
        /// What the server says about it: the values of `WWW-Authenticate`.
        challenges: Vec<String>,
    },
    /// A login was tried for this request, and it failed.
    #[error("the login failed: {reason}")]
    LoginFailed {
        /// Why.
        reason: String,
    },
    /// The server wants scopes for this request, and no login is left to ask for them.
    #[error("missing scopes: {reason}")]
    ScopesRefused {
        /// Which, and what there is.
        reason: String,
    },
}

/// A rule that forbids a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{rule}: {host}{}", resolved(host, *address))]
pub struct Blocked {
    /// The rule, in words.
    pub rule: &'static str,
    /// The host that was to be reached.
    pub host: String,
    /// The address that is forbidden, where the rule is about one.
    pub address: Option<IpAddr>,
}

/// What a name stands for; an address that is written out is not said twice.
fn resolved(host: &str, address: Option<IpAddr>) -> String {
    let written = host.trim_matches(['[', ']']).parse().ok();
    address
        .filter(|address| written != Some(*address))
        .map(|address| format!(" is {address}"))
        .unwrap_or_default()
}
