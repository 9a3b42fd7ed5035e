//! Logins with a real browser: headless Chromium, which the binary opens as it opens browsers on a desktop.

use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::Duration;

use codewhale_testkit::HttpFake;
use serde_json::Value;
use tempfile::TempDir;

use super::machine::Machine;
use super::provider::{Setup, with};
use crate::check::{Check, Outcome, checks};
use crate::expect::{contains, same};
use crate::world::{Guarded, World};

/// How often it is looked for a page that is there.
const OFTEN: Duration = Duration::from_millis(20);

const SETUP: Setup = Setup { server: Guarded::TypeScript, seconds: 3600 };

/// What a provider may say that a browser would take for more than a text.
const HOSTILE: &str =
    "<script>document.title='run'</script><img src=x onerror=\"document.title='run'\"></p><h1>Paid</h1>";

pub(crate) fn checks() -> Vec<Check> {
    checks!["chromium";
        logs_in_and_is_shown_so,
        refuses_and_is_shown_so,
        shows_the_words_of_a_provider_as_words,
        is_not_waited_for_any_more_when_the_login_is_interrupted,
    ]
}

async fn logs_in_and_is_shown_so(world: &World) -> Outcome {
    with(world, SETUP, async |_, machine| {
        let browser = Browser::new(world, machine, "agrees")?;
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
        let browser = Browser::new(world, machine, "refuses")?;
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
    let browser = Browser::new(world, &machine, "agrees")?;
    let waiting = machine.begin(&[]).await?;
    let page = browser.page().await?;
    waiting.end().await?.ends(1)?;
    page.is("The login failed", HOSTILE)
}

async fn is_not_waited_for_any_more_when_the_login_is_interrupted(world: &World) -> Outcome {
    with(world, SETUP, async |provider, machine| {
        let browser = Browser::new(world, machine, "looks")?;
        let waiting = machine.begin(&[]).await?;
        let page = browser.page().await?;
        contains(&page.0["title"].to_string(), "ran")?;
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

/// Chromium as the program that opens addresses.
struct Browser {
    folder: TempDir,
}

/// What a page is like.
struct Page(Value);

impl Page {
    /// It is one of ours, says this, and no script runs in it.
    fn is(&self, title: &str, text: &str) -> Outcome {
        same("its title", &self.0["title"], title)?;
        same("its heading", &self.0["heading"], title)?;
        contains(self.0["text"].as_str().unwrap_or_default(), text)?;
        same("its elements", &self.0["elements"], "h1 p")
    }
}

impl Browser {
    /// From now on addresses are opened with it.
    fn new(world: &World, machine: &Machine, does: &str) -> Result<Self, String> {
        let browser = Self { folder: world.folder()? };
        let opener = browser.folder.path().join("xdg-open");
        let script = world.browser_script();
        let text = format!("#!/bin/sh\nexec node {} \"$@\"\n", script.display());
        fs::write(&opener, text).map_err(|error| error.to_string())?;
        fs::set_permissions(&opener, Permissions::from_mode(0o700)).map_err(|error| error.to_string())?;
        let path = std::env::var("PATH").unwrap_or_default();
        machine.has("PATH", format!("{}:{path}", browser.folder.path().display()));
        machine.has("BROWSER_DOES", does);
        machine.has("BROWSER_REPORT", browser.report());
        machine.has("BROWSER_PROGRAM", world.chromium.as_ref().ok_or("--chromium is missing")?);
        Ok(browser)
    }

    /// The page that it ended at, when it has gone.
    async fn page(&self) -> Result<Page, String> {
        let mut looks = tokio::time::interval(OFTEN);
        let found = tokio::time::timeout(Duration::from_secs(60), async {
            loop {
                looks.tick().await;
                if let Ok(bytes) = fs::read(self.report()) {
                    return bytes;
                }
            }
        });
        let bytes = found.await.map_err(|_| "Chromium shows nothing".to_owned())?;
        serde_json::from_slice(&bytes).map(Page).map_err(|error| error.to_string())
    }

    fn report(&self) -> PathBuf {
        self.folder.path().join("report")
    }
}
