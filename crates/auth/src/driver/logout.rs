//! The end of a login.

use std::time::SystemTime;

use crate::object;
use codewhale_mcp_net::Fetched;
use codewhale_mcp_redact::safe_url;
use http::HeaderMap;

use super::OAuth;
use crate::LoginError;
use crate::credentials::Kept;
use crate::flow::Tokens;
use crate::token::{Form, method_of, say_who};

/// What a logout came to.
#[derive(Debug)]
pub struct LoggedOut {
    /// Whose tokens were forgotten, `None` when there were none.
    pub issuer: Option<String>,
    /// What became of them there.
    pub revocation: Revocation,
}

/// What became of a token at its issuer.
#[derive(Debug)]
pub enum Revocation {
    /// It may live on.
    NotAsked,
    /// It is no good any more.
    Done,
    /// There will be no other; the one that there is cannot be revoked (as one that servers read themselves) and is good
    /// until its end.
    EndsAlone {
        /// When that is, where it was said.
        ends_at: Option<SystemTime>,
    },
    /// It may live on: the issuer revokes none.
    NotOffered,
    /// It may live on: the issuer did not revoke it.
    Failed(LoginError),
}

impl OAuth {
    /// Forgets what is kept of the server and our registration with its issuer, and leaves a mark, so that whoever logs
    /// in next is asked for consent. Where nothing is kept, nothing is written.
    ///
    /// # Errors
    /// [`LoginError::Store`].
    pub async fn logout(&self) -> Result<LoggedOut, LoginError> {
        let tokens = self.forget().await?;
        Ok(LoggedOut { issuer: tokens.map(|tokens| tokens.issuer), revocation: Revocation::NotAsked })
    }

    /// The same, and tells the issuer that the tokens are no good any more (RFC 7009).
    ///
    /// # Errors
    /// [`LoginError::Store`]. That the issuer did not do it is no error.
    pub async fn logout_and_revoke(&self) -> Result<LoggedOut, LoginError> {
        let Some(tokens) = self.forget().await? else {
            return Ok(LoggedOut { issuer: None, revocation: Revocation::NotAsked });
        };
        let revocation = match self.revoke(&tokens).await {
            Ok(revocation) => revocation,
            Err(error) => Revocation::Failed(error),
        };
        Ok(LoggedOut { issuer: Some(tokens.issuer), revocation })
    }

    async fn forget(&self) -> Result<Option<Tokens>, LoginError> {
        let books = self.books();
        let tokens = match books.kept().await {
            Ok((Some(Kept::Tokens(tokens)), _)) => Some(*tokens),
            Ok((_, None)) => return Ok(None),
            // What is damaged goes, too.
            Ok(_) | Err(LoginError::Store(crate::credentials::StoreError::Damaged { .. })) => None,
            Err(error) => return Err(error),
        };
        books.keep(&Kept::LoggedOut).await?;
        if let Some(tokens) = &tokens {
            books.unregister(&tokens.issuer, &tokens.client).await?;
        }
        Ok(tokens)
    }

    async fn revoke(&self, tokens: &Tokens) -> Result<Revocation, LoginError> {
        let issuer = self.issuer(&tokens.issuer, tokens.is_assumed).await?;
        let Some(named) = issuer.revocation_endpoint.as_deref() else { return Ok(Revocation::NotOffered) };
        let url = issuer.named("revocation endpoint", Some(named))?;
        let world = &*self.parts.world;
        let refresh = tokens.refresh_token.as_ref().map(|token| (token, "refresh_token"));
        let access = (&tokens.access_token, "access_token");
        // Whoever revokes a refresh token revokes what came of it; some do not, so both are told of.
        let (mut revoked, mut ends_alone) = (false, false);
        for (token, hint) in refresh.into_iter().chain([access]) {
            let form = Form::default().with("token_type_hint", hint);
            let mut form = form.with_secret("token", token.clone());
            let mut headers = HeaderMap::new();
            let method = method_of(&tokens.client, &issuer);
            say_who(&tokens.client, method, &issuer.issuer, &mut form, &mut headers, world)?;
            let answer = self.fetch(form.call(url.clone(), headers)).await?;
            if answer.status.is_success() {
                revoked = true;
            } else if is_unsupported(&answer) {
                ends_alone = true;
            } else {
                let status = answer.status.as_u16();
                return Err(LoginError::IssuerRevokesNot { issuer: safe_url(&issuer.issuer), status });
            }
        }
        Ok(match (revoked, ends_alone) {
            (true, false) => Revocation::Done,
            (true, true) => Revocation::EndsAlone { ends_at: tokens.expires_at },
            (false, _) => Revocation::NotOffered,
        })
    }
}

/// Whether the issuer revokes no tokens of this kind (RFC 7009, section 2.2.1).
fn is_unsupported(answer: &Fetched) -> bool {
    let body = object::read(&answer.body).ok();
    body.is_some_and(|body| body["error"] == "unsupported_token_type")
}
