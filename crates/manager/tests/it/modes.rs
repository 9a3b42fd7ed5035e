//! Every mode of the fake server over a real process: what becomes of it, of a call and of what follows.

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_client::{CallError, Event, Ignored};
use codewhale_mcp_manager::{Attempt, Connection, End, Outcome, Report};
use codewhale_mcp_protocol::CallToolResult;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::modes_expected::ROWS;
use crate::rows::{Eras, Row};
use crate::world::{World, fake, run};

/// What each server is asked to say again, with characters of two, three and four bytes.
pub(crate) const WORDS: &str = "naïve — 漢字 🐋";
/// How many servers run at one time.
const AT_ONCE: usize = 8;
pub(crate) const LEGACY: &str = "2025-11-25";
pub(crate) const MODERN: &str = "2026-07-28";

#[test]
fn every_mode_comes_to_what_it_should_in_each_era() {
    let world = Arc::new(World::new());
    let told = run(async {
        let (places, mut runs) = (Arc::new(Semaphore::new(AT_ONCE)), JoinSet::new());
        for (line, budgets, expected) in ROWS.iter().flat_map(runs_of) {
            let (world, places) = (world.clone(), places.clone());
            runs.spawn(async move {
                let _place = places.acquire().await;
                let words: Vec<&str> = line.split(' ').collect();
                let attempt = world.manager.connect(&fake(&line, &words, budgets)).await;
                (tell(attempt).await, line, expected)
            });
        }
        let told = runs.join_all().await;
        world.manager.shutdown().await;
        told
    });
    let wrong: Vec<String> = told
        .iter()
        .filter(|(told, _, expected)| !matches(told, expected))
        .map(|(told, line, expected)| format!("{line}\n    is        {told}\n    should be {expected}\n"))
        .collect();
    assert!(wrong.is_empty(), "{} of {} runs:\n{}", wrong.len(), told.len(), wrong.join(""));
}

#[test]
fn an_answer_that_comes_too_late_is_given_to_nobody() {
    let world = World::new();
    run(async {
        for era in ["legacy", "modern"] {
            let server = fake("late", &["late", "--delay", "2000", "--era", era], json!({}));
            let connection = world.manager.connect(&server).await.connection.expect("it is alive");
            let mut events = connection.client().events();
            let (first, second) = (json!({"text": "first"}), json!({"text": "second"}));
            let given_up = connection.client().call_tool("echo", &first).timeout(Duration::from_millis(200));
            let given_up = given_up.send().await;
            assert!(matches!(given_up, Err(CallError::ServerTimedOut { .. })), "{given_up:?}");
            let answer = connection.client().call_tool("echo", &second).send().await.unwrap();
            assert_eq!(said(&answer), "says second");
            let Some(Event::Dropped { line, reason }) = events.ready() else { panic!("a line was dropped") };
            assert!(line.contains("first") && matches!(reason, Ignored::LateReply(_)), "{line} {reason}");
            connection.close().await;
        }
        world.manager.shutdown().await;
    });
}

#[test]
fn no_mode_and_no_flag_is_left_out() {
    let mut absent = Vec::new();
    let mut modes = 0;
    for line in listing().lines().filter(|line| !line.starts_with([' ', '\t'])) {
        let (mode, rest) = line.split_once(' ').unwrap();
        modes += 1;
        let rows = ROWS.iter().map(|row| row.mode.split(' ')).filter(|words| {
            words.clone().next().is_some_and(|names| names.split('+').any(|name| name == mode))
        });
        let used: BTreeSet<&str> = rows.clone().flatten().collect();
        absent.extend(rows.clone().next().is_none().then(|| mode.to_owned()));
        let flags = rest.split([' ', '[', ']']).filter(|word| word.starts_with("--"));
        absent.extend(flags.filter(|flag| !used.contains(flag)).map(|flag| format!("{mode} {flag}")));
    }
    assert!(modes > 40, "{modes}");
    assert!(absent.is_empty(), "no row has {absent:?}");
}

