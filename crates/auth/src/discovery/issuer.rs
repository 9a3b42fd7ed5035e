//! The metadata of an authorization server (RFC 8414, OpenID Connect Discovery).

use codewhale_mcp_redact::safe_url;
use serde::Deserialize;
use serde_json::Value;
use url::Url;

use crate::challenge::shown;
use crate::{LoginError, endpoint::endpoint};

/// What an authorization server says of itself. What is a URL was judged by [`crate::endpoint`] when it is used.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct IssuerMetadata {
    /// Its issuer, exactly as it stands there.
    pub issuer: String,
    /// Where browsers are sent.
    pub authorization_endpoint: Option<String>,
    /// Where tokens are had.
    pub token_endpoint: Option<String>,
    /// Where clients are registered (RFC 7591).
    pub registration_endpoint: Option<String>,
    /// Where tokens are revoked (RFC 7009).
    pub revocation_endpoint: Option<String>,
    /// Where devices begin (RFC 8628).
    pub device_authorization_endpoint: Option<String>,
    /// Its scopes.
    pub scopes_supported: Option<Vec<String>>,
    /// What the authorization endpoint answers.
    pub response_types_supported: Option<Vec<String>>,
    /// Ways to a token.
    pub grant_types_supported: Option<Vec<String>>,
    /// Ways to prove who began (RFC 7636).
    pub code_challenge_methods_supported: Option<Vec<String>>,
    /// Ways for a client to say who it is.
    pub token_endpoint_auth_methods_supported: Option<Vec<String>>,
    /// Whether a client id may be the URL of a document.
    #[serde(default)]
    pub client_id_metadata_document_supported: Option<bool>,
    /// Whether `iss` comes with every authorization (RFC 9207).
    #[serde(default)]
    pub authorization_response_iss_parameter_supported: Option<bool>,
    /// Algorithms for proofs of possession (RFC 9449).
    pub dpop_signing_alg_values_supported: Option<Vec<String>>,
    /// Ways of 2025-03-26, where nothing of this has to be said.
    #[serde(skip)]
    pub is_assumed: bool,
}

/// Where the metadata of an issuer may be, in the order in which they are looked for.
///
/// # Errors
/// [`LoginError::Endpoint`] when it is no URL to go to.
pub fn issuer_locations(issuer: &str) -> Result<Vec<Url>, LoginError> {
    let base = endpoint("issuer", issuer)?;
    if base.query().is_some() {
        let url = safe_url(issuer);
        return Err(LoginError::Endpoint { what: "issuer", url, reason: "has a query" });
    }
    let path = base.path();
    let path = path.strip_suffix('/').unwrap_or(path);
    let at = |path: String| {
        let mut url = base.clone();
        url.set_path(&path);
        url
    };
    let mut all = vec![
        at(format!("/.well-known/oauth-authorization-server{path}")),
        at(format!("/.well-known/openid-configuration{path}")),
    ];
    if !path.is_empty() {
        all.push(at(format!("{path}/.well-known/openid-configuration")));
    }
    Ok(all)
}

impl IssuerMetadata {
    /// Reads what was found for an issuer.
    ///
    /// # Errors
    /// [`LoginError::IssuerMismatch`] unless it is of this very issuer, letter by letter.
    pub fn read(document: Value, issuer: &str) -> Result<Self, LoginError> {
        let no = |reason: String| LoginError::IssuerMetadata { issuer: safe_url(issuer), reason };
        match document.get("issuer") {
            Some(Value::String(found)) if found == issuer => {}
            Some(Value::String(found)) => {
                return Err(LoginError::IssuerMismatch { asked: safe_url(issuer), found: safe_url(found) });
            }
            _ => return Err(no("they lack `issuer`".to_owned())),
        }
        serde_json::from_value(document).map_err(|error| no(shown(&error.to_string())))
    }

    /// The endpoints that every server of 2025-03-26 has at its origin, where nothing is said of any.
    #[must_use]
    pub fn assumed(origin: &str) -> Self {
        Self {
            issuer: origin.to_owned(),
            authorization_endpoint: Some(format!("{origin}/authorize")),
            token_endpoint: Some(format!("{origin}/token")),
            registration_endpoint: Some(format!("{origin}/register")),
            is_assumed: true,
            ..Self::default()
        }
    }

    /// Where tokens are had.
    ///
    /// # Errors
    /// [`LoginError`] when there is no such place, or none to go to.
    pub fn token_endpoint(&self) -> Result<Url, LoginError> {
        self.named("token endpoint", self.token_endpoint.as_deref())
    }

    /// Where browsers are sent, for an answer with a code and a proof of who began.
    ///
    /// # Errors
    /// [`LoginError`] when that is not offered.
    pub fn authorization_endpoint(&self) -> Result<Url, LoginError> {
        let url = self.named("authorization endpoint", self.authorization_endpoint.as_deref())?;
        if self.response_types_supported.as_ref().is_some_and(|types| !types.iter().any(|one| one == "code"))
        {
            return Err(self.offers_not("codes (response type `code`)"));
        }
        let methods = self.code_challenge_methods_supported.as_ref();
        // Nothing is said of it where all is assumed.
        if !methods.map_or(self.is_assumed, |methods| methods.iter().any(|one| one == "S256")) {
            return Err(self.offers_not("PKCE (code challenge method `S256`)"));
        }
        Ok(url)
    }

    /// A URL among these metadata.
    pub(crate) fn named(&self, what: &'static str, url: Option<&str>) -> Result<Url, LoginError> {
        endpoint(what, url.ok_or_else(|| self.offers_not(what))?)
    }

    pub(crate) fn offers_not(&self, what: &'static str) -> LoginError {
        LoginError::IssuerOffersNot { issuer: safe_url(&self.issuer), what }
    }

    /// Whether a list of these metadata holds a word.
    pub(crate) fn lists(list: Option<&Vec<String>>, word: &str) -> bool {
        list.is_some_and(|list| list.iter().any(|one| one == word))
    }
}
