//! A request as it is asked for, and an answer that is whole.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use http::header::IntoHeaderName;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use url::Url;

use crate::NetError;

/// One request.
#[derive(Clone)]
pub struct Call {
    /// What it does.
    pub method: Method,
    /// Where it goes. A user and a password in it are not sent.
    pub url: Arc<Url>,
    /// Its headers. `Host`, the length of the body and the like are added; `User-Agent` and `Accept-Encoding` where
    /// they are missing.
    pub headers: Headers,
    /// Its body. An empty one is none.
    pub body: Bytes,
    /// Which redirects it follows.
    pub redirects: Redirects,
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("method", &self.method).finish_non_exhaustive()
    }
}

impl Call {
    /// A request for a document, which follows redirects within the origin.
    #[must_use]
    pub fn get(url: Url) -> Self {
        Self { method: Method::GET, redirects: Redirects::Within, ..Self::post(url, Bytes::new()) }
    }

    /// A request that brings something, and follows no redirect.
    #[must_use]
    pub fn post(url: Url, body: Bytes) -> Self {
        let (url, headers) = (Arc::new(url), Headers::default());
        Self { method: Method::POST, url, headers, body, redirects: Redirects::Refused }
    }
}

/// Headers that many requests share. They are copied when they are changed.
#[derive(Clone, Default)]
pub struct Headers {
    map: Arc<HeaderMap>,
    /// Nothing is missing that every request has.
    pub(crate) complete: bool,
}

impl Headers {
    /// Sets a header in the place of what it was.
    pub fn insert(&mut self, name: impl IntoHeaderName, value: HeaderValue) {
        self.mutable().insert(name, value);
    }

    pub(crate) fn mutable(&mut self) -> &mut HeaderMap {
        Arc::make_mut(&mut self.map)
    }
}

impl From<HeaderMap> for Headers {
    fn from(headers: HeaderMap) -> Self {
        Self { map: Arc::new(headers), complete: false }
    }
}

impl Deref for Headers {
    type Target = HeaderMap;

    fn deref(&self) -> &HeaderMap {
        &self.map
    }
}

/// Which redirects a request follows; at most five.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redirects {
    /// 307 and 308: the same request, body and all. Within the origin, and from http to https on the same host, where
    /// consent, proxy and credentials do not follow.
    Same,
    /// 301, 302, 307 and 308, for requests without a body. Within the origin.
    Within,
    /// None.
    Refused,
}

/// A whole answer.
#[derive(Clone)]
pub struct Fetched {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Bytes,
}

impl fmt::Debug for Fetched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fetched").field("status", &self.status).finish_non_exhaustive()
    }
}

/// Fetches documents: what a login needs of the network.
#[async_trait]
pub trait Fetch: Send + Sync + fmt::Debug {
    /// Sends a request and reads its whole answer, of whatever status, up to `limit` bytes. Dropping the future ends
    /// the request.
    ///
    /// # Errors
    /// [`NetError`] when there is no answer, or too long a one.
    async fn fetch(&self, call: Call, limit: usize) -> Result<Fetched, NetError>;

    /// Whether a later request may go to `url`, as far as can be told from what is written in it.
    ///
    /// # Errors
    /// [`NetError::Refused`].
    fn judge(&self, url: &Url) -> Result<(), NetError>;

    /// The same, with a look at where its name leads now. A later request is judged anew, since that may change.
    ///
    /// # Errors
    /// [`NetError::Refused`], and what a request fails with whose host cannot be found.
    async fn judge_resolved(&self, url: &Url) -> Result<(), NetError>;
}
