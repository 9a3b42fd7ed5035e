//! A certified provider, a server that wants its tokens, and what they were asked.

use std::time::Duration;

use codewhale_testkit::Secrets;
use serde_json::Value;
use tokio::time::timeout;
use url::Url;

use super::machine::Machine;
use super::plain::{Answer, get, post};
use crate::check::Outcome;
use crate::expect::same;
use crate::running::Running;
use crate::world::{Guarded, World};

/// No check takes longer; it is far more than any needs, also one that starts Chromium many times.
const LONGEST: Duration = Duration::from_secs(300);

/// What a provider and the server beside it are like.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setup {
    pub(super) server: Guarded,
    /// For how many seconds an access token is good.
    pub(super) seconds: u32,
}

/// A provider with a server beside it.
pub(super) struct Provider {
    provider: Running,
    server: Running,
}

/// One request to the provider, and its answer.
pub(super) struct Seen(Value);

impl Seen {
    pub(super) fn status(&self) -> u64 {
        self.0["status"].as_u64().unwrap_or_default()
    }

    /// What it said.
    pub(super) fn asked(&self, name: &str) -> Option<&str> {
        self.0["asked"][name].as_str()
    }
}

/// Starts both, does something with them on a machine of its own, and stops them whatever came of that. No secret that
/// was on the wire may be seen on the machine then.
pub(super) async fn with(
    world: &World,
    setup: Setup,
    check: impl AsyncFnOnce(&Provider, &Machine) -> Outcome,
) -> Outcome {
    let provider = Provider::start(world, setup).await?;
    let outcome = async {
        let machine = Machine::new(world, &provider.server_url())?;
        let checked = timeout(LONGEST, check(&provider, &machine)).await;
        checked.unwrap_or_else(|_| Err(format!("did not come to its end within {} s", LONGEST.as_secs())))?;
        provider.shows_nothing(&machine).await
    };
    let outcome = outcome.await;
    for running in [&provider.server, &provider.provider] {
        running.stop().await?;
    }
    outcome
}

impl Provider {
    async fn start(world: &World, setup: Setup) -> Result<Self, String> {
        let port = world.shared.port()?;
        let launch = world.provider(port, setup.seconds, setup.server);
        let provider = Running::start(launch, port, world.guard.clone()).await?;
        let port = world.shared.port()?;
        let launch = world.guarded(setup.server, port, &issuer(&provider));
        match Running::start(launch, port, world.guard.clone()).await {
            Ok(server) => Ok(Self { provider, server }),
            Err(why) => {
                provider.stop().await?;
                Err(why)
            }
        }
    }

    pub(super) fn issuer(&self) -> String {
        issuer(&self.provider)
    }

    pub(super) fn server_url(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.server.port)
    }

    /// Every request to one of its paths, in their order.
    pub(super) async fn seen(&self, path: &str) -> Result<Vec<Seen>, String> {
        let all = self.all().await?.into_iter();
        Ok(all.filter(|one| one["path"] == path).map(Seen).collect())
    }

    /// The answers to requests for tokens of one kind, by their status.
    pub(super) async fn tokens(&self, grant: &str) -> Result<Vec<u64>, String> {
        let seen = self.seen("/token").await?;
        Ok(seen.iter().filter(|one| one.asked("grant_type") == Some(grant)).map(Seen::status).collect())
    }

    /// Asks for a token with this refresh token.
    pub(super) async fn refresh(&self, token: &str, client: &str) -> Result<Answer, String> {
        let form = [("grant_type", "refresh_token"), ("refresh_token", token), ("client_id", client)];
        post(&self.at("/token")?, &form).await
    }

    /// Ends an access token before its time.
    pub(super) async fn end(&self, token: &str) -> Outcome {
        same("the answer", get(&self.at(&format!("/-/end?{token}"))?).await?.status, 200)
    }

    /// Tokens that it gives from now on are good for so long.
    pub(super) async fn tokens_last(&self, seconds: u32) -> Outcome {
        same("the answer", get(&self.at(&format!("/-/last?{seconds}"))?).await?.status, 200)
    }

    fn at(&self, path: &str) -> Result<Url, String> {
        format!("{}{path}", self.issuer()).parse().map_err(|error| format!("{path}: {error}"))
    }

    async fn all(&self) -> Result<Vec<Value>, String> {
        let page = get(&self.at("/-/seen")?).await?;
        serde_json::from_str(&page.body).map_err(|error| format!("what the provider saw: {error}"))
    }

    /// Nothing of what was secret here is seen there, but in the file that is made for it.
    async fn shows_nothing(&self, machine: &Machine) -> Outcome {
        let mut secrets = Secrets::default();
        for one in self.all().await? {
            secrets.add_json(&one["asked"]);
            secrets.add_json(&one["answered"]);
        }
        machine.hides(&secrets)
    }
}

fn issuer(provider: &Running) -> String {
    format!("http://127.0.0.1:{}", provider.port)
}
