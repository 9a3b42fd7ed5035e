//! What answers requests: the seam under everything that is registered, and for proxies the only one.

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::Arc;

use codewhale_mcp_protocol::{ServerCapabilities, ToolHeaders};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::incoming::{Params, text};
use crate::{Context, Failure, Reply};

/// Answers requests. [`Builder::build`](crate::Builder::build) makes one of what was registered; a proxy writes its own.
///
/// It is asked for what belongs to the capabilities it names and for methods that nobody knows; what belongs to a
/// capability that it does not name is refused before. The handshake, `server/discover`, `ping`, subscriptions, log
/// levels, cancellation and tasks are not its concern.
///
/// ```
/// use codewhale_mcp_server::protocol::{Json, ListCapability, ServerCapabilities, method};
/// use codewhale_mcp_server::{Context, Failure, Handler, Handling, Reply, Request, Server};
///
/// struct Proxy;
///
/// impl Handler for Proxy {
///     fn capabilities(&self) -> ServerCapabilities {
///         ServerCapabilities { tools: Some(ListCapability::default()), ..ServerCapabilities::default() }
///     }
///
///     fn handle(&self, request: &Request<'_>, _: Context) -> Handling {
///         match request.method() {
///             method::TOOLS_LIST | method::TOOLS_CALL => {
///                 let (method, params) = (request.method().to_owned(), request.params().map(ToOwned::to_owned));
///                 Handling::later(async move { Ok(Reply::Json(ask_another(&method, params).await?)) })
///             }
///             other => Handling::refused(Failure::method_not_found(other)),
///         }
///     }
/// }
///
/// async fn ask_another(_method: &str, _params: Option<String>) -> Result<Json, Failure> {
///     Ok(Json::from_text(r#"{"content":[]}"#)?)
/// }
///
/// let server = Server::builder("proxy", "1.0.0").build_with(Proxy);
/// assert!(server.capabilities().tools.is_some());
/// ```
pub trait Handler: Send + Sync + 'static {
    /// What the server offers. Asked once.
    fn capabilities(&self) -> ServerCapabilities;

    /// Begins to answer a request. What it needs of the request it takes before it returns.
    ///
    /// This runs where messages are read, so it must not block, nor compute for long before the first `await`.
    fn handle(&self, request: &Request<'_>, context: Context) -> Handling;

    /// The arguments of a tool that stand in HTTP headers too; `None` if there is no such tool or it has none.
    fn tool_headers(&self, tool: &str) -> Option<Arc<ToolHeaders>> {
        let _ = tool;
        None
    }
}

/// A request, as a handler sees it. It borrows the text.
#[derive(Debug)]
pub struct Request<'a> {
    pub(crate) method: &'a str,
    pub(crate) fields: &'a Params<'a>,
}

/// How a request is being answered.
#[non_exhaustive]
pub enum Handling {
    /// It is.
    Ready(Result<Reply, Failure>),
    /// By this future, which is dropped when nobody wants the answer any more.
    Later(Pin<Box<dyn Future<Output = Result<Reply, Failure>> + Send>>),
}

impl Handling {
    /// Answered by a future.
    pub fn later<F: Future<Output = Result<Reply, Failure>> + Send + 'static>(future: F) -> Self {
        Self::Later(Box::pin(future))
    }

    /// Refused.
    pub fn refused(failure: Failure) -> Self {
        Self::Ready(Err(failure))
    }
}

impl<'a> Request<'a> {
    /// What is wanted.
    #[must_use]
    pub fn method(&self) -> &'a str {
        self.method
    }

    /// With what, as it came: an object.
    #[must_use]
    pub fn params(&self) -> Option<&'a str> {
        self.fields.raw
    }

    /// The params as a type.
    ///
    /// # Errors
    /// When they do not have its form (`-32602`).
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        let params = self.params().unwrap_or("{}");
        serde_json::from_str(params).map_err(|error| Failure::invalid_params(error.to_string()))
    }

    /// The name of the tool or prompt.
    ///
    /// # Errors
    /// When it is missing or no string (`-32602`).
    pub fn name(&self) -> Result<Cow<'a, str>, Failure> {
        text(self.fields.name).ok_or_else(|| Failure::invalid_params("name has to be a string"))
    }

    /// The address of the resource.
    ///
    /// # Errors
    /// When it is missing or no string (`-32602`).
    pub fn uri(&self) -> Result<Cow<'a, str>, Failure> {
        text(self.fields.uri).ok_or_else(|| Failure::invalid_params("uri has to be a string"))
    }

    /// The arguments, as they came.
    #[must_use]
    pub fn arguments(&self) -> Option<&'a RawValue> {
        self.fields.arguments
    }
}
