//! Keys that sign (RFC 7515, RFC 7518).

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use codewhale_mcp_redact::Secret;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair,
    RSA_PKCS1_SHA256, RsaKeyPair,
};
use serde_json::Value;

use crate::LoginError;

/// A private key.
pub struct SigningKey {
    key: Key,
    id: Option<String>,
}

enum Key {
    Es256(EcdsaKeyPair),
    Es384(EcdsaKeyPair),
    EdDsa(Ed25519KeyPair),
    Rs256(Box<RsaKeyPair>),
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("algorithm", &self.algorithm()).finish_non_exhaustive()
    }
}

impl SigningKey {
    /// A key of a PEM text, as PKCS #8 (`BEGIN PRIVATE KEY`): P-256, P-384, Ed25519 or RSA.
    ///
    /// # Errors
    /// [`LoginError::Client`] when it is no such key.
    pub fn of_pem(pem: &Secret<String>) -> Result<Self, LoginError> {
        let no = |reason: &str| LoginError::Client { reason: reason.to_owned() };
        let text = pem.expose();
        let body = text
            .split_once("-----BEGIN PRIVATE KEY-----")
            .and_then(|(_, rest)| rest.split_once("-----END PRIVATE KEY-----"))
            .map(|(body, _)| body.split_whitespace().collect::<String>())
            .ok_or_else(|| no("its key is no PKCS #8 key in PEM (`BEGIN PRIVATE KEY`)"))?;
        let bytes = STANDARD.decode(body).map_err(|_| no("its key is no base64"))?;
        let random = SystemRandom::new();
        let key = if let Ok(key) = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &bytes, &random)
        {
            Key::Es256(key)
        } else if let Ok(key) = EcdsaKeyPair::from_pkcs8(&ECDSA_P384_SHA384_FIXED_SIGNING, &bytes, &random) {
            Key::Es384(key)
        } else if let Ok(key) = Ed25519KeyPair::from_pkcs8_maybe_unchecked(&bytes) {
            Key::EdDsa(key)
        } else if let Ok(key) = RsaKeyPair::from_pkcs8(&bytes) {
            Key::Rs256(Box::new(key))
        } else {
            return Err(no("its key is of none of P-256, P-384, Ed25519 and RSA (2048 bits and more)"));
        };
        Ok(Self { key, id: None })
    }

    /// The same key under the id that the authorization server knows it by.
    #[must_use]
    pub fn with_id(self, id: String) -> Self {
        Self { id: Some(id), ..self }
    }

    /// The algorithm that it signs with.
    #[must_use]
    pub const fn algorithm(&self) -> &'static str {
        match self.key {
            Key::Es256(_) => "ES256",
            Key::Es384(_) => "ES384",
            Key::EdDsa(_) => "EdDSA",
            Key::Rs256(_) => "RS256",
        }
    }

    /// The id of the key.
    pub(crate) fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, LoginError> {
        let random = SystemRandom::new();
        let failed = |_| LoginError::Client { reason: "its key does not sign".to_owned() };
        match &self.key {
            Key::Es256(key) | Key::Es384(key) => {
                Ok(key.sign(&random, message).map_err(failed)?.as_ref().to_vec())
            }
            Key::EdDsa(key) => Ok(key.sign(message).as_ref().to_vec()),
            Key::Rs256(key) => {
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature).map_err(failed)?;
                Ok(signature)
            }
        }
    }

    /// A JWT in compact form (RFC 7515, section 7.1).
    pub(crate) fn jwt(&self, header: &Value, claims: &Value) -> Result<Secret<String>, LoginError> {
        signed(header, claims, |message| self.sign(message))
    }
}

/// Header and claims with the signature that is made of them.
pub(super) fn signed(
    header: &Value,
    claims: &Value,
    sign: impl FnOnce(&[u8]) -> Result<Vec<u8>, LoginError>,
) -> Result<Secret<String>, LoginError> {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let message = format!("{}.{}", part(header), part(claims));
    let signature = sign(message.as_bytes())?;
    Ok(Secret::new(format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))))
}
