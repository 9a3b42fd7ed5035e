//! The pages that we leave a browser with.

use std::net::TcpListener;

use codewhale_testkit::HttpFake;

use super::super::machine::Machine;
use super::super::provider::{Setup, with};
use super::browser::{Browser, Does};
use crate::check::{Check, Outcome, checks};
use crate::expect::{contains, same};
use crate::world::{Guarded, World};

const SETUP: Setup = Setup { server: Guarded::TypeScript, seconds: 3600 };

/// What a provider may say that a browser would take for more than a text.
const HOSTILE: &str =
    "<script>document.title='run'</script><img src=x onerror=\"document.title='run'\"></p><h1>Paid</h1>";

pub(in crate::login) fn checks() -> Vec<Check> {
    checks!["chromium";
        logs_in_and_is_shown_so,
        refuses_and_is_shown_so,
        shows_the_words_of_a_provider_as_words,
        is_not_waited_for_any_more_when_the_login_is_interrupted,
    ]
}

async fn logs_in_and_is_shown_so(world: &World) -> Outcome {
    with(world, SETUP, async |_, machine| {
        let browser = Browser::new(world, machine, "alice", Does::Agrees)?;
        let waiting = machine.begin(&[]).await?;
        let page = browser.page().await?;
        waiting.end().await?.prints("logged in to s")?.says("a browser opens this address")?;
        page.is("You are logged in", "You can close this page.")?;
        machine.run(&["mcp", "call", "s", "who"]).await?.prints("alice").map(drop)
    })
    .await
}

async fn refuses_and_is_shown_so(world: &World) -> Outcome {
    with(world, SETUP, async |provider, machine| {
        let browser = Browser::new(world, machine, "alice", Does::Refuses)?;
        let waiting = machine.begin(&[]).await?;
        let page = browser.page().await?;
        waiting.end().await?.ends(1)?.says("the authorization was declined")?;
        page.is("The login failed", "the authorization was declined")?;
        same("the requests for tokens", provider.tokens("authorization_code").await?.len(), 0)
    })
    .await
}

async fn shows_the_words_of_a_provider_as_words(world: &World) -> Outcome {
    let fake = HttpFake::start_with(&["oauth", "--error", HOSTILE]);
    let machine = Machine::new(world, &fake.url())?;
    let browser = Browser::new(world, &machine, "alice", Does::Agrees)?;
    let waiting = machine.begin(&[]).await?;
    let page = browser.page().await?;
    waiting.end().await?.ends(1)?;
    page.is("The login failed", HOSTILE)
}

async fn is_not_waited_for_any_more_when_the_login_is_interrupted(world: &World) -> Outcome {
    with(world, SETUP, async |provider, machine| {
        let browser = Browser::new(world, machine, "alice", Does::Looks)?;
        let waiting = machine.begin(&[]).await?;
        let page = browser.page().await?;
        contains(page.title(), "ran")?;
        let back: url::Url = waiting
            .parameter("redirect_uri")
            .unwrap_or_default()
            .parse()
            .map_err(|error| format!("{error}"))?;
        let port = back.port().ok_or("it has no port")?;
        same("whether the port is taken", TcpListener::bind(("127.0.0.1", port)).is_err(), true)?;
        waiting.interrupt()?;
        waiting.end().await?.ends(130)?;
        TcpListener::bind(("127.0.0.1", port)).map_err(|error| format!("port {port}: {error}"))?;
        machine.run(&["mcp", "call", "s", "who"]).await?.ends(3)?;
        same("the requests for tokens", provider.tokens("authorization_code").await?.len(), 0)
    })
    .await
}
