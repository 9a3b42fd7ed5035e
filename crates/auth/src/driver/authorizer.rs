//! What authorizes the requests to one server.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use codewhale_mcp_net::{Authorizer, Because, NetError, Sent, Verdict};
use http::{HeaderMap, Method, StatusCode, header};
use tokio::sync::Mutex as Turn;
use url::Url;

use super::attempts::{Attempts, By};
use super::{OAuth, header::authorize};
use crate::LoginError;
use crate::challenge::Demand;
use crate::credentials::Kept;
use crate::flow::Tokens;
use crate::token::{Kind, Learned};

/// Authorizes the requests to one server with what is kept, and renews it: before it ends, and once when the server does
/// not take it. Whether it logs in besides is said by the parts it was made with.
pub struct OAuthAuthorizer {
    pub(super) inner: Arc<Inner>,
}

impl fmt::Debug for OAuthAuthorizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OAuthAuthorizer").field("oauth", &self.inner.oauth).finish_non_exhaustive()
    }
}

pub(super) struct Inner {
    pub(super) oauth: OAuth,
    pub(super) current: Mutex<Current>,
    /// Whoever looks for another token has it.
    pub(super) turn: Arc<Turn<()>>,
    /// Whether the turn is a person's.
    pub(super) is_asking: AtomicBool,
}

/// What requests are authorized with now.
#[derive(Debug, Default)]
pub(super) struct Current {
    /// Whether what is kept was looked at.
    is_read: bool,
    pub(super) tokens: Option<Arc<Tokens>>,
    pub(super) number: u64,
    pub(super) attempts: Attempts,
    /// What the server asked for last.
    pub(super) demand: Demand,
    /// A refresh ahead of time failed; it is not tried before this.
    not_before: Option<SystemTime>,
}

/// How long a refresh that failed is not tried again ahead of time.
const PAUSE: Duration = Duration::from_secs(30);

impl OAuthAuthorizer {
    pub(super) fn new(oauth: OAuth) -> Self {
        let inner = Inner {
            oauth,
            current: Mutex::default(),
            turn: Arc::default(),
            is_asking: AtomicBool::new(false),
        };
        Self { inner: Arc::new(inner) }
    }
}

#[async_trait]
impl Authorizer for OAuthAuthorizer {
    async fn prepare(&self, method: &Method, url: &Url, headers: &mut HeaderMap) -> Result<Sent, NetError> {
        let inner = &self.inner;
        let oauth = &inner.oauth;
        if url.origin() != oauth.settings.server.origin() {
            return Ok(Sent::default());
        }
        inner.freshen().await;
        let (tokens, number) = {
            let current = inner.current();
            (current.tokens.clone(), current.number)
        };
        if let Some(tokens) = tokens {
            authorize(&tokens, method, url, &oauth.nonces, &*oauth.parts.world, headers)
                .map_err(|error| failed(&error))?;
        }
        Ok(Sent(number))
    }

    async fn received(&self, sent: Sent, url: &Url, status: StatusCode, headers: &HeaderMap) -> Verdict {
        let inner = &self.inner;
        let is_bound = inner.current().tokens.as_ref().is_some_and(|tokens| tokens.kind == Kind::Dpop);
        let oauth = &inner.oauth;
        let now = oauth.parts.world.now();
        let learned = if is_bound { oauth.nonces.learn(url, headers, now) } else { Learned::default() };
        if !matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
            inner.accepted(sent);
            return Verdict::Done;
        }
        let values = headers.get_all(header::WWW_AUTHENTICATE).iter();
        let challenges: Vec<String> =
            values.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect();
        let demand = Demand::read(&challenges);
        if status == StatusCode::UNAUTHORIZED {
            let is_about_proof = (learned.nonce && demand.is_about_nonce())
                || (learned.time && demand.error.as_deref() == Some("invalid_dpop_proof"));
            if is_about_proof {
                return Verdict::Retry(Because::Nonce);
            }
            return inner.unauthorized(sent, demand, challenges).await;
        }
        if demand.is_about_scope() {
            return inner.too_few(sent, demand, challenges).await;
        }
        Verdict::Done
    }
}

