//! Clients that others wrote, at servers of ours: `codewhale serve --mcp`, `local-time`, and one of many pages.

use std::ffi::OsString;
use std::process::Stdio;
use std::time::Duration;

use tokio::time::timeout;

use crate::check::{Check, Outcome};
use crate::world::World;

/// A client.
struct Client {
    /// Its name for people.
    name: &'static str,
    /// The word that the script knows it by.
    word: &'static str,
    eras: &'static [&'static str],
    /// What it has no way to do, each with the era and the way where that is so, or nothing for all.
    cannot: &'static [Cannot],
}

type Cannot = (&'static str, &'static [&'static str]);

const BOTH: &[&str] = &["modern", "legacy"];

/// A process for each thing has one call, no progress and no ping. Where it speaks the legacy era over HTTP it goes away
/// without a word: neither is a call cancelled then nor a session ended.
const ONE_THING: [Cannot; 5] = [
    ("twenty_calls_at_once_are_answered_each_by_its_own", &[]),
    ("a_command_tells_its_progress", &[]),
    ("a_ping_is_answered", &[]),
    ("a_call_that_is_given_up_ends_its_command", &["legacy", "http"]),
    ("nothing_is_left_a_second_after_the_end", &["legacy", "http"]),
];

/// mcporter knows no prompts and no levels either.
const TOOLS_ALONE: [Cannot; 7] = [
    ONE_THING[0],
    ONE_THING[1],
    ONE_THING[2],
    ONE_THING[3],
    ONE_THING[4],
    ("local_time_has_a_prompt", &[]),
    ("messages_of_the_level_that_was_set_are_logged", &[]),
];

const CLIENTS: [Client; 7] = [
    Client { name: "the python sdk's client", word: "sdk", eras: BOTH, cannot: &[] },
    Client { name: "fastmcp's client", word: "fastmcp", eras: BOTH, cannot: &[] },
    Client { name: "the typescript sdk 1", word: "typescript-1", eras: &["legacy"], cannot: &[] },
    Client { name: "the typescript sdk 2", word: "typescript-2", eras: BOTH, cannot: &[] },
    Client { name: "rmcp's client", word: "rmcp", eras: BOTH, cannot: &[] },
    Client { name: "the inspector", word: "inspector", eras: BOTH, cannot: &ONE_THING },
    Client { name: "mcporter", word: "mcporter", eras: &["legacy"], cannot: &TOOLS_ALONE },
];

/// What each of them does in both eras, over standard streams and over HTTP; functions of `scenarios.py`.
const EVERYWHERE: [&str; 13] = [
    "the_newest_revision_of_the_era_is_spoken",
    "tools_are_listed_with_schemas_and_hints",
    "answers_are_text_and_structure",
    "what_is_refused_is_told",
    "arguments_that_do_not_fit_are_told",
    "twenty_calls_at_once_are_answered_each_by_its_own",
    "what_is_allowed_is_done",
    "a_command_tells_its_progress",
    "a_call_that_is_given_up_ends_its_command",
    "local_time_has_tools_and_a_resource",
    "local_time_has_a_prompt",
    "lists_come_whole_in_pages",
    "nothing_is_left_a_second_after_the_end",
];

/// What there is in the legacy era alone.
const LEGACY: [&str; 2] = ["a_ping_is_answered", "messages_of_the_level_that_was_set_are_logged"];

/// What there is over HTTP alone.
const HTTP: [&str; 1] = ["pages_of_other_origins_are_refused"];

/// More than any scenario takes; each has a limit of its own.
const PATIENCE: Duration = Duration::from_secs(240);

pub(crate) fn checks(world: &World) -> Vec<Check> {
    let mut checks = Vec::new();
    for client in &CLIENTS {
        let Some(program) = program(world, client.word) else { continue };
        for (era, way) in client.eras.iter().flat_map(|era| [(*era, "stdio"), (*era, "http")]) {
            let legacy = LEGACY.iter().filter(|_| era == "legacy");
            let http = HTTP.iter().filter(|_| way == "http");
            for scenario in EVERYWHERE.iter().chain(legacy).chain(http) {
                if client.can(scenario, era, way) {
                    let server = format!("{}, {era}, {way}", client.name);
                    let (words, program) = ([client.word, era, way, scenario], program.clone());
                    checks.push(Check::new(&server, scenario, move |world| {
                        Box::pin(run(world, words, program.clone()))
                    }));
                }
            }
        }
    }
    checks
}

impl Client {
    fn can(&self, scenario: &str, era: &str, way: &str) -> bool {
        !self
            .cannot
            .iter()
            .any(|(what, places)| *what == scenario && places.iter().all(|place| [era, way].contains(place)))
    }
}

/// What drives a client, if it is there.
fn program(world: &World, word: &str) -> Option<Vec<OsString>> {
    match word {
        "typescript-1" | "typescript-2" => Some(world.beside_packages(&format!("{word}.mjs"))),
        "rmcp" => Some(vec![world.rmcp_client.clone()?.into()]),
        "inspector" => {
            Some(world.command("@modelcontextprotocol/inspector/clients/launcher/build/index.js")?)
        }
        "mcporter" => Some(world.command("mcporter/dist/cli.js")?),
        _ => Some(Vec::new()),
    }
}

async fn run(world: &World, words: [&'static str; 4], program: Vec<OsString>) -> Outcome {
    let mut command = world.client(words, program)?;
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
