//! The metadata of a protected resource (RFC 9728).

use codewhale_mcp_redact::safe_url;
use serde::Deserialize;
use serde_json::Value;
use url::Url;

use crate::challenge::shown;
use crate::resource::{canonical, covers};
use crate::{LoginError, endpoint::endpoint};

const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// What a server says of itself as a protected resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceMetadata {
    /// Its name for itself, exactly as it stands there.
    pub resource: String,
    /// The issuers that authorize for it, exactly as they stand there; may be empty.
    pub authorization_servers: Vec<String>,
    /// Its scopes.
    pub scopes_supported: Option<Vec<String>>,
    /// Whether its tokens have to be bound to a key (RFC 9449).
    pub dpop_bound_access_tokens_required: bool,
}

/// Where a server's metadata may be, in the order in which they are looked for: where its challenge says, below the
/// well-known path for its own path, and for its origin (RFC 9728, section 3.1).
///
/// # Errors
/// [`LoginError::Endpoint`] when the challenge names no place to go to.
pub fn resource_locations(server: &Url, told: Option<&str>) -> Result<Vec<Url>, LoginError> {
    let mut all = Vec::new();
    if let Some(told) = told {
        // A server that is spoken to without encryption may say so of its metadata.
        let own = Url::parse(told).ok().filter(|url| url.origin() == server.origin());
        all.push(match own {
            Some(url) => url,
            None => endpoint("URL of the server's metadata", told)?,
        });
    }
    let mut at = server.clone();
    // A URL that has a host can do without both.
    let _ = at.set_username("");
    let _ = at.set_password(None);
    at.set_fragment(None);
    let path = server.path();
    let path = path.strip_suffix('/').unwrap_or(path);
    at.set_path(&format!("{WELL_KNOWN}{path}"));
    let mut root = at.clone();
    root.set_path(WELL_KNOWN);
    root.set_query(None);
    for url in [at, root] {
        if !all.contains(&url) {
            all.push(url);
        }
    }
    Ok(all)
}

#[derive(Deserialize)]
struct Raw {
    resource: Option<String>,
    authorization_servers: Option<Vec<String>>,
    scopes_supported: Option<Vec<String>>,
    dpop_bound_access_tokens_required: Option<bool>,
}

impl ResourceMetadata {
    /// Reads what was found at `url`, for a server.
    ///
    /// # Errors
    /// [`LoginError::ServerMetadata`] when it does not say what it is about, [`LoginError::ServerResource`] when that
    /// is something else than the server.
    pub fn read(document: Value, url: &Url, server: &Url) -> Result<Self, LoginError> {
        let no = |reason: String| LoginError::ServerMetadata { url: safe_url(url.as_str()), reason };
        let raw: Raw = serde_json::from_value(document).map_err(|error| no(shown(&error.to_string())))?;
        let resource = raw.resource.ok_or_else(|| no("they lack `resource`".to_owned()))?;
        if !covers(&resource, server) {
            return Err(LoginError::ServerResource {
                found: safe_url(&resource),
                server: safe_url(&canonical(server)),
            });
        }
        Ok(Self {
            resource,
            authorization_servers: raw.authorization_servers.unwrap_or_default(),
            scopes_supported: raw.scopes_supported,
            dpop_bound_access_tokens_required: raw.dpop_bound_access_tokens_required.unwrap_or(false),
        })
    }
}
