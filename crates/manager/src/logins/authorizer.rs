//! What authorizes requests, and notes that a login is needed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use codewhale_mcp_auth::Demand;
use codewhale_mcp_auth::credentials::Key;
use codewhale_mcp_auth::driver::OAuthAuthorizer;
use codewhale_mcp_auth::store::{Asked, Notes};
use codewhale_mcp_net::{Authorizer, NetError, Sent, Verdict};
use http::{HeaderMap, Method, StatusCode, header};
use url::Url;

/// Authorizes with what is kept, and asks nobody. That a login is needed is noted, and that it no longer is.
#[derive(Debug)]
pub(super) struct Noting {
    inner: Arc<OAuthAuthorizer>,
    notes: Notes,
    key: Key,
    /// Whether the note was put right after an answer that is none of a missing login.
    is_settled: AtomicBool,
}

impl Noting {
    pub(super) fn new(inner: Arc<OAuthAuthorizer>, notes: Notes, key: Key) -> Self {
        Self { inner, notes, key, is_settled: AtomicBool::new(false) }
    }

    async fn note(&self, work: impl FnOnce(&Notes, &Key) + Send + 'static) {
        let (notes, key) = (self.notes.clone(), self.key.clone());
        // A note is a hint.
        let _ = tokio::task::spawn_blocking(move || work(&notes, &key)).await;
    }
}

#[async_trait]
impl Authorizer for Noting {
    async fn prepare(&self, method: &Method, url: &Url, headers: &mut HeaderMap) -> Result<Sent, NetError> {
        self.inner.prepare(method, url, headers).await
    }

    async fn received(&self, sent: Sent, url: &Url, status: StatusCode, headers: &HeaderMap) -> Verdict {
        let verdict = self.inner.received(sent, url, status, headers).await;
        match &verdict {
            Verdict::NeedsLogin { challenges } => {
                let demand = Demand::read(challenges);
                let scopes = demand.scope.filter(|_| status == StatusCode::FORBIDDEN);
                self.is_settled.store(true, Ordering::Relaxed);
                self.note(move |notes, key| notes.ask(key, Asked { scopes })).await;
            }
            Verdict::Done if status.is_success() && !self.is_settled.swap(true, Ordering::Relaxed) => {
                // More scopes are not needed for everything.
                self.note(|notes, key| {
                    if notes.of(key).asked.is_some_and(|asked| asked.scopes.is_none()) {
                        notes.answer(key);
                    }
                })
                .await;
            }
            _ => {}
        }
        verdict
    }
}

/// Authorizes nothing and keeps what the server asks for.
#[derive(Debug, Default)]
pub(super) struct Asking {
    challenges: Mutex<Option<Vec<String>>>,
}

impl Asking {
    /// The values of `WWW-Authenticate` of the last answer that asked for a login, `None` if none did.
    pub(super) fn challenges(&self) -> Option<Vec<String>> {
        self.challenges.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[async_trait]
impl Authorizer for Asking {
    async fn prepare(&self, _: &Method, _: &Url, _: &mut HeaderMap) -> Result<Sent, NetError> {
        Ok(Sent::default())
    }

    async fn received(&self, _: Sent, _: &Url, status: StatusCode, headers: &HeaderMap) -> Verdict {
        if status != StatusCode::UNAUTHORIZED {
            return Verdict::Done;
        }
        let values = headers.get_all(header::WWW_AUTHENTICATE).iter();
        let challenges: Vec<String> =
            values.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect();
        *self.challenges.lock().unwrap_or_else(PoisonError::into_inner) = Some(challenges.clone());
        Verdict::NeedsLogin { challenges }
    }
}
