//! Another token for a refresh token (RFC 6749, section 6), once for all processes.

use super::OAuth;
use crate::LoginError;
use crate::credentials::{Kept, Swapped, Version};
use crate::discovery::IssuerMetadata;
use crate::flow::Tokens;
use crate::step::Step;
use crate::token::Exchange;

impl OAuth {
    /// Another token in the place of `mine`, or the one that somebody else got meanwhile. `None` when there is none to
    /// be had without a login; what is kept is gone then.
    ///
    /// # Errors
    /// [`LoginError`] when it is not clear; what is kept stays as it is.
    ///
    /// It comes to its end also when whoever wanted the token gives up: the provider may have spent the old one by then,
    /// and the new one has to be kept.
    pub(super) async fn refresh(
        &self,
        mine: &Tokens,
        issuer: Option<IssuerMetadata>,
    ) -> Result<Option<Tokens>, LoginError> {
        let (this, mine) = (self.clone(), mine.clone());
        let refreshed = tokio::spawn(async move { this.refresh_to_the_end(&mine, issuer).await });
        match refreshed.await {
            Ok(refreshed) => refreshed,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The runtime ends, and this with it.
                Err(_) => std::future::pending().await,
            },
        }
    }

    async fn refresh_to_the_end(
        &self,
        mine: &Tokens,
        issuer: Option<IssuerMetadata>,
    ) -> Result<Option<Tokens>, LoginError> {
        let books = self.books();
        let _held = self.parts.store.hold(&books.key()).await?;
        let (Some(Kept::Tokens(kept)), version) = books.kept().await? else { return Ok(None) };
        let is_other = kept.access_token != mine.access_token;
        if is_other && !kept.is_stale(self.parts.world.now()) {
            return Ok(Some(*kept));
        }
        let issuer = match issuer.filter(|issuer| issuer.issuer == kept.issuer) {
            Some(issuer) => issuer,
            None => self.issuer(&kept.issuer, kept.is_assumed).await?,
        };
        match self.renew(&kept, &issuer).await {
            Ok(Some(renewed)) => self.swap(version, renewed).await,
            Ok(None) => Ok(None),
            Err(LoginError::Refused { code, .. }) if is_final(&code) => {
                if code == "invalid_client" {
                    books.unregister(&kept.issuer, &kept.client).await?;
                }
                self.given_up(&kept, version).await
            }
            Err(error) => Err(error),
        }
    }

    async fn renew(&self, kept: &Tokens, issuer: &IssuerMetadata) -> Result<Option<Tokens>, LoginError> {
        let Some(form) = kept.refresh_form() else { return Ok(None) };
        let (key, nonces) = (kept.key.clone(), self.nonces.clone());
        let world = &*self.parts.world;
        let (mut exchange, mut call) =
            Exchange::begin(form, kept.client.clone(), issuer, key, nonces, world)?;
        loop {
            match exchange.next(&self.fetch(call).await?, world)? {
                Step::Ask(next, asked) => (exchange, call) = (next, asked),
                Step::Done((client, granted)) => return Ok(Some(kept.renewed(client, granted))),
            }
        }
    }

    /// Keeps the new token before anybody uses it.
    async fn swap(&self, version: Option<Version>, renewed: Tokens) -> Result<Option<Tokens>, LoginError> {
        let books = self.books();
        let text = Kept::Tokens(Box::new(renewed.clone())).write();
        match self.parts.store.swap(&books.key(), version.as_ref(), Some(&text)).await? {
            Swapped::Done => Ok(Some(renewed)),
            Swapped::Other(_) => self.winner().await,
        }
    }

    /// The refresh token is no good. If it is still the one that is kept, nothing is kept any more.
    async fn given_up(&self, spent: &Tokens, version: Option<Version>) -> Result<Option<Tokens>, LoginError> {
        let books = self.books();
        match books.kept().await?.0 {
            Some(Kept::Tokens(kept)) if kept.refresh_token != spent.refresh_token => return Ok(Some(*kept)),
            _ => {}
        }
        match self.parts.store.swap(&books.key(), version.as_ref(), None).await? {
            Swapped::Done => Ok(None),
            Swapped::Other(_) => self.winner().await,
        }
    }

    /// What somebody else kept meanwhile.
    async fn winner(&self) -> Result<Option<Tokens>, LoginError> {
        match self.books().kept().await?.0 {
            Some(Kept::Tokens(kept)) => Ok(Some(*kept)),
            _ => Ok(None),
        }
    }
}

/// Whether the same refresh token will be refused again.
fn is_final(code: &str) -> bool {
    matches!(code, "invalid_grant" | "invalid_client" | "unauthorized_client" | "unsupported_grant_type")
}
