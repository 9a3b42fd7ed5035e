//! Who we are, said at the token endpoint (RFC 6749, section 2.3).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use codewhale_mcp_redact::Secret;
use http::{HeaderMap, HeaderValue, header};
use url::form_urlencoded::byte_serialize;

use super::assertion::assertion;
use super::exchange::Form;
use crate::LoginError;
use crate::discovery::IssuerMetadata;
use crate::registration::{AuthMethod, Client, Source};
use crate::world::World;

const JWT_BEARER: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// How a client says who it is, and whether that was guessed.
pub(super) fn method(client: &Client, issuer: &IssuerMetadata) -> (AuthMethod, bool) {
    if let Some(method) = client.method {
        return (method, false);
    }
    let listed = issuer.token_endpoint_auth_methods_supported.as_ref();
    let lists = |method: AuthMethod| IssuerMetadata::lists(listed, method.as_str());
    match (&client.key, &client.secret) {
        (Some(_), _) => (AuthMethod::PrivateKeyJwt, false),
        (None, None) => (AuthMethod::None, false),
        (None, Some(_)) if lists(AuthMethod::Post) && !lists(AuthMethod::Basic) => (AuthMethod::Post, false),
        // RFC 8414, section 2: the default.
        (None, Some(_)) => (AuthMethod::Basic, true),
    }
}

/// What is tried once when a server does not know us by what we said. A guess may have been wrong; where the method was
/// agreed on, some servers look for the id in the form all the same.
pub(super) const fn other(method: AuthMethod, guessed: bool) -> Option<AuthMethod> {
    match (method, guessed) {
        (AuthMethod::Basic, true) => Some(AuthMethod::Post),
        (AuthMethod::Basic, false) => Some(AuthMethod::BasicAndId),
        _ => None,
    }
}

/// How a client says who it is.
pub(crate) fn method_of(client: &Client, issuer: &IssuerMetadata) -> AuthMethod {
    method(client, issuer).0
}

/// Adds who we are to a request, in exactly one way.
pub(crate) fn say_who(
    client: &Client,
    method: AuthMethod,
    issuer: &str,
    form: &mut Form,
    headers: &mut HeaderMap,
    world: &dyn World,
) -> Result<(), LoginError> {
    let lacks =
        |what: &str| LoginError::Client { reason: format!("it has no {what} for {}", method.as_str()) };
    match method {
        AuthMethod::None if client.source == Source::Nowhere => {}
        AuthMethod::None => *form = std::mem::take(form).with("client_id", &client.id),
        AuthMethod::Basic | AuthMethod::BasicAndId => {
            if method == AuthMethod::BasicAndId {
                *form = std::mem::take(form).with("client_id", &client.id);
            }
            let secret = client.secret.as_ref().ok_or_else(|| lacks("secret"))?;
            headers.insert(header::AUTHORIZATION, basic(&client.id, secret));
        }
        AuthMethod::Post => {
            let secret = client.secret.as_ref().ok_or_else(|| lacks("secret"))?;
            *form = std::mem::take(form).with("client_id", &client.id);
            form.add("client_secret", secret.clone());
        }
        AuthMethod::PrivateKeyJwt => {
            let key = client.key.as_ref().ok_or_else(|| lacks("key"))?;
            *form = std::mem::take(form).with("client_assertion_type", JWT_BEARER);
            let audience = client.audience.as_deref().unwrap_or(issuer);
            form.add("client_assertion", assertion(key, &client.id, audience, world)?);
        }
    }
    Ok(())
}

/// Both parts are form-encoded first (RFC 6749, section 2.3.1).
fn basic(id: &str, secret: &Secret<String>) -> HeaderValue {
    let encode = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    let pair = format!("{}:{}", encode(id), encode(secret.expose()));
    let mut value =
        HeaderValue::try_from(format!("Basic {}", STANDARD.encode(pair))).expect("base64 is visible ASCII");
    value.set_sensitive(true);
    value
}
