//! The agent SDKs with our binary as their program: a session of host mode each.

use std::process::Stdio;
use std::time::Duration;

use tokio::time::timeout;

use crate::check::{Check, Outcome};
use crate::world::World;

/// The SDKs, each with the file of its scenarios.
const SDKS: [(&str, &str); 2] = [("codebuddy-agent-sdk", "codebuddy"), ("claude-agent-sdk", "claude")];

/// What each of them does; functions of those files.
const SCENARIOS: [&str; 9] = [
    "one_shot_query",
    "multi_turn_client",
    "streaming_partial_messages",
    "in_process_mcp_server",
    "a_permission_callback_that_allows",
    "a_permission_callback_that_denies",
    "interrupt",
    "mcp_status",
    "a_clean_exit_without_an_orphan",
];

/// More than any scenario takes; each has a limit of its own.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) fn checks() -> Vec<Check> {
    let pairs = SDKS.iter().flat_map(|sdk| SCENARIOS.iter().map(move |scenario| (sdk, scenario)));
    let check = |((sdk, file), scenario): (&(&str, &'static str), &&'static str)| {
        let (file, scenario) = (*file, *scenario);
        Check::new(sdk, scenario, move |world| Box::pin(run(world, file, scenario)))
    };
    pairs.map(check).collect()
}

async fn run(world: &World, file: &str, scenario: &str) -> Outcome {
    let mut command = world.scenario(file, scenario);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let done = timeout(PATIENCE, command.output()).await.map_err(|_| "it has no end".to_owned())?;
    let done = done.map_err(|error| format!("cannot run it: {error}"))?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let last: Vec<&str> = said.lines().rev().take(12).collect();
    Err(last.into_iter().rev().collect::<Vec<_>>().join("\n        "))
}
