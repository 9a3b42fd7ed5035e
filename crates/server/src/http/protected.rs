//! What clients are told of this server as a resource that needs authorization (RFC 9728).

use codewhale_mcp_protocol::Json;
use http::header::CACHE_CONTROL;
use http::{HeaderValue, Method, Response, StatusCode, Uri};
use serde::Serialize;

use super::body::Body;
use super::refusal::{Refusal, json};

/// Where these documents stand (RFC 9728, section 3).
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";
/// What clients ask for by themselves, and nobody names for them (MCP 2026-07-28, basic/authorization).
const OFFLINE: &str = "offline_access";

/// What clients are told of this server as a resource that needs authorization: who gives out tokens for it (RFC 9728,
/// section 2). It is served beside the endpoint, without a token, and its address stands in every challenge.
///
/// ```
/// use codewhale_mcp_server::http::ProtectedResource;
///
/// let resource = ProtectedResource::new("https://mcp.example/mcp", ["https://login.example"])?.scopes(["files:read"]);
/// assert_eq!(resource.address(), "https://mcp.example/.well-known/oauth-protected-resource/mcp");
/// # Ok::<(), codewhale_mcp_server::http::NoResource>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtectedResource {
    document: Document,
    address: String,
    path: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Document {
    resource: String,
    authorization_servers: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scopes_supported: Vec<String>,
    bearer_methods_supported: [&'static str; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_documentation: Option<String>,
}

/// This is no resource that tokens can be had for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoResource {
    /// An address cannot be used.
    #[error("{url:?} is no address of https, or of http on this machine, without user, query and fragment")]
    Address {
        /// The address.
        url: String,
    },
    /// Nobody gives out tokens.
    #[error("no authorization server is named")]
    NoAuthorizationServer,
}

impl ProtectedResource {
    /// A resource, by the URL that clients know the endpoint by, and the issuers of its tokens.
    ///
    /// # Errors
    /// When one of them is no URL that can stand for it, or there is no issuer.
    pub fn new<S: Into<String>>(
        resource: impl Into<String>,
        authorization_servers: impl IntoIterator<Item = S>,
    ) -> Result<Self, NoResource> {
        let resource = resource.into();
        let (origin, path) = parts(&resource)?;
        let authorization_servers: Vec<String> = authorization_servers.into_iter().map(Into::into).collect();
        if authorization_servers.is_empty() {
            return Err(NoResource::NoAuthorizationServer);
        }
        for issuer in &authorization_servers {
            parts(issuer)?;
        }
        let path = format!("{WELL_KNOWN}{}", if path == "/" { "" } else { &path });
        Ok(Self {
            address: format!("{origin}{path}"),
            path,
            document: Document {
                resource,
                authorization_servers,
                scopes_supported: Vec::new(),
                bearer_methods_supported: ["header"],
                resource_name: None,
                resource_documentation: None,
            },
        })
    }

    /// The scopes that a client may ask for. `offline_access` is left out: that is between a client and an issuer.
    #[must_use]
    pub fn scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        let scopes = scopes.into_iter().map(Into::into);
        self.document.scopes_supported = scopes.filter(|scope| scope != OFFLINE).collect();
        self
    }

    /// A name for people.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.document.resource_name = Some(name.into());
        self
    }

    /// Where developers read about it.
    #[must_use]
    pub fn documentation(mut self, url: impl Into<String>) -> Self {
        self.document.resource_documentation = Some(url.into());
        self
    }

    /// The address that this is served at.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The path of that address.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What a request for it is told.
    pub(super) fn answer(&self, method: &Method) -> Response<Body> {
        if !matches!(*method, Method::GET | Method::HEAD) {
            return Refusal::method("GET, HEAD").answer(None);
        }
        let text = Json::encode(&self.document).expect("texts have a JSON form");
        let mut response = json(StatusCode::OK, text.as_str().into());
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("max-age=300"));
        response
    }
}

/// Origin and path of an address.
fn parts(url: &str) -> Result<(String, String), NoResource> {
    let fault = || NoResource::Address { url: url.to_owned() };
    let uri: Uri = url.parse().map_err(|_| fault())?;
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return Err(fault()) };
    let of_this_machine = matches!(authority.host(), "localhost" | "127.0.0.1" | "[::1]");
    let plain = !url.contains(['#', '?']) && !authority.as_str().contains('@');
    if !plain || !(scheme == "https" || (scheme == "http" && of_this_machine)) {
        return Err(fault());
    }
    Ok((format!("{scheme}://{authority}"), uri.path().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_stands_between_host_and_path() {
        for (resource, address) in [
            ("https://a.test", "https://a.test/.well-known/oauth-protected-resource"),
            ("https://a.test/", "https://a.test/.well-known/oauth-protected-resource"),
            ("https://a.test:8443/x/mcp", "https://a.test:8443/.well-known/oauth-protected-resource/x/mcp"),
            ("http://localhost:80/mcp", "http://localhost:80/.well-known/oauth-protected-resource/mcp"),
        ] {
            let made = ProtectedResource::new(resource, ["https://issuer.test"]).unwrap();
            assert_eq!(made.address(), address);
            assert!(address.ends_with(made.path()));
        }
    }

    #[test]
    fn what_no_client_would_take_is_refused() {
        for url in [
            "",
            "mcp",
            "/mcp",
            "http://a.test/mcp",
            "ftp://a.test",
            "https://u@a.test/",
            "https://a.test/?q",
            "https://a.test/#f",
            "https://",
        ] {
            let fault = NoResource::Address { url: url.to_owned() };
            assert_eq!(ProtectedResource::new(url, ["https://issuer.test"]), Err(fault.clone()));
            assert_eq!(ProtectedResource::new("https://a.test", [url]), Err(fault));
        }
        let none = ProtectedResource::new("https://a.test", [""; 0]);
        assert_eq!(none, Err(NoResource::NoAuthorizationServer));
    }
}
