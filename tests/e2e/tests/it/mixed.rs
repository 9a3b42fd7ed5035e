//! Good and bad servers in one configuration: each is told of in its own time, with its own cause.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use codewhale_e2e::{Run, TestEnvironment};
use serde_json::Value;

/// The longest budget of a server that never answers.
const LONGEST: Duration = Duration::from_secs(6);

/// What nobody may see: values of variables, and the text around a reference.
const HIDDEN: [&str; 3] = ["the-value-of-a-token-7f3a", "text-around-a-reference", "inherited-value-91bc"];

/// A configuration, what is expected of each of its servers in order, and the trial it stands in.
struct Mixed {
    trial: TestEnvironment,
    text: String,
}

/// What has to be told of a server.
struct Expected {
    name: &'static str,
    status: &'static str,
    class: &'static str,
    phase: &'static str,
    /// Part of the causes.
    cause: &'static str,
    /// Part of the next step.
    next: &'static str,
}

const fn good(name: &'static str) -> Expected {
    Expected { name, status: "ready", class: "", phase: "", cause: "", next: "" }
}

const fn bad(
    name: &'static str,
    [class, phase]: [&'static str; 2],
    cause: &'static str,
    next: &'static str,
) -> Expected {
    Expected { name, status: "failed", class, phase, cause, next }
}

/// In the order of the configuration.
const EXPECTED: [Expected; 12] = [
    bad(
        "hung",
        ["timed_out", "handshake"],
        "not ready within 6 s: it did not answer server/discover and initialize",
        "connect_timeout",
    ),
    bad(
        "deaf",
        ["timed_out", "handshake"],
        "not ready within 2 s: it did not answer server/discover and initialize",
        "connect_timeout",
    ),
    bad(
        "mute",
        ["timed_out", "handshake"],
        "server/discover and initialize within 1 s",
        "--read-timeout SECS",
    ),
    bad("token", ["exited", "handshake"], "exited with code 3", "codewhale mcp get token"),
    bad("absent", ["command_not_found", "spawn"], "\"no-such-command\" not found on PATH", "absolute path"),
    bad(
        "in-env",
        ["missing_variable", "config"],
        "`env.KEY` needs the environment variable `SOME_ABSENT`",
        "set SOME_ABSENT",
    ),
    bad(
        "in-args",
        ["missing_variable", "config"],
        "`args[1]` needs the environment variable `SOME_ABSENT`",
        "set SOME_ABSENT",
    ),
    Expected {
        name: "listless",
        status: "degraded",
        class: "list_timed_out",
        phase: "list",
        cause: "did not answer tools/list within 1 s",
        next: "--read-timeout SECS",
    },
    good("plain"),
    good("launcher"),
    good("slow"),
    good("stays"),
];

impl Mixed {
    fn new() -> Self {
        let trial = TestEnvironment::new().with("INHERITED", HIDDEN[2]);
        let entry = |name: &str, mode: &str, more: &str| {
            let line = trial.fake(mode);
            format!("    {name:?}: {{\"command\": {:?}, \"args\": {:?}{more}}},\n", line[0], &line[1..])
        };
        let around = format!(", \"env\": {{\"KEY\": \"{}-${{SOME_ABSENT}}\"}}", HIDDEN[1]);
        let secrets = format!(", \"env\": {{\"MY_TOKEN_FILE\": {:?}, \"B\": \"${{INHERITED}}\"}}", HIDDEN[0]);
        let text = [
            "{\n  // every kind\n  \"servers\": {\n".to_owned(),
            entry("hung", "hang", ", \"connect_timeout\": 6"),
            entry("deaf", "linger --ignore-term", ", \"connect_timeout\": 2"),
            entry("mute", "hang", ", \"read_timeout\": 1"),
            entry("token", "die-on-start --stderr FATAL:@MY_TOKEN@is@not@set --code 3", &secrets)
                .replace('@', " "),
            "    \"absent\": {\"command\": \"no-such-command\", \"args\": [\"x\"]},\n".to_owned(),
            entry("in-env", "plain", &around),
            entry("in-args", &format!("plain {}-${{SOME_ABSENT}}", HIDDEN[1]), ""),
            entry("listless", "slow-list --delay 60000", ", \"read_timeout\": 1"),
            entry("plain", "plain", ""),
            entry("launcher", "launcher", ""),
            entry("slow", "slow --delay 150", &secrets),
            entry("stays", "ignore-term", ""),
            "  }\n}\n".to_owned(),
        ]
        .concat();
        trial.write("home/.codewhale/mcp.json", &text);
        Self { trial, text }
    }

    /// Line and column of the value that is behind `name`'s first reference.
    fn place(&self, name: &str) -> String {
        let start = format!("    {name:?}: ");
        let (line, text) =
            self.text.lines().enumerate().find(|(_, text)| text.starts_with(&start)).expect("it is there");
        let reference = text.find("${").expect("it refers to a variable");
        let quote = text[..reference].rfind('"').expect("a reference stands in a string");
        format!("mcp.json:{}:{}: ", line + 1, quote + 1)
    }
}

/// What was told of a server, and when.
#[derive(Debug)]
struct Row {
    name: String,
    /// Its lines.
    text: String,
    /// Since the start of the run.
    came: Duration,
}

/// Runs a check and takes its output line by line, as a person sees it.
fn watch(trial: &TestEnvironment, arguments: &[&str]) -> (Vec<Row>, Option<i32>) {
    let mut command = trial.command(&codewhale_testkit::binary("codewhale"), arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let begin = Instant::now();
    let mut child = command.spawn().expect("the binary starts");
    let mut rows: Vec<Row> = Vec::new();
    for line in BufReader::new(child.stdout.take().expect("stdout is piped")).lines() {
        let line = line.expect("stdout is text");
        match rows.last_mut() {
            Some(row) if line.starts_with("  ") => row.text = format!("{}\n{line}", row.text),
            _ => {
                let name = line.split(' ').next().unwrap_or_default().to_owned();
                rows.push(Row { name, text: line, came: begin.elapsed() });
            }
        }
    }
    (rows, child.wait().expect("it is our child").code())
}

fn check_rows(mixed: &Mixed, arguments: &[&str]) {
    let (rows, code) = watch(&mixed.trial, arguments);
    let said = rows.iter().map(|row| format!("{:?} {}\n", row.came, row.text)).collect::<String>();
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(rows.len(), EXPECTED.len(), "{said}");
    let row = |name: &str| {
        rows.iter().position(|row| row.name == name).unwrap_or_else(|| panic!("{name} is missing\n{said}"))
    };
    for Expected { name, status, class, cause, next, .. } in EXPECTED {
        let text = &rows[row(name)].text;
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        assert!(first.contains(status) && text.contains(cause), "{name}: {said}");
        if status == "ready" {
            assert!(first.ends_with("16 tools"), "{name}: {said}");
        } else {
            assert!(first.contains(&format!("  {class}: ")), "{name}: {said}");
            let step = rest.lines().find_map(|line| line.strip_prefix("  next: "));
            assert!(step.is_some_and(|step| step.contains(next)), "{name}: {said}");
        }
    }
    for name in ["in-env", "in-args"] {
        assert!(rows[row(name)].text.contains(&mixed.place(name)), "{name}: {said}");
    }
    assert!(rows[row("token")].text.contains("\n  stderr: FATAL: MY_TOKEN is not set"), "{said}");
    // The one that takes longest comes last, when its time is over, and nobody waited for it.
    let last = &rows[row("hung")];
    assert!(row("hung") == rows.len() - 1 && last.came >= LONGEST, "{said}");
    assert!(rows.iter().all(|row| row.name == "hung" || row.came < LONGEST), "{said}");
    // Those that need no process or end at once come before one that is merely slow.
    assert!(row("in-env") < row("slow") && row("absent") < row("slow"), "{said}");
}

fn check_json(mixed: &Mixed, arguments: &[&str]) -> Run {
    let run = mixed.trial.codewhale(arguments);
    assert_eq!(run.code, Some(1), "{run}");
    let all: Value = serde_json::from_str(&run.stdout).expect("one JSON object");
    let servers = all["servers"].as_array().expect("a list of servers");
    let names: Vec<&str> = servers.iter().filter_map(|server| server["name"].as_str()).collect();
    assert_eq!(names, EXPECTED.map(|expected| expected.name), "{run}");
    for (server, expected) in servers.iter().zip(EXPECTED) {
        let Expected { name, status, class, phase, cause, next } = expected;
        assert_eq!(server["status"], status, "{name}: {run}");
        if status == "ready" {
            assert!(server["failure"].is_null() && server["next"].is_null(), "{name}: {run}");
            assert_eq!(server["tools"], 16, "{name}: {run}");
            continue;
        }
        let failure = &server["failure"];
        assert_eq!(
            (failure["class"].as_str(), failure["phase"].as_str()),
            (Some(class), Some(phase)),
            "{run}"
        );
        assert!(failure["causes"].to_string().replace("\\\"", "\"").contains(cause), "{name}: {run}");
        assert!(server["next"].as_str().is_some_and(|step| step.contains(next)), "{name}: {run}");
    }
    let of = |name: &str| &servers[names.iter().position(|other| *other == name).expect("it is there")];
    assert_eq!(of("token")["failure"]["exit_code"], 3, "{run}");
    assert_eq!(of("token")["failure"]["stderr"][0], "FATAL: MY_TOKEN is not set", "{run}");
    for name in ["in-env", "in-args"] {
        let cause = of(name)["failure"]["causes"][0].as_str().unwrap_or_default();
        assert!(cause.contains(&mixed.place(name)), "{name}: {run}");
    }
    // Its time does not include how long it took to get rid of it.
    let deaf = of("deaf")["elapsed_ms"].as_u64().unwrap_or_default();
    assert!((2000..4000).contains(&deaf), "{run}");
    let summary = &all["summary"];
    assert_eq!(
        (&summary["total"], &summary["ready"], &summary["failed"]),
        (&12.into(), &4.into(), &7.into())
    );
    run
}

#[test]
fn every_server_is_told_of_in_its_own_time_with_its_own_cause() {
    let mixed = Mixed::new();
    let runs = std::thread::scope(|scope| {
        let json = |arguments: &'static [&'static str]| scope.spawn(|| check_json(&mixed, arguments));
        let json = [json(&["mcp", "validate", "--json"]), json(&["mcp", "list", "--check", "--json"])];
        check_rows(&mixed, &["mcp", "validate"]);
        json.map(|run| run.join().expect("both say the same"))
    });
    for run in &runs {
        check_hidden("output", &format!("{}{}", run.stdout, run.stderr));
    }
}

#[test]
fn no_value_is_shown_or_logged() {
    let mixed = Mixed::new();
    let run = mixed.trial.codewhale(["mcp", "list", "--check", "-v"]);
    assert_eq!(run.code, Some(1), "{run}");
    check_hidden("output", &run.to_string());
    let logs = mixed.trial.codewhale_home().join("logs");
    let files: Vec<_> = std::fs::read_dir(logs).expect("logs were written").flatten().collect();
    assert!(files.len() >= 9, "{files:?}");
    for file in files {
        let text = std::fs::read_to_string(file.path()).expect("a log is text");
        check_hidden(&file.file_name().to_string_lossy(), &text);
    }
}

fn check_hidden(what: &str, text: &str) {
    for hidden in HIDDEN {
        assert!(!text.contains(hidden), "{what} holds {hidden}\n{text}");
    }
}
