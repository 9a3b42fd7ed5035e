//! Requests of a login, and whom it asks.

use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_net::{Call, Fetched};
use http::Method;

use super::{OAuth, ShowCode, Subject};
use crate::LoginError;
use crate::browse::{Browse, BrowseError};
use crate::discovery::{Discovery, Found, IssuerMetadata};
use crate::flow::SubjectKind;
use crate::step::Step;

/// The longest document that is read.
const LIMIT: usize = 1024 * 1024;

impl OAuth {
    /// Makes a request, in a time that it may take.
    pub(super) async fn fetch(&self, call: Call) -> Result<Fetched, LoginError> {
        let limit = Duration::from_secs(if call.method == Method::GET { 10 } else { 30 });
        let host = call.url.host_str().unwrap_or("").to_owned();
        match tokio::time::timeout(limit, self.parts.fetch.fetch(call, LIMIT)).await {
            Ok(answer) => Ok(answer?),
            Err(_) => Err(LoginError::Slow { host, limit }),
        }
    }

    /// Finds out who authorizes for the server now.
    pub(super) async fn discover(&self, told: Option<&str>, known: &str) -> Result<Found, LoginError> {
        let known = vec![known.to_owned()];
        let begun = Discovery::begin(self.settings.server.clone(), told, known, self.settings.fallback)?;
        self.found(begun).await
    }

    /// The metadata of an issuer that is known.
    pub(super) async fn issuer(&self, issuer: &str, assumed: bool) -> Result<IssuerMetadata, LoginError> {
        let begun = Discovery::of_issuer(self.settings.server.clone(), issuer, assumed)?;
        Ok(self.found(begun).await?.issuer)
    }

    async fn found(&self, begun: (Discovery, Call)) -> Result<Found, LoginError> {
        let (mut discovery, mut call) = begun;
        loop {
            match discovery.next(&self.fetch(call).await?)? {
                Step::Done(found) => return Ok(found),
                Step::Ask(next, asked) => (discovery, call) = (next, asked),
            }
        }
    }

    pub(super) fn browse(&self) -> Result<&Arc<dyn Browse>, LoginError> {
        let reason = || BrowseError::GivenUp { reason: "there is no browser".to_owned() };
        self.parts.browse.as_ref().ok_or_else(|| reason().into())
    }

    pub(super) fn show(&self) -> Result<&Arc<dyn ShowCode>, LoginError> {
        let reason = || BrowseError::GivenUp { reason: "there is nobody to show a code to".to_owned() };
        self.parts.show.as_ref().ok_or_else(|| reason().into())
    }

    pub(super) fn subject(&self, kind: SubjectKind) -> Result<&Arc<dyn Subject>, LoginError> {
        let none = || LoginError::Subject { what: kind.text(), reason: "none is configured".to_owned() };
        self.parts.subject.as_ref().ok_or_else(none)
    }
}
