//! Logins that are kept in a real gnome-keyring.

use std::os::unix::net::UnixListener;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::machine::Machine;
use super::provider::{Setup, with};
use super::visitor::Visitor;
use crate::check::{Check, Outcome, checks};
use crate::expect::{holds, same};
use crate::keyring::UNLOCK;
use crate::world::{Guarded, MARK, World};

const LONGEST: Duration = Duration::from_secs(60);

/// Where a session's bus is.
const BUS: &str = "DBUS_SESSION_BUS_ADDRESS";

pub(crate) fn checks() -> Vec<Check> {
    checks!["gnome-keyring"; keeps_a_login_that_is_renewed_and_lets_go_of_it, is_not_opened_to_list_servers]
}

async fn keeps_a_login_that_is_renewed_and_lets_go_of_it(world: &World) -> Outcome {
    with(world, Setup { server: Guarded::TypeScript, seconds: 1 }, async |provider, machine| {
        let mut desktop = Desktop::open(world, machine).await?;
        same("what is kept at first", desktop.items().await?, 0)?;
        log_in(machine).await?;
        let with_login = desktop.items().await?;
        holds("the login and the registration are kept", with_login >= 2)?;
        machine.run(&["mcp", "call", "s", "who"]).await?.prints("alice")?;
        while provider.tokens("refresh_token").await?.is_empty() {
            machine.run(&["mcp", "call", "s", "who"]).await?.prints("alice")?;
        }
        same("what is kept", desktop.items().await?, with_login)?;
        machine.run(&["mcp", "logout", "s"]).await?.prints("logged out of s")?;
        same("what is left: a mark", desktop.items().await?, 1)?;
        machine.run(&["mcp", "call", "s", "who"]).await?.ends(3)?;
        holds("nothing is in a file", !machine.file().exists())?;
        same("times that a file was told of", machine.said().matches("only you can read").count(), 0)?;
        desktop.close().await
    })
    .await
}

async fn is_not_opened_to_list_servers(world: &World) -> Outcome {
    with(world, Setup { server: Guarded::TypeScript, seconds: 3600 }, async |_, machine| {
        let mut desktop = Desktop::open(world, machine).await?;
        log_in(machine).await?;
        let doorman = Doorman::new(machine)?;
        machine.run(&["mcp", "list"]).await?.prints("oauth: logged in")?;
        machine.run(&["--json", "mcp", "get", "s"]).await?.prints("logged_in")?;
        same("those who came to the bus", doorman.came(), 0)?;
        // Whoever needs it comes there, and finds none.
        machine.run(&["mcp", "call", "s", "who"]).await?.ends(3)?;
        holds("somebody came to the bus", doorman.came() > 0)?;
        desktop.close().await
    })
    .await
}

async fn log_in(machine: &Machine) -> Outcome {
    let waiting = machine.begin(&["--no-browser"]).await?;
    Visitor::new("alice").visit(&waiting.url).await?;
    waiting.end().await?.prints("logged in to s").map(drop)
}

/// A session with a bus and an open keyring, which ends with its standard input.
struct Desktop {
    session: Child,
    bus: String,
}

impl Desktop {
    /// Opens one; the machine's processes find it from now on.
    async fn open(world: &World, machine: &Machine) -> Result<Self, String> {
        let script = format!("{UNLOCK} && echo \"${BUS}\" && exec cat");
        let mut command = Command::new("dbus-run-session");
        command.args(["--", "/bin/sh", "-c", &script]).env_clear().current_dir(machine.home());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into()));
        command.env("HOME", machine.home()).env("XDG_RUNTIME_DIR", machine.home()).env(MARK, &world.mark);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut session = command.spawn().map_err(|error| format!("cannot run dbus-run-session: {error}"))?;
        let mut lines = BufReader::new(session.stdout.take().expect("it is piped")).lines();
        let bus = timeout(LONGEST, lines.next_line()).await.map_err(|_| "the keyring does not open")?;
        let bus = bus.map_err(|error| error.to_string())?.ok_or("the session has ended")?;
        machine.has(BUS, &bus);
        Ok(Self { session, bus })
    }

    /// How much is kept.
    async fn items(&self) -> Result<usize, String> {
        let mut command = Command::new("dbus-send");
        command.args(["--session", "--print-reply", "--dest=org.freedesktop.secrets"]);
        command.args(["/org/freedesktop/secrets/collection/login", "org.freedesktop.DBus.Properties.Get"]);
        command.args(["string:org.freedesktop.Secret.Collection", "string:Items"]).env(BUS, &self.bus);
        let output = command.output().await.map_err(|error| format!("cannot run dbus-send: {error}"))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).matches("object path").count()),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }

    async fn close(&mut self) -> Outcome {
        drop(self.session.stdin.take());
        let ended = timeout(LONGEST, self.session.wait()).await.map_err(|_| "the session does not end")?;
        ended.map(drop).map_err(|error| error.to_string())
    }
}

/// Stands where a bus is looked for, counts who comes, and lets nobody in.
struct Doorman(Arc<AtomicUsize>);

impl Doorman {
    fn new(machine: &Machine) -> Result<Self, String> {
        let place = machine.home().join("bus");
        let listener = UnixListener::bind(&place).map_err(|error| error.to_string())?;
        let came = Arc::<AtomicUsize>::default();
        let count = came.clone();
        std::thread::spawn(move || {
            for _ in listener.incoming() {
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
        machine.has(BUS, format!("unix:path={}", place.display()));
        Ok(Self(came))
    }

    fn came(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}
