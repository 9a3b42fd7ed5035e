//! A configuration file is never lost or spoilt: not by many writers, not by a kill, not by an edit of a broken one.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Instant;

use codewhale_e2e::{Run, TestEnvironment};
use serde_json::Value;

use crate::random::{Random, seed, tell, trials, wait_until};

const FILE: &str = "home/.codewhale/mcp.json";

#[test]
fn twenty_writers_at_once_lose_nothing() {
    let trial = TestEnvironment::new();
    let text = "// first\n{\n  /* second */\n  \"servers\": {\n    \"old\": {\"command\": \"x\"} // third\n  },\n  \
                \"unknown\": [1, 2], // fourth\n}\n// fifth\n";
    let file = trial.write(FILE, text);
    let runs: Vec<Run> = std::thread::scope(|scope| {
        let add = |number: usize| {
            let trial = &trial;
            move || trial.codewhale(["mcp", "add", &format!("s{number}"), "--", "cmd", "an argument"])
        };
        let runs: Vec<_> = (0..20).map(|number| scope.spawn(add(number))).collect();
        runs.into_iter().map(|run| run.join().expect("each run ends")).collect()
    });
    let after = std::fs::read_to_string(&file).expect("the file is there");
    for run in &runs {
        assert_eq!(run.code, Some(0), "{run}\n{after}");
    }
    for comment in ["// first", "/* second */", "// third", "\"unknown\": [1, 2], // fourth", "// fifth"] {
        assert!(after.contains(comment), "{comment} is gone\n{after}");
    }
    let expected: BTreeSet<String> =
        (0..20).map(|number| format!("s{number}")).chain(["old".to_owned()]).collect();
    assert_eq!(names(&trial), expected, "{after}");
    // What was there is there, in its order, but for what was added.
    for number in 0..20 {
        let run = trial.codewhale(["mcp", "remove", &format!("s{number}")]);
        assert_eq!(run.code, Some(0), "{run}");
    }
    assert_eq!(std::fs::read_to_string(&file).expect("the file is there"), text);
}

#[test]
fn a_kill_at_any_moment_leaves_the_old_file_or_the_new_one() {
    let trial = TestEnvironment::new();
    let old = many_entries(300);
    let add = ["mcp", "add", "added", "--", "cmd"];
    let file = trial.write(FILE, &old);
    let run = trial.codewhale(add);
    assert_eq!(run.code, Some(0), "{run}");
    let new = std::fs::read_to_string(&file).expect("the file is there");
    assert_eq!(names(&trial).len(), 301);

    let (trials, seed) = (trials(40), seed());
    let mut random = Random::new(seed);
    let (mut replaced, mut torn) = (0, 0);
    for number in 0..trials {
        trial.write(FILE, &old);
        let begin = Instant::now();
        let mut writer = start(&trial, &add);
        if number % 2 == 0 {
            wait_until(begin, random.time(run.wall * 2));
        } else {
            wait_for_temporary(&mut writer, &file);
        }
        writer.kill().expect("it is our child");
        writer.wait().expect("it is our child");
        let found = std::fs::read_to_string(&file).expect("the file is there");
        assert!(found == old || found == new, "seed {seed}, trial {number}: the file is neither\n{found}");
        replaced += u64::from(found == new);
        torn += u64::from(!temporaries(&file).is_empty());
        let next = trial.codewhale(["mcp", "add", "next", "--", "cmd"]);
        assert_eq!(next.code, Some(0), "seed {seed}, trial {number}: {next}");
        assert_eq!(temporaries(&file), Vec::<String>::new(), "seed {seed}, trial {number}: they pile up");
    }
    assert!(torn > 0, "seed {seed}: no kill fell into a write ({trials} trials, {replaced} replaced)");
    tell(&format!("{trials} kills: {torn} within the write, {replaced} after the rename"));
}

