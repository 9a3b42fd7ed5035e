//! Where a server is, and what every request to it carries.

use std::fmt;
use std::sync::Arc;

use codewhale_mcp_net::{Authorizer, Guard};
use codewhale_mcp_redact::{Secret, safe_url};
use url::Url;

/// A server's endpoint.
#[derive(Clone)]
pub struct Endpoint {
    /// Its URL. A user and a password in it are sent as `Authorization: Basic`, unless the headers have their own.
    pub url: Url,
    /// Headers of every request, as the server's definition names them. The protocol's own headers win over them, and
    /// an `Authorization` among them keeps the authorizer out.
    pub headers: Vec<(String, Secret<String>)>,
    /// The ways that are tried.
    pub ways: Ways,
    /// Judges where requests may go.
    pub guard: Guard,
    /// Authorizes requests.
    pub authorizer: Option<Arc<dyn Authorizer>>,
    /// The most bytes of one message on an event stream that is the whole link.
    pub message_limit: usize,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("url", &safe_url(self.url.as_str()))
            .field("ways", &self.ways)
            .finish_non_exhaustive()
    }
}

/// The ways to an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ways {
    /// Streamable HTTP, and HTTP+SSE where the caller asks for the other way.
    #[default]
    Any,
    /// Streamable HTTP alone.
    Streamable,
    /// HTTP+SSE alone.
    EventStream,
}

/// An endpoint cannot be used. The texts name headers and never their values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EndpointError {
    /// A header has a name that none can have.
    #[error("{name:?} is no name of a header")]
    HeaderName {
        /// The name.
        name: String,
    },
    /// A header has a value that none can have.
    #[error("the value of the header {name} cannot be sent")]
    HeaderValue {
        /// The header's name.
        name: String,
    },
    /// A header belongs to the connection and not to the message.
    #[error("the header {name} is not for a definition to set")]
    HeaderOfConnection {
        /// The header's name.
        name: String,
    },
}