impl Inner {
    pub(super) fn current(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Other tokens are used from now on, or none.
    pub(super) fn set(&self, tokens: Option<Tokens>, by: By) {
        let mut current = self.current();
        current.is_read = true;
        current.number += 1;
        current.tokens = tokens.map(Arc::new);
        current.attempts.came(by);
        current.not_before = None;
    }

    /// Whether others took the place of the credentials that a request went out with.
    pub(super) fn is_outdated(&self, sent: Sent) -> bool {
        let current = self.current();
        current.number != sent.0 && current.tokens.is_some()
    }

    fn accepted(&self, sent: Sent) {
        let mut current = self.current();
        if current.number == sent.0 && current.tokens.is_some() {
            current.attempts.proved();
        }
    }

    /// Looks at what is kept, and renews it where its end is near.
    async fn freshen(&self) {
        if self.is_fresh() || self.is_asking.load(Ordering::SeqCst) {
            return;
        }
        let _turn = self.turn.lock().await;
        if self.is_fresh() {
            return;
        }
        if !self.current().is_read {
            if !self.oauth.may_be_kept().await {
                self.current().is_read = true;
                return;
            }
            // A server that wants no login does without credentials that cannot be read; one that does will say so.
            if self.read().await.is_err() {
                return;
            }
        }
        let (tokens, demand) = {
            let current = self.current();
            (current.tokens.clone(), current.demand.clone())
        };
        let now = self.oauth.parts.world.now();
        let Some(tokens) = tokens.filter(|tokens| tokens.is_stale(now)) else { return };
        let renewed = if tokens.refresh_token.is_some() {
            self.oauth.refresh(&tokens, None).await.map(|tokens| (tokens, By::Refresh))
        } else if !self.oauth.settings.grant.needs_person() && self.oauth.can_login() {
            self.oauth
                .login_for(demand, Some(tokens.requested.clone()))
                .await
                .map(|tokens| (Some(tokens), By::Login))
        } else {
            // It is good until the server says otherwise.
            self.current().not_before = Some(now + PAUSE);
            return;
        };
        match renewed {
            Ok((tokens, by)) => self.set(tokens, by),
            // It may be good for a while yet.
            Err(_) => self.current().not_before = Some(now + PAUSE),
        }
    }

    fn is_fresh(&self) -> bool {
        let now = self.oauth.parts.world.now();
        let current = self.current();
        let is_stale = current.tokens.as_ref().is_some_and(|tokens| tokens.is_stale(now));
        current.is_read && (!is_stale || current.not_before.is_some_and(|time| now < time))
    }

    /// Uses what is kept, if that is something else than what is used now.
    pub(super) async fn read(&self) -> Result<bool, LoginError> {
        let kept = match self.oauth.kept().await? {
            Some(Kept::Tokens(tokens)) => Some(*tokens),
            Some(Kept::LoggedOut) | None => None,
        };
        let is_same = {
            let mut current = self.current();
            current.is_read = true;
            let used = current.tokens.as_ref().map(|tokens| &tokens.access_token);
            used == kept.as_ref().map(|tokens| &tokens.access_token)
        };
        let is_there = kept.is_some();
        if !is_same && is_there {
            self.set(kept, By::Keeping);
        }
        Ok(!is_same && is_there)
    }

    /// Uses nothing any more that is not kept any more.
    pub(super) async fn forget_gone(&self) {
        if matches!(self.oauth.kept().await, Ok(None | Some(Kept::LoggedOut))) {
            let mut current = self.current();
            current.tokens = None;
            current.number += 1;
        }
    }
}

/// A login, or what belongs to it, failed.
pub(super) fn failed(error: &LoginError) -> NetError {
    let reason = error.to_string();
    match error {
        LoginError::ScopesRefused { .. } => NetError::ScopesRefused { reason },
        _ => NetError::LoginFailed { reason },
    }
}
