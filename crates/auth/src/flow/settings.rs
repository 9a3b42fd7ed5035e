//! What a login is told.

use std::fmt;
use std::sync::Arc;

use codewhale_mcp_redact::safe_url;
use url::Url;

use super::{Grant, Scopes};
use crate::LoginError;
use crate::challenge::Demand;
use crate::credentials::Key;
use crate::discovery::{Fallback, Found, IssuerMetadata};
use crate::registration::Names;
use crate::resource::canonical;
use crate::token::ProofKey;

/// Whether tokens are bound to a key (RFC 9449).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Binding {
    /// Where the server asks for it.
    #[default]
    WhereAsked,
    /// Where the authorization server can do it.
    WhereOffered,
    /// Never.
    Never,
}

/// What a login to one server is told.
#[derive(Clone)]
#[non_exhaustive]
pub struct Settings {
    /// The name of the server in the configuration.
    pub name: String,
    /// Its URL.
    pub server: Url,
    /// Who we are.
    pub names: Names,
    /// The way to a token.
    pub grant: Grant,
    /// The scopes to ask for, in the place of those that the server names.
    pub scopes: Option<Scopes>,
    /// What tokens are asked for, in the place of what the server names.
    pub resource: Option<String>,
    /// Whether tokens are bound to a key.
    pub binding: Binding,
    /// Whether a server without metadata may be one of 2025-03-26.
    pub fallback: Fallback,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("name", &self.name)
            .field("server", &safe_url(self.server.as_str()))
            .field("grant", &self.grant)
            .finish_non_exhaustive()
    }
}

impl Settings {
    /// A login by browser, told no more than it has to be.
    #[must_use]
    pub fn new(name: &str, server: Url, client_name: &str) -> Self {
        Self {
            name: name.to_owned(),
            server,
            names: Names { client_name: client_name.to_owned(), preset: None, client_document: None },
            grant: Grant::Code,
            scopes: None,
            resource: None,
            binding: Binding::default(),
            fallback: Fallback::default(),
        }
    }

    /// What the server's credentials are found by.
    #[must_use]
    pub fn key(&self) -> Key {
        Key::Server { name: self.name.clone(), url: self.url() }
    }

    /// The server's URL as it is shown and as tokens are found by it.
    #[must_use]
    pub fn url(&self) -> String {
        let mut url = self.server.clone();
        // A URL that has a host can do without both.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        url.set_fragment(None);
        if url.query().is_some() { url.into() } else { canonical(&url) }
    }
}

/// A new key for the tokens of a login, where they are bound to one.
pub(super) fn proof_key(
    settings: &Settings,
    demand: &Demand,
    found: &Found,
) -> Result<Option<Arc<ProofKey>>, LoginError> {
    let algorithms = found.issuer.dpop_signing_alg_values_supported.as_ref();
    let offered = IssuerMetadata::lists(algorithms, "ES256");
    let asked = found.is_bound || demand.is_bound;
    match settings.binding {
        Binding::Never => Ok(None),
        Binding::WhereOffered if offered => Ok(Some(Arc::new(ProofKey::generate()))),
        Binding::WhereAsked | Binding::WhereOffered if asked => {
            if algorithms.is_some() && !offered {
                return Err(found.issuer.offers_not("proofs of possession with ES256"));
            }
            Ok(Some(Arc::new(ProofKey::generate())))
        }
        Binding::WhereAsked | Binding::WhereOffered => Ok(None),
    }
}
