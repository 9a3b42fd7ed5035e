//! The steps of a login, one a stage.

use codewhale_mcp_net::Fetched;
use codewhale_mcp_redact::{Secret, safe_url};

use super::device::Device;
use super::login::{Candidate, Go, Gone, Stage, Target};
use super::{Ask, Authorization, Callback, Grant, Scopes, SubjectKind, Tokens};
use crate::LoginError;
use crate::browse::Redirected;
use crate::discovery::{Found, IssuerMetadata};
use crate::registration::{Client, Identity, Source, identify};
use crate::step::Step;
use crate::token::{Exchange, Form, Granted, Kind};
use crate::world::World;

const ID_JAG: &str = "urn:ietf:params:oauth:token-type:id-jag";
const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const TOKEN_EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";

impl Go {
    pub(super) fn found(self, found: Found, world: &dyn World) -> Gone {
        let target = self.target(found)?;
        target.found.issuer.token_endpoint()?;
        let names = &self.settings.names;
        let issuer = &target.found.issuer;
        match (&self.settings.grant, &names.preset) {
            (Grant::Workload, None) => {
                Ok(self.ask_subject(target, Client::nobody(), SubjectKind::WorkloadToken))
            }
            (Grant::Client, None) => Err(LoginError::NoClient { issuer: safe_url(&issuer.issuer) }),
            _ => match identify(names, issuer)? {
                Identity::Known(client) => self.has_identity(target, client, world),
                Identity::Registered if self.settings.grant.needs_person() => {
                    let issuer = issuer.issuer.clone();
                    Ok(self.on(Stage::Recalled(target), Ask::Recall { issuer }))
                }
                Identity::Registered => Err(LoginError::NoClient { issuer: safe_url(&issuer.issuer) }),
            },
        }
    }

    fn has_identity(self, target: Target, client: Client, world: &dyn World) -> Gone {
        match &self.settings.grant {
            Grant::Code => {
                // A browser is of no use where nobody takes it in.
                target.found.issuer.authorization_endpoint()?;
                let stage = Stage::Landed(target, Candidate::Known(client));
                Ok(self.on(stage, Ask::Land { registered: None }))
            }
            Grant::Workload => Ok(self.ask_subject(target, client, SubjectKind::WorkloadToken)),
            Grant::Enterprise(enterprise) => {
                let subject = enterprise.subject;
                Ok(self.ask_subject(target, client, subject))
            }
            Grant::Device | Grant::Client => self.has_client(target, None, client, world),
        }
    }

    fn ask_subject(self, target: Target, client: Client, kind: SubjectKind) -> (super::Login, Ask) {
        self.on(Stage::Subject(target, client), Ask::Subject(kind))
    }

    /// The client is known, and so is where a browser comes back to.
    pub(super) fn has_client(
        self,
        target: Target,
        uri: Option<String>,
        client: Client,
        world: &dyn World,
    ) -> Gone {
        let scope = target.scopes.parameter();
        match (&self.settings.grant, uri) {
            (Grant::Code, Some(uri)) => {
                let Target { found, resource, scopes, .. } = &target;
                let prompt = self.reason.prompt;
                let exchange = found.issuer.token_endpoint()?;
                let (asked, url) =
                    Authorization::begin(&found.issuer, client, &uri, resource, scopes, prompt, world)?;
                let ask = Ask::Open { url, exchange, state: asked.state().clone() };
                Ok(self.on(Stage::Visited(target, asked, uri), ask))
            }
            (Grant::Device, _) => {
                let (device, call) = Device::begin(client, &target, world)?;
                Ok(self.on(Stage::Device(target, device), Ask::Http(call)))
            }
            _ => {
                let form = Form::of("client_credentials").with("resource", &target.resource);
                self.exchange(target, None, client, form.with_any("scope", scope.as_deref()), world)
            }
        }
    }

    pub(super) fn visited(
        self,
        target: Target,
        asked: Authorization,
        uri: String,
        redirected: &Redirected,
        world: &dyn World,
    ) -> Gone {
        let code = Callback::read(redirected)?.code(&asked, world.now())?;
        let (client, form) = asked.form(code);
        self.exchange(target, Some(uri), client, form, world)
    }

