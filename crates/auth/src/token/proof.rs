//! Proofs that we have the key that a token is bound to (RFC 9449).

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use codewhale_mcp_redact::Secret;
use http::HeaderValue;
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use url::Url;

use super::Nonces;
use super::signing::signed;
use crate::LoginError;
use crate::world::{World, seconds, unguessable};

/// A key on P-256 that tokens are bound to.
pub struct ProofKey {
    pair: EcdsaKeyPair,
    written: Secret<String>,
}

impl fmt::Debug for ProofKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProofKey")
    }
}

impl ProofKey {
    /// A new key.
    #[must_use]
    pub fn generate() -> Self {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)
            .expect("a system without random numbers can do no login");
        let written = Secret::new(URL_SAFE_NO_PAD.encode(document.as_ref()));
        Self::read(written).expect("it was written just now")
    }

    /// A key as [`Self::written`] wrote it, `None` when it is none.
    #[must_use]
    pub fn read(written: Secret<String>) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(written.expose()).ok()?;
        let random = SystemRandom::new();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &bytes, &random).ok()?;
        Some(Self { pair, written })
    }

    /// The key as a text, to keep it.
    #[must_use]
    pub const fn written(&self) -> &Secret<String> {
        &self.written
    }

    /// A proof for one request, for the token that goes along (section 4.2).
    pub(crate) fn proof(
        &self,
        method: &str,
        url: &Url,
        token: Option<&Secret<String>>,
        nonces: &Nonces,
        world: &dyn World,
    ) -> Result<HeaderValue, LoginError> {
        let header = json!({ "typ": "dpop+jwt", "alg": "ES256", "jwk": self.public() });
        let mut target = url.clone();
        target.set_query(None);
        target.set_fragment(None);
        let mut claims = json!({
            "jti": unguessable(world).expose(),
            "htm": method,
            "htu": target.as_str(),
            "iat": seconds(nonces.time_of(url, world.now())),
        });
        if let Some(token) = token {
            let hash = digest(&SHA256, token.expose().as_bytes());
            claims["ath"] = Value::String(URL_SAFE_NO_PAD.encode(hash));
        }
        if let Some(nonce) = nonces.of(url) {
            claims["nonce"] = Value::String(nonce);
        }
        let proof = signed(&header, &claims, |message| {
            let failed = |_| LoginError::Client { reason: "the proof key does not sign".to_owned() };
            Ok(self.pair.sign(&SystemRandom::new(), message).map_err(failed)?.as_ref().to_vec())
        })?;
        let mut value = HeaderValue::try_from(proof.expose()).expect("base64 is visible ASCII");
        value.set_sensitive(true);
        Ok(value)
    }

    fn public(&self) -> Value {
        // A point is 04, x and y.
        let (x, y) = self.pair.public_key().as_ref()[1..].split_at(32);
        json!({ "kty": "EC", "crv": "P-256", "x": URL_SAFE_NO_PAD.encode(x), "y": URL_SAFE_NO_PAD.encode(y) })
    }
}
