//! Who a client is, signed by it (RFC 7523, section 2.2).

use codewhale_mcp_redact::Secret;
use serde_json::{Value, json};

use super::SigningKey;
use crate::LoginError;
use crate::world::{World, seconds, unguessable};

/// How long an assertion is good, in seconds.
const LIFETIME: u64 = 60;

/// The assertion of a client for an authorization server.
pub(super) fn assertion(
    key: &SigningKey,
    client_id: &str,
    audience: &str,
    world: &dyn World,
) -> Result<Secret<String>, LoginError> {
    let now = seconds(world.now());
    let mut header = json!({ "alg": key.algorithm(), "typ": "JWT" });
    if let Some(id) = key.id() {
        header["kid"] = Value::String(id.to_owned());
    }
    let claims = json!({
        "iss": client_id,
        "sub": client_id,
        "aud": audience,
        "iat": now,
        "exp": now + LIFETIME,
        "jti": unguessable(world).expose(),
    });
    key.jwt(&header, &claims)
}
