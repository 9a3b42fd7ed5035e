//! The seam between requests and login.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use async_trait::async_trait;
use http::{HeaderMap, Method, StatusCode};
use url::Url;

use crate::NetError;

/// Authorizes the requests to one server.
///
/// The engine asks before each request and shows every answer, redirects within the origin too. It repeats a request,
/// body and all, at most once for a token and once for a nonce.
#[async_trait]
pub trait Authorizer: Send + Sync + fmt::Debug {
    /// Adds what authorizes the request (`Authorization`, `DPoP`) to its headers, and says what that was.
    ///
    /// # Errors
    /// When the request cannot be authorized; it is not sent then.
    async fn prepare(&self, method: &Method, url: &Url, headers: &mut HeaderMap) -> Result<Sent, NetError>;

    /// Looks at an answer to a request that went out with these credentials; a good one too, since a nonce may come with
    /// it.
    async fn received(&self, sent: Sent, url: &Url, status: StatusCode, headers: &HeaderMap) -> Verdict;
}

/// Which credentials a request went out with, as its authorizer counts them. Others may have taken their place by the
/// time of its answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Sent(pub u64);

/// What becomes of an answer.
pub enum Verdict {
    /// It is the answer, whatever its status.
    Done,
    /// The same request is to be sent again.
    Retry(Because),
    /// A person is asked; the verdict comes when they are done. The time until then is theirs.
    Wait(Pin<Box<dyn Future<Output = Verdict> + Send>>),
    /// Nothing that is stored does.
    NeedsLogin {
        /// The values of `WWW-Authenticate`.
        challenges: Vec<String>,
    },
    /// A login was tried, and it failed.
    Failed(NetError),
}

impl fmt::Debug for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done => f.write_str("Done"),
            Self::Retry(because) => f.debug_tuple("Retry").field(because).finish(),
            Self::Wait(_) => f.write_str("Wait"),
            Self::NeedsLogin { .. } => f.write_str("NeedsLogin"),
            Self::Failed(error) => f.debug_tuple("Failed").field(error).finish(),
        }
    }
}

/// Why a request is sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Because {
    /// There is another token.
    Token,
    /// The server named a nonce (RFC 9449, section 8 and 9).
    Nonce,
}
