//! The way from a server to the metadata of who authorizes for it.

use std::collections::VecDeque;

use codewhale_mcp_net::{Call, Fetched};
use codewhale_mcp_redact::safe_url;
use http::HeaderValue;
use url::Url;

use super::{Document, IssuerMetadata, ResourceMetadata, get, issuer_locations, resource_locations};
use crate::resource::{canonical, origin};
use crate::{LoginError, Step};

/// Whether a server without metadata may be one of 2025-03-26, which authorizes for itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fallback {
    /// It may.
    #[default]
    Allowed,
    /// It may not.
    Refused,
}

/// Who authorizes for a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// What tokens are asked for, exactly as the server writes it.
    pub resource: String,
    /// The server's scopes.
    pub scopes_supported: Option<Vec<String>>,
    /// Whether tokens have to be bound to a key.
    pub is_bound: bool,
    /// The authorization server.
    pub issuer: IssuerMetadata,
}

/// Looks for who authorizes for a server.
#[derive(Debug)]
pub struct Discovery {
    server: Url,
    /// Issuers that we know already, and rather use.
    known: Vec<String>,
    fallback: Fallback,
    tried: Vec<String>,
    left: VecDeque<Url>,
    at: Url,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Resource,
    Issuer {
        issuer: String,
        resource: ResourceMetadata,
    },
    /// 2025-03-26: the server's own origin.
    Origin {
        issuer: String,
    },
}

impl Discovery {
    /// Begins with where a challenge says that the server's metadata are.
    ///
    /// # Errors
    /// [`LoginError`] when the challenge names no place to go to.
    pub fn begin(
        server: Url,
        told: Option<&str>,
        known: Vec<String>,
        fallback: Fallback,
    ) -> Result<(Self, Call), LoginError> {
        let mut left = VecDeque::from(resource_locations(&server, told)?);
        let at = left.pop_front().expect("a server has a path and an origin");
        let call = get(at.clone());
        Ok((Self { server, known, fallback, tried: Vec::new(), left, at, stage: Stage::Resource }, call))
    }

    /// Begins with an issuer that is known, for its metadata alone.
    pub(crate) fn of_issuer(server: Url, issuer: &str, assumed: bool) -> Result<(Self, Call), LoginError> {
        let (tried, known, fallback) = (Vec::new(), Vec::new(), Fallback::Allowed);
        let at = server.clone();
        let stage = Stage::Resource;
        let discovery = Self { server, known, fallback, tried, left: VecDeque::new(), at, stage };
        let resource = ResourceMetadata {
            resource: String::new(),
            authorization_servers: vec![issuer.to_owned()],
            scopes_supported: None,
            dpop_bound_access_tokens_required: false,
        };
        let step = if assumed { discovery.own_origin()? } else { discovery.chosen(resource)? };
        match step {
            Step::Ask(discovery, call) => Ok((discovery, call)),
            Step::Done(_) => unreachable!("there is always a place to look at first"),
        }
    }

    /// Takes an answer.
    ///
    /// # Errors
    /// [`LoginError`] when a document is wrong, or nowhere.
    pub fn next(self, answer: &Fetched) -> Result<Step<Self, Found>, LoginError> {
        match Document::of(answer) {
            Document::There(document) => match self.stage {
                Stage::Resource => {
                    let found = ResourceMetadata::read(document, &self.at, &self.server)?;
                    self.chosen(found)
                }
                Stage::Issuer { issuer, resource } => {
                    let issuer = IssuerMetadata::read(document, &issuer)?;
                    Ok(Step::Done(Found {
                        resource: resource.resource,
                        scopes_supported: resource.scopes_supported,
                        is_bound: resource.dpop_bound_access_tokens_required,
                        issuer,
                    }))
                }
                Stage::Origin { issuer } => {
                    let mut metadata = IssuerMetadata::read(document, &issuer)?;
                    metadata.is_assumed = true;
                    Ok(Step::Done(Self::legacy(&self.server, metadata)))
                }
            },
            Document::Missing => self.missing(),
            Document::Unclear(reason) => {
                let url = safe_url(self.at.as_str());
                Err(match self.stage {
                    Stage::Resource => LoginError::ServerMetadata { url, reason },
                    Stage::Issuer { issuer, .. } | Stage::Origin { issuer } => {
                        LoginError::IssuerMetadata { issuer: safe_url(&issuer), reason }
                    }
                })
            }
        }
    }

    fn missing(mut self) -> Result<Step<Self, Found>, LoginError> {
        self.tried.push(safe_url(self.at.as_str()));
        if let Some(url) = self.left.pop_front() {
            return Ok(self.ask(url));
        }
        match self.stage {
            Stage::Resource => self.own_origin(),
            Stage::Issuer { issuer, .. } => {
                Err(LoginError::IssuerUnknown { issuer: safe_url(&issuer), tried: self.tried })
            }
            Stage::Origin { ref issuer } => {
                let metadata = IssuerMetadata::assumed(issuer);
                Ok(Step::Done(Self::legacy(&self.server, metadata)))
            }
        }
    }

    fn chosen(mut self, resource: ResourceMetadata) -> Result<Step<Self, Found>, LoginError> {
        let named = &resource.authorization_servers;
        let known = named.iter().find(|issuer| self.known.contains(issuer));
        let Some(issuer) = known.or(named.first()).cloned() else { return self.own_origin() };
        self.left = issuer_locations(&issuer)?.into();
        self.tried.clear();
        self.stage = Stage::Issuer { issuer, resource };
        let url = self.left.pop_front().expect("an issuer has two places at least");
        Ok(self.ask(url))
    }

    fn own_origin(mut self) -> Result<Step<Self, Found>, LoginError> {
        if self.fallback == Fallback::Refused {
            return Err(LoginError::ServerOffersNone { tried: self.tried });
        }
        let issuer = origin(&self.server);
        let mut url = self.server.clone();
        // A URL that has a host can do without both.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        url.set_query(None);
        url.set_fragment(None);
        url.set_path("/.well-known/oauth-authorization-server");
        self.stage = Stage::Origin { issuer };
        Ok(self.ask(url))
    }

    fn ask(mut self, url: Url) -> Step<Self, Found> {
        let mut call = get(url.clone());
        if matches!(self.stage, Stage::Origin { .. }) {
            call.headers.insert("mcp-protocol-version", HeaderValue::from_static("2025-03-26"));
        }
        self.at = url;
        Step::Ask(self, call)
    }

    fn legacy(server: &Url, issuer: IssuerMetadata) -> Found {
        Found { resource: canonical(server), scopes_supported: None, is_bound: false, issuer }
    }
}
