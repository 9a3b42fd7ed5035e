//! What authorizes a request, as headers.

use codewhale_mcp_redact::Secret;
use http::{HeaderMap, HeaderValue, Method, header};
use url::Url;

use crate::LoginError;
use crate::flow::Tokens;
use crate::token::{Kind, Nonces};
use crate::world::World;

/// Adds a token to a request.
pub(super) fn authorize(
    tokens: &Tokens,
    method: &Method,
    url: &Url,
    nonces: &Nonces,
    world: &dyn World,
    headers: &mut HeaderMap,
) -> Result<(), LoginError> {
    let scheme = if tokens.kind == Kind::Dpop { "DPoP" } else { "Bearer" };
    headers.insert(header::AUTHORIZATION, value(scheme, &tokens.access_token)?);
    if let (Kind::Dpop, Some(key)) = (tokens.kind, &tokens.key) {
        let proof = key.proof(method.as_str(), url, Some(&tokens.access_token), nonces, world)?;
        headers.insert("dpop", proof);
    }
    Ok(())
}

fn value(scheme: &str, token: &Secret<String>) -> Result<HeaderValue, LoginError> {
    let text = format!("{scheme} {}", token.expose());
    let mut value = HeaderValue::try_from(text).map_err(|_| LoginError::TokenReply {
        issuer: "what is kept".to_owned(),
        reason: "its token cannot be sent in a header",
    })?;
    value.set_sensitive(true);
    Ok(value)
}
