//! The way from a challenge to a token.

use std::sync::Arc;

use codewhale_mcp_net::Fetched;

use super::device::Device;
use super::scope::Sources;
use super::{Ask, Authorization, Grant, Input, Prompt, Scopes, Settings};
use crate::LoginError;
use crate::challenge::Demand;
use crate::discovery::{Discovery, Found};
use crate::registration::{Client, Registration};
use crate::step::Step;
use crate::token::{Exchange, Nonces, ProofKey};
use crate::world::World;

/// Why there is a login.
#[derive(Debug, Clone, Default)]
pub struct Reason {
    /// What the server asks for.
    pub demand: Demand,
    /// The scopes that were asked for before, where the server wants more.
    pub former: Option<Scopes>,
    /// Whether the person is asked for consent again.
    pub prompt: Prompt,
    /// Issuers of which we have credentials. One of them is rather used than another.
    pub known: Vec<String>,
}

/// A login that waits for what came of its last ask.
#[derive(Debug)]
pub struct Login {
    pub(super) settings: Arc<Settings>,
    pub(super) reason: Reason,
    pub(super) nonces: Arc<Nonces>,
    /// Whether a registration that is not known any more was replaced.
    pub(super) has_replaced: bool,
    pub(super) stage: Stage,
}

/// What a login waits for.
#[derive(Debug)]
pub(super) enum Stage {
    Discovery(Discovery),
    /// What is kept of a registration.
    Recalled(Target),
    /// A place to come back to, for a client that is known or a registration that may fit it.
    Landed(Target, Candidate),
    /// The answer to a registration.
    Registered(Target, Option<String>, Naming),
    /// That a registration is kept.
    Kept(Target, Option<String>, Client),
    /// That a registration is forgotten.
    Forgotten(Target, Option<String>),
    /// The browser.
    Visited(Target, Authorization, String),
    /// What stands for us, or for a person.
    Subject(Target, Client),
    /// The assertion of an enterprise.
    Asserted(Target, Client, Exchange),
    /// The answer of the token endpoint.
    Exchanged(Target, Option<String>, Exchange),
    /// One of the steps of a device.
    Device(Target, Device),
    /// Nothing any more.
    Done,
}

/// Who is asked for a token of what.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) found: Found,
    pub(super) resource: String,
    pub(super) scopes: Scopes,
    pub(super) key: Option<Arc<ProofKey>>,
}

/// Whether a registration names the scopes that are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    Scopes,
    Nothing,
}

/// Who may come back.
#[derive(Debug)]
pub(super) enum Candidate {
    Known(Client),
    Kept(Registration),
    Unknown,
}

impl Login {
    /// Begins a login.
    ///
    /// # Errors
    /// [`LoginError`] when the challenge names no place to go to.
    pub fn begin(settings: Arc<Settings>, reason: Reason) -> Result<(Self, Ask), LoginError> {
        Self::begin_with(settings, reason, Arc::default())
    }

    pub(crate) fn begin_with(
        settings: Arc<Settings>,
        mut reason: Reason,
        nonces: Arc<Nonces>,
    ) -> Result<(Self, Ask), LoginError> {
        if let Some(issuer) = settings.names.preset.as_ref().and_then(|preset| preset.issuer.clone()) {
            reason.known.insert(0, issuer);
        }
        let told = reason.demand.resource_metadata.as_deref();
        let (discovery, call) =
            Discovery::begin(settings.server.clone(), told, reason.known.clone(), settings.fallback)?;
        let stage = Stage::Discovery(discovery);
        Ok((Self { settings, reason, nonces, has_replaced: false, stage }, Ask::Http(call)))
    }

    /// Takes what came of the last ask, and gives the next.
    ///
    /// # Errors
    /// [`LoginError`] ends the login.
    ///
    /// # Panics
    /// When the input does not belong to the last ask.
    pub fn next(self, input: Input, world: &dyn World) -> Result<(Self, Ask), LoginError> {
        let Self { settings, reason, nonces, has_replaced, stage } = self;
        let go = Go { settings, reason, nonces, has_replaced };
        match (stage, input) {
            (Stage::Discovery(discovery), Input::Answer(answer)) => match discovery.next(&answer)? {
                Step::Ask(discovery, call) => Ok(go.on(Stage::Discovery(discovery), Ask::Http(call))),
                Step::Done(found) => go.found(found, world),
            },
            (Stage::Recalled(target), Input::Registration(kept)) => go.recalled(target, kept, world),
            (Stage::Landed(target, candidate), Input::Landed(uri)) => {
                go.landed(target, candidate, uri, world)
            }
            (Stage::Registered(target, uri, naming), Input::Answer(answer)) => {
                go.registered(target, uri, naming, &answer)
            }
            (Stage::Kept(target, uri, client), Input::Done) => go.has_client(target, uri, client, world),
            (Stage::Forgotten(target, uri), Input::Done) => go.register(target, uri, Naming::Scopes),
            (Stage::Visited(target, asked, uri), Input::Redirected(redirected)) => {
                go.visited(target, asked, uri, &redirected, world)
            }
            (Stage::Subject(target, client), Input::Subject(subject)) => {
                go.has_subject(target, client, subject, world)
            }
            (Stage::Asserted(target, client, exchange), Input::Answer(answer)) => {
                go.asserted(target, client, exchange, &answer, world)
            }
            (Stage::Exchanged(target, uri, exchange), Input::Answer(answer)) => {
                go.exchanged(target, uri, exchange, &answer, world)
            }
            (Stage::Device(target, device), input) => go.device(target, device, input, world),
            (stage, input) => panic!("{input:?} is no answer to what {stage:?} waits for"),
        }
    }
}

/// A login on its way from one stage to the next.
pub(super) struct Go {
    pub(super) settings: Arc<Settings>,
    pub(super) reason: Reason,
    pub(super) nonces: Arc<Nonces>,
    pub(super) has_replaced: bool,
}

/// A login at its next stage, and what it asks for.
pub(super) type Gone = Result<(Login, Ask), LoginError>;

impl Go {
    pub(super) fn on(self, stage: Stage, ask: Ask) -> (Login, Ask) {
        let Self { settings, reason, nonces, has_replaced } = self;
        (Login { settings, reason, nonces, has_replaced, stage }, ask)
    }

    /// What is asked for, of whom.
    pub(super) fn target(&self, found: Found) -> Result<Target, LoginError> {
        let sources = Sources {
            configured: self.settings.scopes.as_ref(),
            challenge: self.reason.demand.scope.as_deref(),
            resource: found.scopes_supported.as_ref(),
            issuer: found.issuer.scopes_supported.as_ref(),
            former: self.reason.former.as_ref(),
        };
        let scopes = sources.pick(matches!(self.settings.grant, Grant::Code | Grant::Device));
        let key = super::settings::proof_key(&self.settings, &self.reason.demand, &found)?;
        let resource = self.settings.resource.clone().unwrap_or_else(|| found.resource.clone());
        Ok(Target { found, resource, scopes, key })
    }
}

/// An answer that a stage does not wait for would be a fault of the driver.
pub(super) fn answer(input: Input) -> Fetched {
    match input {
        Input::Answer(answer) => answer,
        other => panic!("{other:?} is no answer to a request"),
    }
}
