//! The seam for who may ask: a bearer token is judged before a request is read, and again by what the request is for.

use async_trait::async_trait;
use codewhale_mcp_redact::Secret;

/// Judges whoever asks (MCP 2026-07-28, basic/authorization). It has to take only tokens that were issued for this server.
#[async_trait]
pub trait Authorize: Send + Sync {
    /// Who asks, by the token of `Authorization: Bearer`, if there is one.
    ///
    /// # Errors
    /// [`Denied`] is what the client is told.
    async fn authenticate(&self, token: Option<&Secret<String>>) -> Result<Principal, Denied>;

    /// Whether they may do this: a method, and the name of the tool or prompt or the address of the resource.
    ///
    /// # Errors
    /// [`Denied`] is what the client is told, with every scope that the request needs.
    async fn allow(&self, principal: &Principal, method: &str, name: Option<&str>) -> Result<(), Denied> {
        let _ = (principal, method, name);
        Ok(())
    }
}

/// Who asks: a text that is the same for the same user of the same issuer, and for nobody else. A session belongs to whoever
/// began it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Principal(pub String);

/// Why somebody may not ask.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Denied {
    /// There is no token, or one that is not valid here (401).
    Unauthorized {
        /// The scopes that a token needs at first, separated by spaces.
        scope: Option<String>,
    },
    /// The token is valid and its scopes do not suffice (403).
    InsufficientScope {
        /// Every scope that this request needs, separated by spaces.
        scope: String,
    },
}

impl Denied {
    /// The value of `WWW-Authenticate` (RFC 6750, section 3; RFC 9728, section 5.1).
    pub(super) fn challenge(&self, resource_metadata: Option<&str>, had_token: bool) -> String {
        let mut members = Vec::new();
        let mut member = |name: &str, value: &str| {
            let value: String = value.chars().filter(|letter| matches!(letter, ' '..='~')).collect();
            members.push(format!("{name}=\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")));
        };
        match self {
            Self::Unauthorized { scope } => {
                if had_token {
                    member("error", "invalid_token");
                }
                if let Some(scope) = scope {
                    member("scope", scope);
                }
            }
            Self::InsufficientScope { scope } => {
                member("error", "insufficient_scope");
                member("scope", scope);
            }
        }
        if let Some(resource_metadata) = resource_metadata {
            member("resource_metadata", resource_metadata);
        }
        if members.is_empty() { "Bearer".to_owned() } else { format!("Bearer {}", members.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_says_what_is_missing_and_nothing_breaks_out_of_it() {
        let metadata = Some("https://mcp.example/.well-known/oauth-protected-resource/mcp");
        let none = Denied::Unauthorized { scope: None };
        assert_eq!(none.challenge(None, false), "Bearer");
        assert_eq!(none.challenge(None, true), r#"Bearer error="invalid_token""#);
        assert_eq!(
            Denied::Unauthorized { scope: Some("a b".into()) }.challenge(metadata, false),
            "Bearer scope=\"a b\", \
             resource_metadata=\"https://mcp.example/.well-known/oauth-protected-resource/mcp\"",
        );
        let hostile = Denied::InsufficientScope { scope: "a\", x=\"\r\nb\\".into() };
        assert_eq!(
            hostile.challenge(None, true),
            r#"Bearer error="insufficient_scope", scope="a\", x=\"b\\""#
        );
    }
}
