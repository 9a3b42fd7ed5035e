//! What is kept, as a text.

use std::sync::Arc;

use codewhale_mcp_redact::Secret;
use serde::{Deserialize, Serialize};

use super::StoreError;
use crate::flow::{Scopes, Tokens};
use crate::registration::{AuthMethod, Client, Registration, Source};
use crate::token::{Kind, ProofKey};
use crate::world::{at, seconds};

/// What is kept of a server.
#[derive(Debug, Clone)]
pub enum Kept {
    /// A login.
    Tokens(Box<Tokens>),
    /// A logout: whoever logs in next is asked for consent once more.
    LoggedOut,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Raw {
    Tokens(Box<RawTokens>),
    LoggedOut,
}

#[derive(Serialize, Deserialize)]
struct RawTokens {
    issuer: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_assumed: bool,
    resource: String,
    client_id: String,
    client_secret: Option<String>,
    client_method: Option<String>,
    client_source: String,
    access_token: String,
    token_type: String,
    key: Option<String>,
    obtained_at: u64,
    expires_at: Option<u64>,
    refresh_token: Option<String>,
    requested: String,
    granted: String,
}

#[derive(Serialize, Deserialize)]
struct RawRegistration {
    client_id: String,
    client_secret: Option<String>,
    client_secret_expires_at: Option<u64>,
    token_endpoint_auth_method: Option<String>,
    redirect_uris: Vec<String>,
    #[serde(default)]
    scopes: Option<String>,
}

impl Kept {
    /// The text to keep. The secret of a configured client is not in it: it stays where it is configured.
    #[must_use]
    pub fn write(&self) -> Secret<String> {
        let raw = match self {
            Self::LoggedOut => Raw::LoggedOut,
            Self::Tokens(tokens) => Raw::Tokens(Box::new(raw_of(tokens))),
        };
        Secret::new(serde_json::to_string(&raw).expect("its members are texts and numbers"))
    }

    /// What was kept.
    ///
    /// # Errors
    /// [`StoreError::Damaged`], which says nothing of what is there.
    pub fn read(text: &Secret<String>) -> Result<Self, StoreError> {
        match serde_json::from_str(text.expose()) {
            Ok(Raw::LoggedOut) => Ok(Self::LoggedOut),
            Ok(Raw::Tokens(raw)) => tokens_of(*raw).map(|tokens| Self::Tokens(Box::new(tokens))),
            Err(_) => Err(damaged("they are of no form that is known")),
        }
    }
}

impl Registration {
    /// The text to keep.
    #[must_use]
    pub fn write(&self) -> Secret<String> {
        let raw = RawRegistration {
            client_id: self.client_id.clone(),
            client_secret: self.client_secret.as_ref().map(|secret| secret.expose().clone()),
            client_secret_expires_at: self.secret_expires_at.map(seconds),
            token_endpoint_auth_method: self.method.map(|method| method.as_str().to_owned()),
            redirect_uris: self.redirect_uris.clone(),
            scopes: self.scopes.as_ref().map(ToString::to_string),
        };
        Secret::new(serde_json::to_string(&raw).expect("its members are texts and numbers"))
    }

    /// What was kept, `None` when it cannot be read: another registration takes its place.
    #[must_use]
    pub fn read(text: &Secret<String>) -> Option<Self> {
        let raw: RawRegistration = serde_json::from_str(text.expose()).ok()?;
        Some(Self {
            client_id: raw.client_id,
            client_secret: raw.client_secret.map(Secret::new),
            secret_expires_at: raw.client_secret_expires_at.map(at),
            method: raw.token_endpoint_auth_method.and_then(|method| AuthMethod::of(&method)),
            redirect_uris: raw.redirect_uris,
            scopes: raw.scopes.as_deref().map(Scopes::read),
        })
    }
}

fn raw_of(tokens: &Tokens) -> RawTokens {
    let client = &tokens.client;
    let secret = client.secret.as_ref().filter(|_| client.source == Source::Registered);
    RawTokens {
        issuer: tokens.issuer.clone(),
        is_assumed: tokens.is_assumed,
        resource: tokens.resource.clone(),
        client_id: client.id.clone(),
        client_secret: secret.map(|secret| secret.expose().clone()),
        client_method: client.method.map(|method| method.as_str().to_owned()),
        client_source: source_name(client.source).to_owned(),
        access_token: tokens.access_token.expose().clone(),
        token_type: if tokens.kind == Kind::Dpop { "DPoP" } else { "Bearer" }.to_owned(),
        key: tokens.key.as_ref().map(|key| key.written().expose().clone()),
        obtained_at: seconds(tokens.obtained_at),
        expires_at: tokens.expires_at.map(seconds),
        refresh_token: tokens.refresh_token.as_ref().map(|token| token.expose().clone()),
        requested: tokens.requested.to_string(),
        granted: tokens.granted.to_string(),
    }
}

fn tokens_of(raw: RawTokens) -> Result<Tokens, StoreError> {
    let kind = if raw.token_type == "DPoP" { Kind::Dpop } else { Kind::Bearer };
    let key = match raw.key {
        None => None,
        Some(key) => {
            let key = ProofKey::read(Secret::new(key)).ok_or_else(|| damaged("their key is none"))?;
            Some(Arc::new(key))
        }
    };
    if kind == Kind::Dpop && key.is_none() {
        return Err(damaged("they lack their key"));
    }
    let client = Client {
        id: raw.client_id,
        secret: raw.client_secret.map(Secret::new),
        key: None,
        audience: None,
        method: raw.client_method.and_then(|method| AuthMethod::of(&method)),
        source: source_of(&raw.client_source).ok_or_else(|| damaged("their client comes from nowhere"))?,
    };
    Ok(Tokens {
        issuer: raw.issuer,
        is_assumed: raw.is_assumed,
        resource: raw.resource,
        client,
        access_token: Secret::new(raw.access_token),
        kind,
        key,
        obtained_at: at(raw.obtained_at),
        expires_at: raw.expires_at.map(at),
        refresh_token: raw.refresh_token.map(Secret::new),
        requested: Scopes::read(&raw.requested),
        granted: Scopes::read(&raw.granted),
    })
}

const SOURCES: [(Source, &str); 4] = [
    (Source::Nowhere, "nowhere"),
    (Source::Configured, "configured"),
    (Source::Document, "document"),
    (Source::Registered, "registered"),
];

fn source_name(source: Source) -> &'static str {
    SOURCES.iter().find(|(one, _)| *one == source).map_or("nowhere", |(_, name)| name)
}

fn source_of(name: &str) -> Option<Source> {
    SOURCES.iter().find(|(_, one)| *one == name).map(|(source, _)| *source)
}

fn damaged(reason: &str) -> StoreError {
    StoreError::Damaged { what: "what is kept of the server".to_owned(), reason: reason.to_owned() }
}
