//! A client, and how it says who it is.

use std::fmt;
use std::sync::Arc;

use codewhale_mcp_redact::Secret;

use crate::token::SigningKey;

/// How a client says who it is at the token endpoint (RFC 8414, `token_endpoint_auth_methods_supported`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuthMethod {
    /// `none`: by its id in the form.
    None,
    /// `client_secret_basic`: in the header.
    Basic,
    /// The same with the id in the form as well, for servers that look a client up by that first.
    BasicAndId,
    /// `client_secret_post`: in the form.
    Post,
    /// `private_key_jwt`: by a signature (RFC 7523).
    PrivateKeyJwt,
}

impl AuthMethod {
    /// As it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Basic => "client_secret_basic",
            Self::BasicAndId => "client_secret_basic+client_id",
            Self::Post => "client_secret_post",
            Self::PrivateKeyJwt => "private_key_jwt",
        }
    }

    /// The one that is written so, `None` for one that is not known.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        [Self::None, Self::Basic, Self::BasicAndId, Self::Post, Self::PrivateKeyJwt]
            .into_iter()
            .find(|one| one.as_str() == text)
    }
}

/// A client that the configuration names.
#[derive(Debug, Clone, Default)]
pub struct Preset {
    /// Its id.
    pub id: String,
    /// Its secret.
    pub secret: Option<Secret<String>>,
    /// Its key, for `private_key_jwt`.
    pub key: Option<Arc<SigningKey>>,
    /// How it says who it is, where that is prescribed.
    pub method: Option<AuthMethod>,
    /// Whom its signature is for, where that is not the issuer: some want it to be the token endpoint.
    pub audience: Option<String>,
    /// The issuer that it is registered with. Without one it is the issuer's that the server names.
    pub issuer: Option<String>,
}

/// Where a client id comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// Nowhere: there is none, since something else says who we are.
    Nowhere,
    /// The configuration.
    Configured,
    /// The URL of a document about us.
    Document,
    /// A registration.
    Registered,
}

/// A client of one authorization server.
#[derive(Clone)]
pub struct Client {
    /// Its id.
    pub id: String,
    /// Its secret.
    pub secret: Option<Secret<String>>,
    /// Its key.
    pub key: Option<Arc<SigningKey>>,
    /// Whom its signature is for, where that is not the issuer.
    pub audience: Option<String>,
    /// How it says who it is, where that was said.
    pub method: Option<AuthMethod>,
    /// Where the id comes from.
    pub source: Source,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("id", &self.id).field("source", &self.source).finish_non_exhaustive()
    }
}

impl Client {
    /// No client: the assertion says who asks.
    pub(crate) const fn nobody() -> Self {
        let method = Some(AuthMethod::None);
        Self { id: String::new(), secret: None, key: None, audience: None, method, source: Source::Nowhere }
    }
}

impl From<&Preset> for Client {
    fn from(preset: &Preset) -> Self {
        let Preset { id, secret, key, audience, method, issuer: _ } = preset.clone();
        Self { id, secret, key, audience, method, source: Source::Configured }
    }
}
