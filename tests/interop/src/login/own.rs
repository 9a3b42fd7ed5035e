//! Logins at a server made with FastMCP that gives its tokens itself.

use std::time::Duration;

use codewhale_testkit::Secrets;

use super::machine::Machine;
use super::visitor::Visitor;
use crate::check::{Check, Outcome, checks};
use crate::expect::{contains, same};
use crate::running::Running;
use crate::world::World;

const LONGEST: Duration = Duration::from_secs(300);

pub(crate) fn checks() -> Vec<Check> {
    checks!["fastmcp's own tokens";
        are_given_renewed_and_revoked,
        are_given_for_other_scopes_to_who_asks_for_them,
    ]
}

/// Starts a server whose tokens are good for so long, and stops it whatever came of the check.
pub(super) async fn with(
    world: &World,
    seconds: u32,
    check: impl AsyncFnOnce(&Machine) -> Outcome,
) -> Outcome {
    let port = world.shared.port()?;
    let server = Running::start(world.self_guarded(port, seconds), port, world.guard.clone()).await?;
    let machine = Machine::new(world, &format!("http://127.0.0.1:{port}/mcp"))?;
    let outcome = tokio::time::timeout(LONGEST, check(&machine)).await;
    server.stop().await?;
    outcome.unwrap_or_else(|_| Err(format!("did not come to its end within {} s", LONGEST.as_secs())))
}

async fn log_in(machine: &Machine, arguments: &[&str]) -> Outcome {
    let waiting = machine.begin(&[&["--no-browser"], arguments].concat()).await?;
    let visited = Visitor::new("anybody").visit(&waiting.url).await?;
    contains(&visited.page.body, "You are logged in")?;
    waiting.end().await?.prints("logged in to s").map(drop)
}

async fn are_given_renewed_and_revoked(world: &World) -> Outcome {
    with(world, 4, async |machine| {
        machine.run(&["mcp", "call", "s", "who"]).await?.ends(3)?;
        log_in(machine, &[]).await?;
        let first = machine.kept()?;
        let mut second = first.clone();
        // Whoever shows it a token that has ended loses the one to renew it with, too.
        while second["access_token"] == first["access_token"] {
            machine.run(&["mcp", "call", "s", "who"]).await?.prints("read")?;
            second = machine.kept()?;
        }
        let mut secrets = Secrets::default();
        [&first, &second].into_iter().for_each(|kept| secrets.add_json(kept));
        same("whether the other is the same one", first["refresh_token"] == second["refresh_token"], false)?;
        machine.run(&["mcp", "logout", "s", "--revoke"]).await?.ends(0)?.says("has revoked the tokens")?;
        same("the answer to the revoked token", machine.status_for(&second).await?, 401)?;
        machine.run(&["mcp", "call", "s", "who"]).await?.ends(3)?;
        machine.hides(&secrets)
    })
    .await
}

async fn are_given_for_other_scopes_to_who_asks_for_them(world: &World) -> Outcome {
    with(world, 3600, async |machine| {
        log_in(machine, &["--scope", "read"]).await?;
        machine.run(&["mcp", "call", "s", "who"]).await?.prints("read")?;
        // Its clients may ask for the scopes alone that they are registered with.
        log_in(machine, &["--scope", "read", "--scope", "write"]).await?;
        machine.run(&["mcp", "call", "s", "who"]).await?.prints("read write").map(drop)
    })
    .await
}
