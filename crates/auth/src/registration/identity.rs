//! Which client we are.

use codewhale_mcp_redact::safe_url;
use url::Url;

use super::{AuthMethod, Client, Preset, Source};
use crate::LoginError;
use crate::discovery::IssuerMetadata;

/// What we are called.
#[derive(Debug, Clone)]
pub struct Names {
    /// Our name, as people are shown it.
    pub client_name: String,
    /// The client that is configured.
    pub preset: Option<Preset>,
    /// The URL of the document about us (OAuth Client ID Metadata Document).
    pub client_document: Option<String>,
}

/// Which client we are to an authorization server.
#[derive(Debug, Clone)]
pub enum Identity {
    /// This one.
    Known(Client),
    /// One that is registered, or will be.
    Registered,
}

/// Picks the client to be.
///
/// # Errors
/// [`LoginError::ForeignClient`] when the one that is configured is another issuer's, [`LoginError::NoClient`] when
/// there is none and none can be had.
pub fn identify(names: &Names, issuer: &IssuerMetadata) -> Result<Identity, LoginError> {
    if let Some(preset) = &names.preset {
        return match &preset.issuer {
            Some(configured) if *configured != issuer.issuer => Err(LoginError::ForeignClient {
                configured: safe_url(configured),
                issuer: safe_url(&issuer.issuer),
            }),
            _ => Ok(Identity::Known(preset.into())),
        };
    }
    let methods = issuer.token_endpoint_auth_methods_supported.as_ref();
    let knows_documents = issuer.client_id_metadata_document_supported == Some(true)
        && methods.is_none_or(|methods| methods.iter().any(|one| one == "none"));
    match &names.client_document {
        Some(document) if knows_documents && is_client_id(document) => Ok(Identity::Known(Client {
            id: document.clone(),
            secret: None,
            key: None,
            audience: None,
            method: Some(AuthMethod::None),
            source: Source::Document,
        })),
        _ if issuer.registration_endpoint.is_some() => Ok(Identity::Registered),
        _ => Err(LoginError::NoClient { issuer: safe_url(&issuer.issuer) }),
    }
}

/// Whether the URL of a document can be a client id: `https`, with a path, and without user, fragment and dots in it.
fn is_client_id(text: &str) -> bool {
    let Ok(url) = Url::parse(text) else { return false };
    url.scheme() == "https"
        && url.path() != "/"
        && url.username().is_empty()
        && url.password().is_none()
        && url.fragment().is_none()
        // A parser that changes it would take dots out.
        && url.as_str() == text
}