    pub(super) fn has_subject(
        self,
        target: Target,
        client: Client,
        subject: Secret<String>,
        world: &dyn World,
    ) -> Gone {
        let scope = target.scopes.parameter();
        let Grant::Enterprise(enterprise) = &self.settings.grant else {
            let form = Form::of(JWT_BEARER)
                .with("resource", &target.resource)
                .with_any("scope", scope.as_deref())
                .with_secret("assertion", subject);
            return self.exchange(target, None, client, form, world);
        };
        let form = Form::of(TOKEN_EXCHANGE)
            .with("requested_token_type", ID_JAG)
            .with("subject_token_type", enterprise.subject.urn())
            .with("audience", &target.found.issuer.issuer)
            .with("resource", &target.resource)
            .with_any("scope", scope.as_deref())
            .with_secret("subject_token", subject);
        let endpoint = enterprise.token_endpoint.clone();
        let issuer = enterprise.client.issuer.clone().unwrap_or_else(|| endpoint.clone());
        let provider = IssuerMetadata { issuer, token_endpoint: Some(endpoint), ..IssuerMetadata::default() };
        let theirs = Client::from(&enterprise.client);
        let (exchange, call) = Exchange::begin(form, theirs, &provider, None, self.nonces.clone(), world)?;
        Ok(self.on(Stage::Asserted(target, client, exchange), Ask::Http(call)))
    }

    pub(super) fn asserted(
        self,
        target: Target,
        client: Client,
        exchange: Exchange,
        answer: &Fetched,
        world: &dyn World,
    ) -> Gone {
        let granted = match exchange.next(answer, world)? {
            Step::Ask(exchange, call) => {
                return Ok(self.on(Stage::Asserted(target, client, exchange), Ask::Http(call)));
            }
            Step::Done((_, granted)) => granted,
        };
        if granted.issued_token_type.as_deref().is_some_and(|kind| kind != ID_JAG) {
            let issuer = "the identity provider".to_owned();
            return Err(LoginError::TokenReply { issuer, reason: "it is no assertion for another issuer" });
        }
        let scope = target.scopes.parameter();
        let form = Form::of(JWT_BEARER)
            .with_any("scope", scope.as_deref())
            .with_secret("assertion", granted.access_token);
        self.exchange(target, None, client, form, world)
    }

    fn exchange(
        self,
        target: Target,
        uri: Option<String>,
        client: Client,
        form: Form,
        world: &dyn World,
    ) -> Gone {
        let (key, nonces) = (target.key.clone(), self.nonces.clone());
        let (exchange, call) = Exchange::begin(form, client, &target.found.issuer, key, nonces, world)?;
        Ok(self.on(Stage::Exchanged(target, uri, exchange), Ask::Http(call)))
    }

    pub(super) fn exchanged(
        mut self,
        target: Target,
        uri: Option<String>,
        exchange: Exchange,
        answer: &Fetched,
        world: &dyn World,
    ) -> Gone {
        let is_registered = exchange.client().source == Source::Registered;
        match exchange.next(answer, world) {
            Ok(Step::Ask(exchange, call)) => {
                Ok(self.on(Stage::Exchanged(target, uri, exchange), Ask::Http(call)))
            }
            Ok(Step::Done((client, granted))) => self.done(target, client, granted),
            // The authorization server forgot us: it is told of us once more.
            Err(LoginError::Refused { code, .. })
                if code == "invalid_client" && is_registered && !self.has_replaced =>
            {
                self.has_replaced = true;
                let issuer = target.found.issuer.issuer.clone();
                Ok(self.on(Stage::Forgotten(target, uri), Ask::Keep { issuer, registration: None }))
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn done(self, target: Target, client: Client, granted: Granted) -> Gone {
        let issuer = target.found.issuer.issuer.clone();
        let reply = |reason| LoginError::TokenReply { issuer: safe_url(&issuer), reason };
        let key = match (granted.kind, &target.key) {
            (Kind::Bearer, _) => None,
            (Kind::Dpop, Some(key)) => Some(key.clone()),
            (Kind::Dpop, None) => return Err(reply("its token is bound to a key that is not ours")),
            (Kind::Exchanged, _) => return Err(reply("its token is not for a server")),
        };
        let tokens = Tokens {
            issuer: issuer.clone(),
            is_assumed: target.found.issuer.is_assumed,
            resource: target.resource,
            client,
            access_token: granted.access_token,
            kind: granted.kind,
            key,
            obtained_at: granted.obtained_at,
            expires_at: granted.expires_at,
            refresh_token: granted.refresh_token,
            granted: granted.scope.as_deref().map_or_else(|| target.scopes.clone(), Scopes::read),
            requested: target.scopes,
        };
        Ok(self.on(Stage::Done, Ask::Done(Box::new(tokens))))
    }
}