#[expect(clippy::disallowed_methods, reason = "the table of modes is asked for, not played")]
fn listing() -> String {
    let output = Command::new(codewhale_testkit::fake()).arg("--list").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The runs of a row: the command line, the definition's budgets, and what has to become of it.
fn runs_of(row: &'static Row) -> Vec<(String, Value, String)> {
    let budgets = || {
        let mut budgets = json!({"connect_timeout": 60, "execute_timeout": 60});
        let own: Value = serde_json::from_str(row.budgets).expect("a row's budgets are JSON");
        budgets.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
        budgets
    };
    let run = |era: &str, revision: &str, expected: &str| {
        (
            format!("{}{era}", row.mode),
            budgets(),
            expected.replace("REVISION", revision).replace("WORDS", WORDS),
        )
    };
    let both = |legacy: &str, modern: &str| {
        vec![run(" --era legacy", LEGACY, legacy), run(" --era modern", MODERN, modern)]
    };
    match row.eras {
        Eras::Alike(expected) => both(expected, expected),
        Eras::Each(legacy, modern) => both(legacy, modern),
        Eras::Fixed(expected) => vec![run("", LEGACY, expected)],
    }
}

/// Whether this was told, where `…` is anything.
pub(crate) fn matches(told: &str, expected: &str) -> bool {
    let Some((start, mut rest)) = expected.split_once('…') else { return told == expected };
    let Some(mut told) = told.strip_prefix(start) else { return false };
    while let Some((part, more)) = rest.split_once('…') {
        let Some((_, behind)) = told.split_once(part) else { return false };
        (told, rest) = (behind, more);
    }
    told.ends_with(rest)
}

/// What became of a server, of a call, and of a request after it.
pub(crate) async fn tell(attempt: Attempt) -> String {
    let outcome = outcome(&attempt.report);
    let Some(connection) = attempt.connection else { return outcome };
    let called = call(&connection).await;
    let then = match connection.client().list_tools_page(None).fresh().send().await {
        Ok(page) => format!("lists {}", page.tools.len()),
        Err(CallError::ServerGone(gone)) => format!("gone, it {gone}"),
        Err(error) => format!("fails, {error}"),
    };
    connection.close().await;
    format!("{outcome}; {called}; then {then}")
}

/// Revision, number of tools, class, causes: everything that does not change from run to run.
fn outcome(report: &Report) -> String {
    let mut told = report.outcome.state().to_owned();
    if let Some(ready) = report.outcome.ready() {
        told += &format!(" in {} with {}", ready.established.revision, ready.tools.len());
    }
    match &report.outcome {
        Outcome::Degraded(_, fault) => {
            told += &format!(", {}: {}", fault.class.as_str(), fault.causes.join(": "))
        }
        Outcome::Failed(failure) => {
            told += &format!(", {} in {}: {failure}", failure.class.as_str(), failure.phase.as_str());
            if let Some(End::Exited(code)) = failure.end {
                told += &format!(" ({code})");
            }
        }
        _ => {}
    }
    if report.starts > 1 {
        told += &format!(", started {} times", report.starts);
    }
    match report.warnings.as_slice() {
        [] => {}
        [warning] => told += &format!(", but {warning}"),
        warnings => told += &format!(", {} warnings", warnings.len()),
    }
    match report.stderr.as_slice() {
        [] => {}
        [line] => told += &format!(", on stderr `{}`", without_numbers(line)),
        lines => {
            let longest = lines.iter().map(String::len).max().unwrap_or_default();
            told += &format!(", {} lines of up to {longest} bytes on stderr", lines.len());
        }
    }
    told
}

/// Process ids differ from run to run.
fn without_numbers(line: &str) -> String {
    let word = |word: &str| if word.parse::<u32>().is_ok() { "N".to_owned() } else { word.to_owned() };
    line.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

async fn call(connection: &Connection) -> String {
    let (client, arguments) = (connection.client(), json!({"text": WORDS}));
    let (mut events, mut progress) = (client.events(), 0.0);
    let result =
        client.call_tool("echo", &arguments).on_progress(|step| progress = step.progress).send().await;
    let mut told = match result {
        Ok(result) => said(&result),
        Err(error) => error.to_string(),
    };
    if progress > 0.0 {
        told += &format!(", progress to {progress}");
    }
    let changes = std::iter::from_fn(|| events.ready()).filter(|event| matches!(event, Event::ToolsChanged));
    match changes.count() {
        0 => told,
        1 => format!("{told}, told of 1 change"),
        changes => format!("{told}, told of {changes} changes"),
    }
}

fn said(result: &CallToolResult) -> String {
    let text = result.content.first().and_then(|content| content.text.as_deref()).unwrap_or_default();
    let mut told = match text.len() {
        0..2000 => format!("says {text}"),
        long => format!("says {long} bytes"),
    };
    if result.is_error {
        told += " as an error";
    }
    if let Some(structured) = &result.structured_content {
        told += &format!(", structured {}", structured.as_str());
    }
    told
}
