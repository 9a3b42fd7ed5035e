//! What a login brings.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use codewhale_mcp_redact::Secret;

use super::Scopes;
use crate::registration::Client;
use crate::token::{Form, Granted, Kind, ProofKey};

/// A token, and all that it takes to use and to renew it.
#[derive(Debug, Clone)]
pub struct Tokens {
    /// Whose it is, as the metadata write it.
    pub issuer: String,
    /// Whether the issuer's endpoints were assumed (2025-03-26).
    pub is_assumed: bool,
    /// What it is for, as it was asked for.
    pub resource: String,
    /// The client that it was given to.
    pub client: Client,
    /// The token.
    pub access_token: Secret<String>,
    /// How it is shown.
    pub kind: Kind,
    /// The key that it is bound to.
    pub key: Option<Arc<ProofKey>>,
    /// When it came.
    pub obtained_at: SystemTime,
    /// When it stops to be good, where that was said.
    pub expires_at: Option<SystemTime>,
    /// What another one is had for.
    pub refresh_token: Option<Secret<String>>,
    /// The scopes that were asked for.
    pub requested: Scopes,
    /// The scopes that were granted.
    pub granted: Scopes,
}

impl Tokens {
    /// Whether it should be replaced before it is used again: a minute before its end, or in the last quarter of a
    /// short life.
    #[must_use]
    pub fn is_stale(&self, now: SystemTime) -> bool {
        const AHEAD: Duration = Duration::from_secs(60);
        self.expires_at.is_some_and(|end| {
            let life = end.duration_since(self.obtained_at).unwrap_or(Duration::ZERO);
            now + AHEAD.min(life / 4) >= end
        })
    }

    /// The request for another one.
    pub(crate) fn refresh_form(&self) -> Option<Form> {
        let refresh_token = self.refresh_token.clone()?;
        let form = Form::of("refresh_token").with("resource", &self.resource);
        Some(form.with_secret("refresh_token", refresh_token))
    }

    /// These with another token in it. A refresh token that does not come anew is kept.
    pub(crate) fn renewed(&self, client: Client, granted: Granted) -> Self {
        Self {
            client,
            granted: granted.scope.as_deref().map_or_else(|| self.granted.clone(), Scopes::read),
            access_token: granted.access_token,
            kind: granted.kind,
            obtained_at: granted.obtained_at,
            expires_at: granted.expires_at,
            refresh_token: granted.refresh_token.or_else(|| self.refresh_token.clone()),
            ..self.clone()
        }
    }
}