#[test]
fn a_file_that_makes_no_sense_is_never_written() {
    const ADD: &[&str] = &["mcp", "add", "new", "--", "cmd"];
    const JSON: &[&str] = &["mcp", "add-json", "new", r#"{"command": "cmd"}"#];
    let edits: [&[&str]; 9] = [
        ADD,
        &["mcp", "add", "a", "--force", "--", "cmd"],
        JSON,
        &["mcp", "remove", "a"],
        &["mcp", "enable", "a"],
        &["mcp", "disable", "a"],
        &["mcp", "init"],
        &["trust", "--yes"],
        &["mcp", "list"],
    ];
    for (text, place) in [
        ("{\n  \"servers\": {\n    \"a\": {\"command\": \"x\" \"y\"}\n  }\n}\n", "mcp.json:3:25"),
        ("{\"servers\": {\"a\": {\"command\": \"x\"}", "mcp.json:1:"),
        ("{\n'servers': {'a': {'command': 'x'}}}", "mcp.json:2:1"),
        ("{\"servers\": {}} trailing", "mcp.json:1:17"),
        ("servers:\n  a:\n    command: x\n", "mcp.json:1:1"),
        ("", "mcp.json:1:1"),
    ] {
        for edit in edits {
            let trial = TestEnvironment::new();
            // What a workspace is trusted with is its own file.
            let folder = if edit[0] == "trust" { "workspace/.codewhale/mcp.json" } else { FILE };
            let file = trial.write(folder, text);
            let run = trial.codewhale(edit);
            assert_eq!(run.code, Some(2), "{edit:?} of {text:?}: {run}");
            assert_eq!(std::fs::read_to_string(&file).expect("the file is there"), text, "{edit:?}: {run}");
            if edit[1] != "init" {
                assert!(run.stderr.contains(place), "{edit:?} of {text:?}: {run}");
            }
            assert_eq!(temporaries(&file), Vec::<String>::new(), "{edit:?}");
        }
    }
}

#[test]
fn what_was_added_and_removed_leaves_every_byte_as_it_was() {
    for text in [
        "{\"servers\":{\"a\":{\"command\":\"x\"}}}",
        "{\"servers\":{}}",
        "{\n  \"servers\": {\n    \"a\": {\"command\": \"x\"}\n  }\n}\n",
        "{\r\n  \"servers\": {\r\n    \"a\": {\r\n      \"command\": \"x\"\r\n    }\r\n  }\r\n}\r\n",
        "\u{feff}{\n  \"servers\": {\n    \"a\": {\"command\": \"x\"}\n  }\n}",
        "\u{feff}{\r\n\t\"mcpServers\": {\r\n\t\t\"a\": {\"command\": \"x\"},\r\n\t},\r\n}\r\n",
        "// top\n{\n  // before\n  \"servers\": { // behind the brace\n    // above a\n    \"a\": {\"command\": \"x\"}, // \
         behind a\n    // last\n  }, /* after */\n  \"z\": 1\n}\n// end",
        "{\n  \"$schema\": \"s\", \"mine\": {\"deep\": [1, {\"x\": null}]},\n  \"servers\": {\n    \"a\": {\"command\": \
         \"x\", \"unknown\": true}\n  }\n}\n",
        "{\n    \"mcpServers\": {\n        \"a\": {\"command\": \"x\"}\n    },\n    \"servers\": {}\n}\n",
        "{\"servers\": {\"a\": {\"command\": \"x\"}, /* c */ }, }\n\n\n",
        "{\n  \"servers\": {\n    // nothing yet\n  }\n}\n",
    ] {
        for add in [
            &["mcp", "add", "new", "--env", "K=${V}", "--", "cmd", "ä b"][..],
            &["mcp", "add-json", "new", r#"{"command": "x", "nested": {"keep": [1.5e3, null]}}"#],
        ] {
            let trial = TestEnvironment::new();
            let file = trial.write(FILE, text);
            let before = names(&trial);
            let run = trial.codewhale(add);
            assert_eq!(run.code, Some(0), "{add:?} to {text:?}: {run}");
            let between = std::fs::read_to_string(&file).expect("the file is there");
            let with_new: BTreeSet<String> = before.iter().cloned().chain(["new".to_owned()]).collect();
            assert_eq!(names(&trial), with_new, "{between}");
            let run = trial.codewhale(["mcp", "remove", "new"]);
            assert_eq!(run.code, Some(0), "{between}: {run}");
            let after = std::fs::read_to_string(&file).expect("the file is there");
            assert_eq!(after, text, "by way of {between:?}");
        }
    }
}

/// The servers of the user's file.
fn names(trial: &TestEnvironment) -> BTreeSet<String> {
    let run = trial.codewhale(["mcp", "list", "--json"]);
    assert_eq!(run.code, Some(0), "{run}");
    let all: Value = serde_json::from_str(&run.stdout).expect("one JSON object");
    let servers = all["servers"].as_array().expect("a list of servers");
    servers.iter().map(|server| server["name"].as_str().expect("a name").to_owned()).collect()
}

fn many_entries(count: usize) -> String {
    let entry = |number: usize| {
        format!(
            "    // number {number}\n    \"entry-{number}\": {{\n      \"command\": \"command-{number}\", /* c */\n      \
             \"args\": [\"--flag\", \"value {number}\"],\n      \"env\": {{\"NAME_{number}\": \"${{VALUE_{number}}}\"}}\n    }},\n"
        )
    };
    let entries: String = (0..count).map(entry).collect();
    format!("// all of them\n{{\n  \"servers\": {{\n{entries}  }}\n}}\n")
}

fn start(trial: &TestEnvironment, arguments: &[&str]) -> Child {
    let mut command = trial.command(&codewhale_testkit::binary("codewhale"), arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the binary starts")
}

/// Waits until a writer has begun to write, or has left.
fn wait_for_temporary(writer: &mut Child, file: &Path) {
    while temporaries(file).is_empty() && writer.try_wait().expect("it is our child").is_none() {
        std::thread::yield_now();
    }
}

/// What stands beside a file, its lock apart.
fn temporaries(file: &Path) -> Vec<String> {
    let folder = std::fs::read_dir(file.parent().expect("a file has a folder")).expect("it is there");
    let names = folder.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".tmp")).collect()
}
