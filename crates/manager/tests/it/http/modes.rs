//! Every mode of the fake HTTP server: what becomes of it, of a call and of what follows, and what it costs.

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::Arc;

use codewhale_testkit::HttpFake;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::http::expected_answers::ANSWERS;
use crate::http::expected_falls::FALLS;
use crate::http::world::{executed, remote};
use crate::modes::{LEGACY, MODERN, WORDS, matches, tell};
use crate::rows::{Eras, Row};
use crate::world::{World, run};

/// How many servers run at one time.
const AT_ONCE: usize = 16;
/// No `…` covers this.
const AMISS: &str = "AMISS:";

#[test]
fn every_mode_comes_to_what_it_should() {
    let world = Arc::new(World::new());
    let told = run(async {
        let (places, mut runs) = (Arc::new(Semaphore::new(AT_ONCE)), JoinSet::new());
        for (line, budgets, expected) in rows().flat_map(runs_of) {
            let (world, places) = (world.clone(), places.clone());
            runs.spawn(async move {
                let _place = places.acquire().await;
                let fake = HttpFake::start(&line);
                let attempt = world.manager.connect(&remote(&fake, budgets)).await;
                let told = tell(attempt).await;
                (format!("{}; {}", without_ports(&told, &fake), cost(&fake)), line, expected)
            });
        }
        let told = runs.join_all().await;
        world.manager.shutdown().await;
        told
    });
    let fits = |told: &str, expected: &str| {
        matches(told, expected) && told.contains(AMISS) == expected.contains(AMISS)
    };
    let wrong: Vec<String> = told
        .iter()
        .filter(|(told, _, expected)| !fits(told, expected))
        .map(|(told, line, expected)| format!("{line}\n    is        {told}\n    should be {expected}\n"))
        .collect();
    assert!(wrong.is_empty(), "{} of {} runs:\n{}", wrong.len(), told.len(), wrong.join(""));
}

#[test]
fn no_mode_and_no_flag_is_left_out() {
    let mut absent = Vec::new();
    let mut modes = 0;
    for line in listing().lines().filter(|line| !line.starts_with([' ', '\t'])) {
        let (mode, rest) = line.split_once(' ').unwrap();
        modes += 1;
        let mine = rows().map(|row| row.mode.split(' ')).filter(|words| {
            words.clone().next().is_some_and(|names| names.split('+').any(|name| name == mode))
        });
        let mine: Vec<_> = mine.collect();
        let used: BTreeSet<&str> = mine.iter().cloned().flatten().collect();
        absent.extend(mine.is_empty().then(|| mode.to_owned()));
        let flags = rest.split([' ', '[', ']']).filter(|word| word.starts_with("--"));
        absent.extend(flags.filter(|flag| !used.contains(flag)).map(|flag| format!("{mode} {flag}")));
    }
    assert!(modes > 90, "{modes}");
    assert!(absent.is_empty(), "no row has {absent:?}");
}

#[expect(clippy::disallowed_methods, reason = "the table of modes is asked for, not played")]
fn listing() -> String {
    let output = Command::new(codewhale_testkit::fake()).args(["--http", "--list"]).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn rows() -> impl Iterator<Item = &'static Row> {
    ANSWERS.iter().chain(FALLS)
}

/// The runs of a row: the mode, the definition's budgets, and what has to become of it.
fn runs_of(row: &'static Row) -> Vec<(String, Value, String)> {
    let run = |era: &str, revision: &str, expected: &str| {
        let budgets = serde_json::from_str(row.budgets).expect("a row's budgets are JSON");
        let (tools, posts) = if revision == MODERN { ("35", "4") } else { ("36", "6") };
        let expected = expected.replace("REVISION", revision).replace("TOOLS", tools);
        let expected = expected.replace("POSTS", posts).replace("WORDS", WORDS);
        (format!("{}{era}", row.mode), budgets, expected)
    };
    match row.eras {
        Eras::Alike(expected) => {
            vec![run(" --era legacy", LEGACY, expected), run(" --era modern", MODERN, expected)]
        }
        Eras::Each(legacy, modern) => {
            vec![run(" --era legacy", LEGACY, legacy), run(" --era modern", MODERN, modern)]
        }
        Eras::Fixed(expected) => vec![run("", "", expected)],
    }
}

/// Ports differ from run to run.
fn without_ports(told: &str, fake: &HttpFake) -> String {
    told.replace(&fake.port().to_string(), "PORT").replace(&fake.other_port().to_string(), "OTHER")
}

/// How many messages came and how often the tool ran; what must not be, in no mode.
fn cost(fake: &HttpFake) -> String {
    let posts = fake.requests_of("POST").len() - fake.count("notifications/cancelled");
    let times = executed(fake).get(WORDS).copied().unwrap_or_default();
    let mut told = format!("{posts} posts");
    match times {
        0 => told += ", ran 0 times",
        1 => {}
        _ => told += &format!(", {AMISS} ran {times} times"),
    }
    if !fake.elsewhere().is_empty() {
        told += &format!(", {AMISS} {} requests to another origin", fake.elsewhere().len());
    }
    for violation in fake.violations() {
        told += &format!(", {AMISS} {violation}");
    }
    told
}
