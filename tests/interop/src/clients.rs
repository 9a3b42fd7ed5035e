//! Clients that others wrote, at servers of ours: `codewhale serve --mcp` and `local-time`.

use std::process::Stdio;
use std::time::Duration;

use tokio::time::timeout;

use crate::check::{Check, Outcome};
use crate::world::World;

/// The clients, each with the word that the script knows it by.
const CLIENTS: [(&str, &str); 2] = [("the python sdk's client", "sdk"), ("fastmcp's client", "fastmcp")];

/// What each of them does in both eras, over standard streams and over HTTP; functions of the script.
const EVERYWHERE: [&str; 5] = [
    "tools_are_listed_with_schemas_and_hints",
    "answers_are_text_and_structure",
    "what_is_refused_is_told",
    "twenty_calls_at_once_are_answered_each_by_its_own",
    "local_time_has_tools_a_resource_and_a_prompt",
];

/// What they do over standard streams alone: over HTTP it needs a token.
const BY_PIPES: [&str; 2] =
    ["a_command_tells_its_progress_and_files_are_changed", "a_call_that_is_given_up_ends_its_command"];

/// More than any scenario takes; each has a limit of its own.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) fn checks() -> Vec<Check> {
    let mut checks = Vec::new();
    for (name, client) in CLIENTS {
        for era in ["modern", "legacy"] {
            let by_pipes = EVERYWHERE.iter().chain(&BY_PIPES).map(|scenario| ("stdio", *scenario));
            let by_http = EVERYWHERE.iter().map(|scenario| ("http", *scenario));
            for (way, scenario) in by_pipes.chain(by_http) {
                let server = format!("{name}, {era}, {way}");
                let words = [client, era, way, scenario];
                checks.push(Check::new(&server, scenario, move |world| Box::pin(run(world, words))));
            }
        }
    }
    checks
}

async fn run(world: &World, words: [&'static str; 4]) -> Outcome {
    let mut command = world.client(words);
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
