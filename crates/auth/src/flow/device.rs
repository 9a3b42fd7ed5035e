//! A person types a code in on another device (RFC 8628).
//!
//! ```text
//! Begun ──> Shown ──> Waited ──> Polled ──> a token
//!                       └── not yet ──┘
//! ```

use std::time::{Duration, SystemTime};

use codewhale_mcp_net::{Call, Fetched};
use codewhale_mcp_redact::{Secret, safe_url};
use http::HeaderMap;
use serde::Deserialize;
use url::Url;

use super::login::{Go, Gone, Stage, Target, answer};
use super::{Ask, DeviceCode, Input};
use crate::LoginError;
use crate::challenge::shown;
use crate::endpoint::endpoint;
use crate::object;
use crate::registration::Client;
use crate::step::Step;
use crate::token::{Exchange, Form, method_of, say_who};
use crate::world::World;

const DEVICE_CODE: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// One of the steps of a device.
#[derive(Debug)]
pub(super) enum Device {
    /// The answer with the code is awaited.
    Begun(Client),
    /// The code is shown.
    Shown(Pending),
    /// Time passes.
    Waited(Pending),
    /// The answer to whether it was typed in is awaited.
    Polled(Pending, Box<Exchange>),
}

/// A code that nobody has typed in yet.
#[derive(Debug)]
pub(super) struct Pending {
    client: Client,
    device_code: Secret<String>,
    interval: Duration,
    ends_at: SystemTime,
}

#[derive(Deserialize)]
struct Raw {
    device_code: String,
    user_code: String,
    verification_uri: Option<String>,
    /// What some call it.
    verification_url: Option<String>,
    verification_uri_complete: Option<String>,
    expires_in: Option<f64>,
    interval: Option<f64>,
}

impl Device {
    pub(super) fn begin(
        client: Client,
        target: &Target,
        world: &dyn World,
    ) -> Result<(Self, Call), LoginError> {
        let issuer = &target.found.issuer;
        let named = issuer.device_authorization_endpoint.as_deref();
        let url = issuer.named("device authorization endpoint", named)?;
        let scope = target.scopes.parameter();
        let mut form = Form::default().with("resource", &target.resource).with_any("scope", scope.as_deref());
        let mut headers = HeaderMap::new();
        say_who(&client, method_of(&client, issuer), &issuer.issuer, &mut form, &mut headers, world)?;
        // It is wanted however else we say who we are (section 3.1).
        if !form.has("client_id") {
            form = form.with("client_id", &client.id);
        }
        Ok((Self::Begun(client), form.call(url, headers)))
    }
}

impl Go {
    pub(super) fn device(self, target: Target, device: Device, input: Input, world: &dyn World) -> Gone {
        match device {
            Device::Begun(client) => {
                let issuer = &target.found.issuer;
                let (pending, code) = begun(client, &issuer.issuer, &answer(input), world)?;
                let exchange = issuer.token_endpoint()?;
                Ok(self.on(Stage::Device(target, Device::Shown(pending)), Ask::Show { code, exchange }))
            }
            Device::Shown(pending) => self.wait(target, pending, world),
            Device::Waited(pending) => {
                let form = Form::of(DEVICE_CODE)
                    .with("resource", &target.resource)
                    .with_secret("device_code", pending.device_code.clone());
                let (client, key, nonces) = (pending.client.clone(), target.key.clone(), self.nonces.clone());
                let (exchange, call) =
                    Exchange::begin(form, client, &target.found.issuer, key, nonces, world)?;
                Ok(self
                    .on(Stage::Device(target, Device::Polled(pending, Box::new(exchange))), Ask::Http(call)))
            }
            Device::Polled(mut pending, exchange) => match exchange.next(&answer(input), world) {
                Ok(Step::Ask(exchange, call)) => Ok(self
                    .on(Stage::Device(target, Device::Polled(pending, Box::new(exchange))), Ask::Http(call))),
                Ok(Step::Done((client, granted))) => self.done(target, client, granted),
                Err(LoginError::Refused { issuer, code, description }) => match code.as_str() {
                    "authorization_pending" => self.wait(target, pending, world),
                    "slow_down" => {
                        pending.interval += Duration::from_secs(5);
                        self.wait(target, pending, world)
                    }
                    "expired_token" => Err(LoginError::TimedOut),
                    "access_denied" => Err(LoginError::Declined),
                    _ => Err(LoginError::Refused { issuer, code, description }),
                },
                Err(error) => Err(error),
            },
        }
    }

    fn wait(self, target: Target, pending: Pending, world: &dyn World) -> Gone {
        if world.now() >= pending.ends_at {
            return Err(LoginError::TimedOut);
        }
        let interval = pending.interval;
        Ok(self.on(Stage::Device(target, Device::Waited(pending)), Ask::Wait(interval)))
    }
}

fn begun(
    client: Client,
    issuer: &str,
    answer: &Fetched,
    world: &dyn World,
) -> Result<(Pending, DeviceCode), LoginError> {
    let reply = |reason| LoginError::TokenReply { issuer: safe_url(issuer), reason };
    if !answer.status.is_success() {
        let body = object::read(&answer.body).ok();
        let text = |name: &str| body.as_ref().and_then(|body| body.get(name)?.as_str()).map(shown);
        let code = text("error").unwrap_or_else(|| format!("status {}", answer.status.as_u16()));
        return Err(LoginError::Refused {
            issuer: safe_url(issuer),
            code,
            description: text("error_description"),
        });
    }
    let raw: Raw = serde_json::from_slice(&answer.body).map_err(|_| reply("it names no code to type in"))?;
    let uri =
        raw.verification_uri.or(raw.verification_url).ok_or_else(|| reply("it names no place to go to"))?;
    let seconds = |given: Option<f64>, default: f64, most: f64| {
        let given = given.filter(|seconds| seconds.is_finite() && *seconds > 0.0);
        Duration::from_secs_f64(given.unwrap_or(default).min(most))
    };
    let lifetime = seconds(raw.expires_in, 600.0, 3600.0);
    let shown = DeviceCode {
        verification_uri: endpoint("verification URI", &uri)?,
        complete: raw.verification_uri_complete.map(|uri| place(&uri)).transpose()?,
        user_code: shown(&raw.user_code),
        lifetime,
    };
    let pending = Pending {
        client,
        device_code: Secret::new(raw.device_code),
        interval: seconds(raw.interval, 5.0, 300.0),
        ends_at: world.now() + lifetime,
    };
    Ok((pending, shown))
}

fn place(uri: &str) -> Result<Url, LoginError> {
    endpoint("verification URI", uri)
}
