//! What can be chosen of a server behind a URL.

use std::sync::Arc;
use std::time::Duration;

use super::authorize::Authorize;
use super::protected::ProtectedResource;

/// How a server is reached over HTTP. What is not chosen is as a server of this machine alone needs it.
///
/// ```
/// use codewhale_mcp_server::http::{Hosts, Options};
///
/// let mut options = Options::default();
/// options.hosts = Hosts::Listed(vec!["mcp.example".into()]);
/// options.limits.body = 1 << 20;
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The path of the endpoint, beginning with a slash.
    pub path: String,
    /// The names that this server is asked by.
    pub hosts: Hosts,
    /// Web pages that may ask it, each as its origin, such as `https://app.example`. Pages of this machine may too where
    /// [`Hosts::Loopback`] holds. Requests of programs come without an origin and are not concerned.
    pub origins: Vec<String>,
    /// Whether clients of the legacy era are served too, in sessions.
    pub legacy: Legacy,
    /// How much of everything.
    pub limits: Limits,
    /// How long everything may take.
    pub times: Times,
    /// Who may ask, if not everybody.
    pub authorize: Option<Authorization>,
}

/// The names that a server is asked by (`Host`). A page that made its own name stand for our address (DNS rebinding) asks by
/// that name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hosts {
    /// Those of this machine: `localhost`, `127.0.0.1` and `[::1]`, with any port.
    #[default]
    Loopback,
    /// These, with any port or, where one is named (`mcp.example:8443`), with just that one.
    Listed(Vec<String>),
    /// Any: something before this server looks at them.
    Any,
}

/// Whether clients of the legacy era are served.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Legacy {
    /// They are, each in a session of its own.
    #[default]
    Sessions,
    /// They are told that only the modern era is spoken.
    Refused,
}

/// How much of everything there may be at one time.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of a request's body; more is a 413.
    pub body: usize,
    /// Bytes that have come of all bodies that are being read, without the first 64 KiB of each; more is a 503.
    pub bodies: usize,
    /// Bytes of a request's head; more is a 431.
    pub head: usize,
    /// Headers of a request; more is a 431.
    pub headers: usize,
    /// Connections; more wait to be accepted.
    pub connections: usize,
    /// Requests that are worked on; more is a 503.
    pub in_flight: usize,
    /// Requests of one session that are worked on; more is a 429. A batch counts as all its messages.
    pub in_flight_of_session: usize,
    /// Streams of changes (`subscriptions/listen`); more is a 503.
    pub listens: usize,
    /// Sessions; more is a 503.
    pub sessions: usize,
    /// Events of a stream that are kept for a client that comes back (legacy).
    pub kept_events: usize,
    /// Bytes of those, and of what a slow reader has not taken yet before whoever says more has to wait.
    pub kept_bytes: usize,
    /// Streams of a session that have come to their end and are kept for a client that comes back.
    pub kept_streams: usize,
}

/// How long everything may take.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Times {
    /// The head of a request, from the beginning of the connection or the end of the answer before: a connection that is
    /// silent for so long is closed. Proxies that keep connections have to let go of them earlier.
    pub head: Duration,
    /// The body of a request; one of which nothing more comes for ten seconds is given up before.
    pub body: Duration,
    /// How long an answer is waited for before its head goes out as that of a stream, so that nothing on the way takes
    /// the silence for the end.
    pub patience: Duration,
    /// How long a stream is silent before a comment shows that it is alive.
    pub keep_alive: Duration,
    /// How long a reader may take nothing before its connection is closed.
    pub stall: Duration,
    /// How long a session is kept that nobody uses.
    pub idle_session: Duration,
    /// How long one is kept whose client has not even said that it is ready. The oldest such one makes way for another
    /// session where there is no room.
    pub opening_session: Duration,
    /// When a client whose stream has ended should come back.
    pub retry: Duration,
    /// How long requests may go on after the server was told to stop.
    pub drain: Duration,
}

/// Who may ask, and where a client reads how to become one of them.
#[derive(Clone)]
pub struct Authorization {
    /// Judges tokens.
    pub judge: Arc<dyn Authorize>,
    /// The protected resource metadata (RFC 9728), whose address goes into every challenge.
    pub resource_metadata: Option<ResourceMetadata>,
}

/// Where the protected resource metadata are.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResourceMetadata {
    /// Something else serves them, at this address.
    At(String),
    /// They are served here, beside the endpoint.
    Served(ProtectedResource),
}

impl ResourceMetadata {
    pub(super) fn address(&self) -> &str {
        match self {
            Self::At(address) => address,
            Self::Served(resource) => resource.address(),
        }
    }
}

impl Options {
    /// What is served beside the endpoint.
    pub(super) fn served_resource(&self) -> Option<&ProtectedResource> {
        match self.authorize.as_ref()?.resource_metadata.as_ref()? {
            ResourceMetadata::Served(resource) => Some(resource),
            ResourceMetadata::At(_) => None,
        }
    }
}

impl std::fmt::Debug for Authorization {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authorization")
            .field("resource_metadata", &self.resource_metadata)
            .finish_non_exhaustive()
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            path: "/mcp".to_owned(),
            hosts: Hosts::default(),
            origins: Vec::new(),
            legacy: Legacy::default(),
            limits: Limits::default(),
            times: Times::default(),
            authorize: None,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 4 << 20,
            bodies: 64 << 20,
            head: 64 << 10,
            headers: 128,
            connections: 4096,
            in_flight: 1024,
            in_flight_of_session: 64,
            listens: 1024,
            sessions: 1024,
            kept_events: 256,
            kept_bytes: 256 << 10,
            kept_streams: 8,
        }
    }
}

impl Default for Times {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(75),
            body: Duration::from_secs(30),
            patience: Duration::from_secs(10),
            keep_alive: Duration::from_secs(15),
            stall: Duration::from_secs(60),
            idle_session: Duration::from_secs(30 * 60),
            opening_session: Duration::from_secs(30),
            retry: Duration::from_secs(1),
            drain: Duration::from_secs(10),
        }
    }
}
