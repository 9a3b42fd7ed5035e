//! A login with everything that belongs to it.

use std::sync::Arc;

use codewhale_mcp_auth::LoginError;
use codewhale_mcp_auth::credentials::InMemory;
use codewhale_mcp_auth::driver::{OAuth, Parts};
use codewhale_mcp_auth::flow::{Settings, Tokens};
use codewhale_mcp_auth::registration::Preset;
use codewhale_mcp_redact::Secret;

use crate::play::{Person, Play, Still, server};

/// What a login is made with, to be changed before it is made.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) play: Arc<Play>,
    pub(crate) person: Person,
    pub(crate) clock: Arc<Still>,
    pub(crate) store: Arc<InMemory>,
    pub(crate) settings: Settings,
    pub(crate) parts: Parts,
}

impl Case {
    pub(crate) fn usual() -> Self {
        Self::of(Play::usual())
    }

    pub(crate) fn of(play: Play) -> Self {
        Self::with(play, Person::new("code=c1&state={state}"))
    }

    pub(crate) fn with(play: Play, person: Person) -> Self {
        let (play, store, clock) = (Arc::new(play), Arc::<InMemory>::default(), Arc::<Still>::default());
        let mut parts = Parts::new(play.clone(), store.clone());
        parts.world = clock.clone();
        parts.browse = Some(Arc::new(person.clone()));
        Self { play, person, clock, store, settings: Settings::new("s", server(), "Codewhale"), parts }
    }

    pub(crate) fn oauth(&self) -> OAuth {
        OAuth::new(self.settings.clone(), self.parts.clone())
    }

    /// The same without anybody to ask.
    pub(crate) fn alone(&self) -> OAuth {
        OAuth::new(self.settings.clone(), Parts { browse: None, ..self.parts.clone() })
    }

    pub(crate) async fn login(&self) -> Result<Tokens, LoginError> {
        self.login_for(&[]).await
    }

    pub(crate) async fn login_for(&self, challenges: &[&str]) -> Result<Tokens, LoginError> {
        let challenges: Vec<String> = challenges.iter().map(|one| (*one).to_owned()).collect();
        self.oauth().login(&challenges).await
    }
}

/// A client that is configured.
pub(crate) fn preset(id: &str, secret: Option<&str>) -> Preset {
    let secret = secret.map(|secret| Secret::new(secret.to_owned()));
    Preset { id: id.to_owned(), secret, ..Preset::default() }
}
