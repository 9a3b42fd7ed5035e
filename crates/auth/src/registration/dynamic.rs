//! Dynamic registration (RFC 7591).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use codewhale_mcp_net::{Call, Fetched, Nearness, Origin};
use codewhale_mcp_redact::{Secret, safe_url};
use http::{HeaderValue, header};
use serde_json::{Value, json};
use url::Url;

use super::{AuthMethod, Client, Names, Source};
use crate::LoginError;
use crate::challenge::shown;
use crate::discovery::IssuerMetadata;
use crate::flow::Scopes;
use crate::object::{self, Flaw};

/// A registration with an authorization server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// Our id.
    pub client_id: String,
    /// Our secret.
    pub client_secret: Option<Secret<String>>,
    /// When the secret stops to be good.
    pub secret_expires_at: Option<SystemTime>,
    /// How we say who we are.
    pub method: Option<AuthMethod>,
    /// The redirect URIs that we are registered with.
    pub redirect_uris: Vec<String>,
    /// The scopes that we asked to be registered with, and those that we are; `None` where nothing was said of any.
    pub scopes: Option<Scopes>,
}

impl Registration {
    /// Whether it still counts.
    #[must_use]
    pub fn is_good(&self, now: SystemTime) -> bool {
        self.secret_expires_at.is_none_or(|end| now < end)
    }

    /// Whether these scopes may be asked for: a client that is registered with some may ask for no others.
    #[must_use]
    pub fn covers(&self, scopes: &Scopes) -> bool {
        self.scopes.as_ref().is_none_or(|ours| ours.union(scopes) == *ours)
    }
}

impl From<Registration> for Client {
    fn from(registration: Registration) -> Self {
        Self {
            id: registration.client_id,
            secret: registration.client_secret,
            key: None,
            audience: None,
            method: registration.method,
            source: Source::Registered,
        }
    }
}

/// Asks to be registered: for a browser that comes back to `redirect_uri`, or for a device.
///
/// # Errors
/// [`LoginError::Endpoint`] when there is no place to ask.
pub fn registration_call(
    names: &Names,
    issuer: &IssuerMetadata,
    redirect_uri: Option<&str>,
    scope: Option<&str>,
) -> Result<Call, LoginError> {
    let url = issuer.named("registration endpoint", issuer.registration_endpoint.as_deref())?;
    let mut body = json!({
        "client_name": names.client_name,
        "token_endpoint_auth_method": wanted_method(issuer).as_str(),
        "application_type": redirect_uri.map_or("native", application_type),
    });
    match redirect_uri {
        Some(uri) => {
            body["redirect_uris"] = json!([uri]);
            body["grant_types"] = json!(["authorization_code", "refresh_token"]);
            body["response_types"] = json!(["code"]);
        }
        None => {
            body["grant_types"] = json!(["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"])
        }
    }
    if let Some(scope) = scope {
        body["scope"] = Value::String(scope.to_owned());
    }
    let mut call = Call::post(url, Bytes::from(body.to_string()));
    call.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    call.headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
    Ok(call)
}

/// Reads what came of it; `redirect_uri` and `scope` are what was asked with.
///
/// # Errors
/// [`LoginError::IssuerRegistersNot`], with what the server said.
pub fn registered(
    issuer: &str,
    redirect_uri: Option<&str>,
    scope: Option<&str>,
    answer: &Fetched,
) -> Result<Registration, LoginError> {
    let no = |reason: String| LoginError::IssuerRegistersNot { issuer: safe_url(issuer), reason };
    let body = match object::read(&answer.body) {
        Ok(members) => Some(members),
        Err(Flaw::NoObject) => None,
        Err(Flaw::Twice) => return Err(no("a member of the answer is there twice".to_owned())),
    };
    let text = |name: &str| body.as_ref().and_then(|body| body.get(name)?.as_str());
    if !answer.status.is_success() || text("error").is_some() {
        let status = format!("status {}", answer.status.as_u16());
        return Err(no(match (text("error"), text("error_description")) {
            (Some(error), Some(description)) => format!("{} ({})", shown(error), shown(description)),
            (Some(error), None) => shown(error),
            _ => status,
        }));
    }
    let id = text("client_id").filter(|id| !id.is_empty());
    let client_id = id.ok_or_else(|| no("the answer names no client id".to_owned()))?.to_owned();
    let uris = body.as_ref().and_then(|body| body.get("redirect_uris")?.as_array());
    let mut redirect_uris: Vec<String> =
        uris.into_iter().flatten().filter_map(|uri| uri.as_str().map(str::to_owned)).collect();
    if redirect_uris.is_empty() {
        redirect_uris.extend(redirect_uri.map(str::to_owned));
    }
    // Not every server writes a number.
    let expires = body.as_ref().and_then(|body| body.get("client_secret_expires_at")?.as_u64());
    let method = match text("token_endpoint_auth_method") {
        None => None,
        Some(method) => {
            let known = AuthMethod::of(method);
            Some(
                known
                    .ok_or_else(|| no("we are to say who we are in a way that we do not know".to_owned()))?,
            )
        }
    };
    Ok(Registration {
        client_id,
        client_secret: text("client_secret").map(|secret| Secret::new(secret.to_owned())),
        secret_expires_at: expires.filter(|end| *end > 0).map(|end| UNIX_EPOCH + Duration::from_secs(end)),
        method,
        redirect_uris,
        scopes: match (scope.map(Scopes::read), text("scope").map(Scopes::read)) {
            (Some(sent), Some(given)) => Some(sent.union(&given)),
            (sent, given) => sent.or(given),
        },
    })
}

/// Whether an answer minds what we said of ourselves, of which the scopes are the part that we can do without: they are
/// the resource's, and not every authorization server knows those of all resources beforehand.
pub(crate) fn minds_scopes(answer: &Fetched) -> bool {
    let body = object::read(&answer.body).ok();
    let error = body.as_ref().and_then(|body| body.get("error")?.as_str());
    matches!(error, Some("invalid_client_metadata" | "invalid_scope"))
}

/// The way in which we would rather say who we are: a program on somebody's machine keeps no secret from them. Where there
/// has to be one, the server's first is the one that it has tried.
fn wanted_method(issuer: &IssuerMetadata) -> AuthMethod {
    let listed = issuer.token_endpoint_auth_methods_supported.as_deref().unwrap_or_default();
    let mut known = listed.iter().filter_map(|method| AuthMethod::of(method));
    let with_secret = known.clone().find(|method| matches!(method, AuthMethod::Basic | AuthMethod::Post));
    match known.any(|method| method == AuthMethod::None) {
        true => AuthMethod::None,
        false => with_secret.unwrap_or(AuthMethod::None),
    }
}

/// `native` for what comes back to this machine or to a scheme of its own, `web` for the rest (OpenID Connect Dynamic
/// Client Registration, section 2).
fn application_type(redirect_uri: &str) -> &'static str {
    let elsewhere = |url: Url| Origin::of(&url).is_ok_and(|origin| origin.nearness() == Nearness::Elsewhere);
    if Url::parse(redirect_uri).is_ok_and(elsewhere) { "web" } else { "native" }
}
