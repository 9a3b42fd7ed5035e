//! Ways to a token.

use std::fmt;

use crate::registration::Preset;

/// The way to a token.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum Grant {
    /// A person authorizes us in their browser (RFC 6749, section 4.1).
    #[default]
    Code,
    /// A person authorizes us on another device (RFC 8628).
    Device,
    /// We are authorized ourselves, as the configured client (RFC 6749, section 4.4).
    Client,
    /// Our platform says who we are (RFC 7523, section 2.1): `io.modelcontextprotocol/auth/wif`.
    Workload,
    /// A person's enterprise says who they are: `io.modelcontextprotocol/enterprise-managed-authorization`.
    Enterprise(Box<Enterprise>),
}

impl Grant {
    /// Whether it needs a person, each time anew.
    #[must_use]
    pub const fn needs_person(&self) -> bool {
        matches!(self, Self::Code | Self::Device)
    }
}

/// Where an enterprise says who a person is.
#[derive(Clone)]
pub struct Enterprise {
    /// The token endpoint of the identity provider.
    pub token_endpoint: String,
    /// The client that the person signed in with there.
    pub client: Preset,
    /// What stands for the person there.
    pub subject: SubjectKind,
}

impl fmt::Debug for Enterprise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Enterprise").field("subject", &self.subject).finish_non_exhaustive()
    }
}

/// What stands for us, or for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SubjectKind {
    /// The token of the platform that we run on. It is asked for each time, since it changes.
    WorkloadToken,
    /// The ID token of a person who signed in at their identity provider.
    IdToken,
    /// A refresh token of their identity provider, as after a login with SAML.
    IdentityRefreshToken,
}

impl SubjectKind {
    /// In words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::WorkloadToken => "token of the platform",
            Self::IdToken => "ID token",
            Self::IdentityRefreshToken => "refresh token of the identity provider",
        }
    }

    /// As token exchanges name it (RFC 8693, section 3).
    pub(super) const fn urn(self) -> &'static str {
        match self {
            Self::WorkloadToken => "urn:ietf:params:oauth:token-type:jwt",
            Self::IdToken => "urn:ietf:params:oauth:token-type:id_token",
            Self::IdentityRefreshToken => "urn:ietf:params:oauth:token-type:refresh_token",
        }
    }
}
