//! What is done about a token that is not accepted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use codewhale_mcp_net::{Because, Sent, Verdict};
use tokio::sync::OwnedMutexGuard;

use super::attempts::{By, Remedy};
use super::authorizer::{Inner, failed};
use crate::LoginError;
use crate::challenge::{Demand, shown};
use crate::flow::{Scopes, Tokens};

impl Inner {
    /// Status 401.
    pub(super) async fn unauthorized(
        self: &Arc<Self>,
        sent: Sent,
        demand: Demand,
        challenges: Vec<String>,
    ) -> Verdict {
        let turn = match self.take_turn(sent, &challenges).await {
            Ok(turn) => turn,
            Err(verdict) => return verdict,
        };
        match self.read().await {
            Ok(false) => {}
            Ok(true) => return Verdict::Retry(Because::Token),
            Err(error) if !self.oauth.can_login() => return Verdict::Failed(failed(&error)),
            // A login says so, too, or mends it.
            Err(_) => {}
        }
        let (tokens, remedy) = {
            let mut current = self.current();
            current.demand = demand.clone();
            (current.tokens.clone(), current.attempts.remedy())
        };
        let Some(tokens) = tokens else { return self.login(turn, demand, None, challenges).await };
        if remedy == Remedy::Nothing {
            return Verdict::Done;
        }
        match self.renewed(&tokens, &demand, remedy).await {
            Ok(Some(tokens)) => {
                self.set(Some(tokens), By::Refresh);
                Verdict::Retry(Because::Token)
            }
            Ok(None) => {
                self.forget_gone().await;
                self.login(turn, demand, None, challenges).await
            }
            Err(error) => Verdict::Failed(failed(&error)),
        }
    }

    /// Status 403 with `insufficient_scope`.
    pub(super) async fn too_few(
        self: &Arc<Self>,
        sent: Sent,
        demand: Demand,
        challenges: Vec<String>,
    ) -> Verdict {
        let turn = match self.take_turn(sent, &challenges).await {
            Ok(turn) => turn,
            Err(verdict) => return verdict,
        };
        let former = {
            let mut current = self.current();
            let tokens = current.tokens.clone();
            let former = tokens.as_ref().map(|tokens| tokens.requested.clone()).unwrap_or_default();
            let wanted = demand.scope.as_deref().map(Scopes::read).unwrap_or_default();
            let union = former.union(&wanted);
            let may = match self.oauth.can_login() {
                true => current.attempts.may_step_up(&union),
                // Somebody else may log in, once for the same scopes.
                false => wanted.is_empty() || union != former,
            };
            if !may {
                let granted = tokens.map(|tokens| tokens.granted.to_string()).unwrap_or_default();
                let (wanted, granted) = (shown(&wanted.to_string()), shown(&granted));
                return Verdict::Failed(failed(&LoginError::ScopesRefused { wanted, granted }));
            }
            former
        };
        if !self.oauth.can_login() {
            return Verdict::NeedsLogin { challenges };
        }
        self.login(turn, demand, Some(former), challenges).await
    }

    /// The turn to look for another token; a verdict when there is one already, or a person is being asked for one.
    async fn take_turn(
        self: &Arc<Self>,
        sent: Sent,
        challenges: &[String],
    ) -> Result<OwnedMutexGuard<()>, Verdict> {
        if self.is_outdated(sent) {
            return Err(Verdict::Retry(Because::Token));
        }
        if self.is_asking.load(Ordering::SeqCst) {
            return Err(self.queue(sent, challenges.to_vec()));
        }
        let turn = Arc::clone(&self.turn).lock_owned().await;
        if self.is_outdated(sent) {
            return Err(Verdict::Retry(Because::Token));
        }
        Ok(turn)
    }

    /// Another token without a login, `None` when there is none: where the server sends us to another issuer, nothing of
    /// the former is of use.
    async fn renewed(
        &self,
        tokens: &Tokens,
        demand: &Demand,
        remedy: Remedy,
    ) -> Result<Option<Tokens>, LoginError> {
        if remedy != Remedy::Refresh || tokens.refresh_token.is_none() {
            return Ok(None);
        }
        let told = demand.resource_metadata.as_deref();
        let found = self.oauth.discover(told, &tokens.issuer).await?;
        if found.issuer.issuer != tokens.issuer {
            return Ok(None);
        }
        self.oauth.refresh(tokens, Some(found.issuer)).await
    }

    async fn login(
        self: &Arc<Self>,
        turn: OwnedMutexGuard<()>,
        demand: Demand,
        former: Option<Scopes>,
        challenges: Vec<String>,
    ) -> Verdict {
        if let Some(error) = &self.current().attempts.failed {
            return Verdict::Failed(failed(error));
        }
        if !self.oauth.can_login() {
            return Verdict::NeedsLogin { challenges };
        }
        if !self.oauth.settings.grant.needs_person() {
            return self.logged_in(demand, former).await;
        }
        let asking = Asking::begin(Arc::clone(self));
        Verdict::Wait(Box::pin(async move {
            let verdict = asking.0.logged_in(demand, former).await;
            drop((asking, turn));
            verdict
        }))
    }

    async fn logged_in(&self, demand: Demand, former: Option<Scopes>) -> Verdict {
        match self.oauth.login_for(demand, former).await {
            Ok(tokens) => {
                self.set(Some(tokens), By::Login);
                Verdict::Retry(Because::Token)
            }
            Err(error) => {
                let verdict = Verdict::Failed(failed(&error));
                self.current().attempts.failed = Some(error);
                verdict
            }
        }
    }

    /// Waits for somebody else's login.
    fn queue(self: &Arc<Self>, sent: Sent, challenges: Vec<String>) -> Verdict {
        let inner = Arc::clone(self);
        Verdict::Wait(Box::pin(async move {
            drop(inner.turn.lock().await);
            if inner.is_outdated(sent) {
                return Verdict::Retry(Because::Token);
            }
            match &inner.current().attempts.failed {
                Some(error) => Verdict::Failed(failed(error)),
                None => Verdict::NeedsLogin { challenges },
            }
        }))
    }
}

/// A person is asked for as long as this is there.
struct Asking(Arc<Inner>);

impl Asking {
    fn begin(inner: Arc<Inner>) -> Self {
        flag(&inner).store(true, Ordering::SeqCst);
        Self(inner)
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        flag(&self.0).store(false, Ordering::SeqCst);
    }
}

fn flag(inner: &Inner) -> &AtomicBool {
    &inner.is_asking
}
