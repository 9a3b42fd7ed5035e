//! A person logs in, or out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use codewhale_mcp_auth::LoginError;
use codewhale_mcp_auth::browse::Browse;
use codewhale_mcp_auth::discovery::Fallback;
use codewhale_mcp_auth::driver::{LoggedOut, OAuth, Parts, ShowCode};
use codewhale_mcp_auth::flow::{DeviceCode, Grant, Scopes, Settings, Tokens};
use codewhale_mcp_config::{Remote, Server, Transport};
use codewhale_mcp_net::Authorizer;
use url::Url;

use super::authorizer::{Asking, Noting};
use super::settings::settings;
use super::standing::Held;
use crate::endpoint::{guard, has_credentials};
use crate::logs::Log;
use crate::{Failure, FailureClass, Manager};

/// How a person logs in.
#[derive(Debug, Clone)]
pub struct LoginPlan {
    /// The scopes to ask for, in the place of the definition's and the server's.
    pub scopes: Vec<String>,
    /// The way to go.
    pub way: Way,
    /// Sends them to a browser.
    pub browse: Arc<dyn Browse>,
    /// Shows them a code to type in on another device.
    pub show: Arc<dyn ShowCode>,
}

/// The way a person logs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// In a browser that comes back to this machine.
    Browser,
    /// On another device where that is offered, else as with a browser.
    Device,
}

/// What a login came to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoggedIn {
    /// There is a token, and it is kept.
    Done {
        /// What is known of it.
        held: Held,
        /// What it is for.
        resource: String,
        /// The client that it was given to.
        client_id: String,
    },
    /// The server lets everybody in and knows of no login.
    NotNeeded,
}

/// There is no login.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoginRefused {
    /// The server is none with a URL.
    #[error("only servers with a URL have logins, and this one is of type {kind}")]
    NoUrl {
        /// What it is.
        kind: &'static str,
    },
    /// The definition itself says what authorizes requests.
    #[error("its definition sends credentials of its own, so that no login is used")]
    OwnCredentials,
    /// The server cannot be reached, or its definition cannot be used.
    #[error("{0}")]
    Server(Failure),
    /// The login came to nothing.
    #[error(transparent)]
    Login(#[from] LoginError),
}

/// Whether the issuer is told of a logout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogoutPlan {
    /// Only what is kept here goes.
    Here,
    /// It is told that the tokens are no good any more.
    Revoke,
}

impl Manager {
    /// A person logs in to a server, whatever is kept, and what comes of it is kept. They may take their time: a limit
    /// is where they are asked.
    ///
    /// # Errors
    /// [`LoginRefused`]; what is kept stays as it is then.
    ///
    /// # Panics
    /// Outside a tokio runtime that drives I/O and time.
    pub async fn login(&self, server: &Server, plan: LoginPlan) -> Result<LoggedIn, LoginRefused> {
        let (remote, url) = remote(server)?;
        if has_credentials(remote) {
            return Err(LoginRefused::OwnCredentials);
        }
        let log = self.logs().log(&server.name, server.redactor());
        let mut settings = self.settings_of(server, remote, url, &log).map_err(LoginRefused::Server)?;
        let (challenges, instead) = match self.challenged(server).await {
            Challenged::Yes(challenges) => (challenges, None),
            Challenged::No => (Vec::new(), Some(Ok(LoggedIn::NotNeeded))),
            Challenged::Lost(failure) => return Err(LoginRefused::Server(failure)),
            Challenged::Unclear(failure) => (Vec::new(), Some(Err(LoginRefused::Server(failure)))),
        };
        // Who authorized without a document about it, asked for it with status 401.
        if instead.is_some() {
            settings.fallback = Fallback::Refused;
        }
        let mut parts = self.parts(server, remote, &log).map_err(LoginRefused::Server)?;
        parts.browse = Some(plan.browse.clone());
        settings.scopes = self.scopes(&settings, &parts, &plan).await.or(settings.scopes);
        match (go(settings, parts, &plan, &challenges).await, instead) {
            (Ok(tokens), _) => Ok(done(tokens)),
            (Err(error), Some(instead)) if is_before_anybody(&error) => instead,
            (Err(error), _) => Err(error.into()),
        }
    }

    /// Forgets a login, and leaves a mark, so that whoever logs in next is asked for consent.
    ///
    /// # Errors
    /// [`LoginRefused`].
    pub async fn logout(&self, server: &Server, plan: LogoutPlan) -> Result<LoggedOut, LoginRefused> {
        let (remote, url) = remote(server)?;
        let log = self.logs().log(&server.name, server.redactor());
        let parts = self.parts(server, remote, &log).map_err(LoginRefused::Server)?;
        let settings = match plan {
            LogoutPlan::Revoke => self.settings_of(server, remote, url, &log),
            // Nobody is told who we are.
            LogoutPlan::Here => settings(&server.name, url, remote, |_| Some("-".into())),
        };
        let oauth = OAuth::new(settings.map_err(LoginRefused::Server)?, parts);
        Ok(match plan {
            LogoutPlan::Here => oauth.logout().await?,
            LogoutPlan::Revoke => oauth.logout_and_revoke().await?,
        })
    }

    /// What authorizes the requests to a server with what is kept.
    pub(crate) fn authorizer(
        &self,
        server: &Server,
        remote: &Remote,
        url: Url,
        log: &Log,
    ) -> Result<Arc<dyn Authorizer>, Failure> {
        let settings = self.settings_of(server, remote, url, log)?;
        let (key, notes) = (settings.key(), self.setup().credentials.notes.clone());
        let oauth = OAuth::new(settings, self.parts(server, remote, log)?);
        Ok(Arc::new(Noting::new(oauth.authorizer(), notes, key)))
    }

