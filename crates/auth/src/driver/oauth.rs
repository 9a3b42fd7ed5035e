//! All logins to one server.

use std::sync::Arc;

use super::books::Books;
use super::{OAuthAuthorizer, Parts};
use crate::LoginError;
use crate::browse::{Ending, Landing};
use crate::challenge::Demand;
use crate::credentials::{Kept, StoreError};
use crate::flow::{Ask, Grant, Input, Login, Prompt, Reason, Scopes, Settings, Tokens};
use crate::token::Nonces;

/// Logs in to one server, out of it, and keeps what comes of that.
#[derive(Debug, Clone)]
pub struct OAuth {
    pub(super) settings: Arc<Settings>,
    pub(super) parts: Parts,
    pub(super) nonces: Arc<Nonces>,
}

impl OAuth {
    /// For a server.
    #[must_use]
    pub fn new(settings: Settings, parts: Parts) -> Self {
        Self { settings: Arc::new(settings), parts, nonces: Arc::default() }
    }

    /// What authorizes the requests to the server. Whether it asks people is said by the parts.
    #[must_use]
    pub fn authorizer(self) -> Arc<OAuthAuthorizer> {
        Arc::new(OAuthAuthorizer::new(self))
    }

    /// What is kept of the server.
    ///
    /// # Errors
    /// [`LoginError::Store`].
    pub async fn kept(&self) -> Result<Option<Kept>, LoginError> {
        Ok(self.books().kept().await?.0)
    }

    /// Logs in, whatever is kept, and keeps what comes of it. `challenges` are the values of `WWW-Authenticate` that the
    /// server answered with, none when it was not asked.
    ///
    /// # Errors
    /// [`LoginError`]; what is kept stays as it is then.
    pub async fn login(&self, challenges: &[String]) -> Result<Tokens, LoginError> {
        self.login_for(Demand::read(challenges), None).await
    }

    pub(super) async fn login_for(
        &self,
        demand: Demand,
        former: Option<Scopes>,
    ) -> Result<Tokens, LoginError> {
        let books = self.books();
        let (prompt, known) = match books.kept().await {
            Ok((Some(Kept::LoggedOut), _)) => (Prompt::Consent, Vec::new()),
            Ok((Some(Kept::Tokens(tokens)), _)) => (Prompt::Unsaid, vec![tokens.issuer]),
            // What is damaged is replaced.
            Ok((None, _)) | Err(LoginError::Store(StoreError::Damaged { .. })) => {
                (Prompt::Unsaid, Vec::new())
            }
            Err(error) => return Err(error),
        };
        let settings = self.bound_to(known.first());
        let reason = Reason { demand, former, prompt, known };
        let mut landing = None;
        let outcome = match self.carry_out(settings, reason, &mut landing).await {
            Ok(tokens) => books.keep(&Kept::Tokens(Box::new(tokens.clone()))).await.map(|()| tokens),
            Err(error) => Err(error),
        };
        if let Some(landing) = landing {
            let failed = |error: &LoginError| Ending::Failed { reason: error.for_a_page() };
            landing.show(outcome.as_ref().map_or_else(failed, |_| Ending::LoggedIn)).await;
        }
        outcome
    }

    pub(super) async fn may_be_kept(&self) -> bool {
        self.parts.store.may_hold(&self.settings.key()).await
    }

    /// Whether a login is possible with these parts.
    pub(super) fn can_login(&self) -> bool {
        match self.settings.grant {
            Grant::Code => self.parts.browse.is_some(),
            Grant::Device => self.parts.show.is_some(),
            Grant::Client => true,
            Grant::Workload | Grant::Enterprise(_) => self.parts.subject.is_some(),
        }
    }

    pub(super) fn books(&self) -> Books<'_> {
        Books { settings: &self.settings, store: &*self.parts.store }
    }

    /// A configured client is its issuer's. Where none is named it is the one that it was used with: its secret goes to
    /// no other until a logout.
    fn bound_to(&self, known: Option<&String>) -> Arc<Settings> {
        let mut settings = Arc::clone(&self.settings);
        let named = settings.names.preset.as_ref().map(|preset| preset.issuer.is_some());
        if let (Some(false), Some(issuer)) = (named, known) {
            let names = &mut Arc::make_mut(&mut settings).names;
            if let Some(preset) = &mut names.preset {
                preset.issuer = Some(issuer.clone());
            }
        }
        settings
    }

    async fn carry_out(
        &self,
        settings: Arc<Settings>,
        reason: Reason,
        landing: &mut Option<Box<dyn Landing>>,
    ) -> Result<Tokens, LoginError> {
        let nonces = Arc::clone(&self.nonces);
        let (mut login, mut ask) = Login::begin_with(settings, reason, nonces)?;
        loop {
            let input = match ask {
                Ask::Done(tokens) => return Ok(*tokens),
                Ask::Http(call) => Input::Answer(self.fetch(call).await?),
                Ask::Recall { issuer } => Input::Registration(self.books().registration(&issuer).await?),
                Ask::Keep { issuer, registration } => {
                    self.books().register(&issuer, registration.as_ref()).await?;
                    Input::Done
                }
                Ask::Land { registered } => {
                    let landed = self.browse()?.land(registered.as_deref()).await?;
                    let uri = landed.redirect_uri().to_owned();
                    *landing = Some(landed);
                    Input::Landed(uri)
                }
                Ask::Open { url, exchange, state } => {
                    // Where the browser's own way leads is the browser's matter.
                    self.parts.fetch.judge(&url)?;
                    self.parts.fetch.judge_resolved(&exchange).await?;
                    let landing = landing.as_ref().expect("a place to come back to is asked for first");
                    Input::Redirected(landing.visit(url.as_str(), &state).await?)
                }
                Ask::Show { code, exchange } => {
                    self.parts.fetch.judge_resolved(&exchange).await?;
                    self.show()?.show(code).await;
                    Input::Done
                }
                Ask::Wait(time) => {
                    tokio::time::sleep(time).await;
                    Input::Done
                }
                Ask::Subject(kind) => Input::Subject(self.subject(kind)?.token(kind).await?),
            };
            (login, ask) = login.next(input, &*self.parts.world)?;
        }
    }
}
