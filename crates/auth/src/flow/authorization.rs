//! The request that a browser brings to an authorization server (RFC 6749, section 4.1.1; RFC 7636; RFC 8707).

use std::fmt;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use codewhale_mcp_redact::Secret;
use ring::digest::{SHA256, digest};
use url::Url;

use super::Scopes;
use super::scope::OFFLINE;
use crate::LoginError;
use crate::discovery::IssuerMetadata;
use crate::registration::Client;
use crate::token::Form;
use crate::world::{World, unguessable};

/// Whether the person is asked for consent again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Prompt {
    /// As the authorization server sees fit, but for offline access, which is always asked for.
    #[default]
    Unsaid,
    /// They are (`prompt=consent`), as after a logout.
    Consent,
}

/// One request for an authorization, from before the browser leaves until it is back. It is good for one answer.
#[derive(Clone)]
pub struct Authorization {
    /// Known to us and to the browser that we sent.
    pub(super) state: Secret<String>,
    verifier: Secret<String>,
    /// Who was asked, as the metadata write it.
    pub(super) issuer: String,
    /// Whether `iss` has to come back (RFC 9207).
    pub(super) iss_is_promised: bool,
    /// The client that asks.
    pub(super) client: Client,
    redirect_uri: String,
    resource: String,
    asked_at: SystemTime,
}

/// How long a browser may take.
const LIFETIME: Duration = Duration::from_secs(600);

impl fmt::Debug for Authorization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authorization").field("client", &self.client).finish_non_exhaustive()
    }
}

impl Authorization {
    /// Makes a request, and the URL that brings it.
    ///
    /// # Errors
    /// [`LoginError`] when there is no place to go to, or no proof of who began (PKCE with S256).
    pub(super) fn begin(
        issuer: &IssuerMetadata,
        client: Client,
        redirect_uri: &str,
        resource: &str,
        scopes: &Scopes,
        prompt: Prompt,
        world: &dyn World,
    ) -> Result<(Self, Url), LoginError> {
        let mut url = issuer.authorization_endpoint()?;
        let (state, verifier) = (unguessable(world), unguessable(world));
        let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, verifier.expose().as_bytes()));
        let scope = scopes.parameter();
        let mut ours = vec![
            ("response_type", "code"),
            ("client_id", &client.id),
            ("redirect_uri", redirect_uri),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
            ("resource", resource),
            ("state", state.expose()),
        ];
        ours.extend(scope.as_deref().map(|scope| ("scope", scope)));
        // Without it OpenID providers give no refresh token (OpenID Connect Core, section 11).
        if prompt == Prompt::Consent || scopes.contains(OFFLINE) {
            ours.push(("prompt", "consent"));
        }
        let is_ours = |name: &str| ours.iter().any(|(our, _)| *our == name) || name == "scope";
        let theirs: Vec<_> = url.query_pairs().into_owned().filter(|(name, _)| !is_ours(name)).collect();
        url.query_pairs_mut().clear().extend_pairs(&theirs).extend_pairs(&ours);
        let authorization = Self {
            state,
            verifier,
            issuer: issuer.issuer.clone(),
            iss_is_promised: issuer.authorization_response_iss_parameter_supported == Some(true),
            client,
            redirect_uri: redirect_uri.to_owned(),
            resource: resource.to_owned(),
            asked_at: world.now(),
        };
        Ok((authorization, url))
    }

    /// What only the browser that we sent knows.
    #[must_use]
    pub const fn state(&self) -> &Secret<String> {
        &self.state
    }

    /// Whether an answer comes too late.
    pub(super) fn is_over(&self, now: SystemTime) -> bool {
        now > self.asked_at + LIFETIME
    }

    /// The request for a token of a code.
    pub(super) fn form(self, code: Secret<String>) -> (Client, Form) {
        let form = Form::of("authorization_code")
            .with("redirect_uri", &self.redirect_uri)
            .with("resource", &self.resource)
            .with_secret("code", code)
            .with_secret("code_verifier", self.verifier);
        (self.client, form)
    }
}