    fn settings_of(
        &self,
        server: &Server,
        remote: &Remote,
        url: Url,
        log: &Log,
    ) -> Result<Settings, Failure> {
        let settings = settings(&server.name, url, remote, |name| self.setup().variable(name))?;
        if let Some(secret) = settings.names.preset.as_ref().and_then(|preset| preset.secret.as_ref()) {
            (self.setup().credentials.hear)(secret);
            log.hide(secret);
        }
        Ok(settings)
    }

    /// What logins are carried out with; nobody is asked anything.
    fn parts(&self, server: &Server, remote: &Remote, log: &Log) -> Result<Parts, Failure> {
        let setup = self.setup();
        let guard = guard(server, remote, setup.network.lists.clone(), self.proxies().clone())?;
        let egress = self.engine().egress(guard, codewhale_mcp_net::Purpose::Login);
        let log = log.clone();
        let store = setup.credentials.telling(move |secret| log.hide(secret));
        let mut parts = Parts::new(Arc::new(egress), store);
        parts.world = Arc::new(super::credentials::Clock(setup.clock));
        Ok(parts)
    }

    /// How the server answers whoever has no token.
    async fn challenged(&self, server: &Server) -> Challenged {
        let asking = Arc::new(Asking::default());
        let attempt = self.attempt_with(server, asking.clone()).await;
        if let Some(connection) = attempt.connection {
            connection.close().await;
        }
        match (asking.challenges(), attempt.report.outcome) {
            (Some(challenges), _) => Challenged::Yes(challenges),
            (None, crate::Outcome::Failed(failure)) => match failure.class {
                FailureClass::Config
                | FailureClass::MissingVariable
                | FailureClass::Unreachable
                | FailureClass::Blocked
                | FailureClass::Redirected
                | FailureClass::TimedOut
                | FailureClass::Interrupted => Challenged::Lost(failure),
                _ => Challenged::Unclear(failure),
            },
            (None, _) => Challenged::No,
        }
    }

    /// The scopes that are asked for beyond what the definition says: the person's, else those of the login before and
    /// what the server found lacking.
    async fn scopes(&self, settings: &Settings, parts: &Parts, plan: &LoginPlan) -> Option<Scopes> {
        if !plan.scopes.is_empty() {
            return Some(plan.scopes.iter().map(String::as_str).collect());
        }
        let (notes, key) = (self.setup().credentials.notes.clone(), settings.key());
        let note = tokio::task::spawn_blocking(move || notes.of(&key)).await.ok()?;
        let lacking = Scopes::read(&note.asked?.scopes?);
        let kept = OAuth::new(settings.clone(), parts.clone()).kept().await.ok()??;
        let codewhale_mcp_auth::credentials::Kept::Tokens(tokens) = kept else { return Some(lacking) };
        Some(tokens.requested.union(&lacking))
    }
}

/// How a server answers whoever has no token.
enum Challenged {
    /// It asks for one.
    Yes(Vec<String>),
    /// It lets them in.
    No,
    /// It does not answer.
    Lost(Failure),
    /// It answers something else.
    Unclear(Failure),
}

async fn go(
    mut settings: Settings,
    mut parts: Parts,
    plan: &LoginPlan,
    challenges: &[String],
) -> Result<Tokens, LoginError> {
    if plan.way == Way::Device {
        let shown = Arc::new(Shown { show: plan.show.clone(), is_shown: AtomicBool::new(false) });
        parts.show = Some(shown.clone());
        settings.grant = Grant::Device;
        let outcome = OAuth::new(settings.clone(), parts.clone()).login(challenges).await;
        match outcome {
            // It is not offered, or not to us.
            Err(LoginError::IssuerOffersNot { .. } | LoginError::Refused { .. })
                if !shown.is_shown.load(Ordering::Relaxed) => {}
            outcome => return outcome,
        }
        settings.grant = Grant::Code;
    }
    OAuth::new(settings, parts).login(challenges).await
}

/// Shows a code, and knows whether it did.
#[derive(Debug)]
struct Shown {
    show: Arc<dyn ShowCode>,
    is_shown: AtomicBool,
}

#[async_trait]
impl ShowCode for Shown {
    async fn show(&self, code: DeviceCode) {
        self.is_shown.store(true, Ordering::Relaxed);
        self.show.show(code).await;
    }
}

/// Whether it failed before it was known who authorizes for the server.
fn is_before_anybody(error: &LoginError) -> bool {
    matches!(
        error,
        LoginError::ServerOffersNone { .. }
            | LoginError::ServerMetadata { .. }
            | LoginError::ServerResource { .. }
            | LoginError::Slow { .. }
            | LoginError::Net(_)
    )
}

fn done(tokens: Tokens) -> LoggedIn {
    let held = Held {
        issuer: tokens.issuer,
        scopes: tokens.granted.to_string(),
        ends_at: tokens.expires_at,
        renews: tokens.refresh_token.is_some(),
    };
    LoggedIn::Done { held, resource: tokens.resource, client_id: tokens.client.id }
}

fn remote(server: &Server) -> Result<(&Remote, Url), LoginRefused> {
    let (Transport::Http(remote) | Transport::Sse(remote)) = &server.transport else {
        return Err(LoginRefused::NoUrl { kind: server.transport.as_str() });
    };
    let url = crate::endpoint::url(remote).map_err(LoginRefused::Server)?;
    Ok((remote, url))
}
