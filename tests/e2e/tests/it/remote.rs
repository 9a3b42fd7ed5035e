//! Servers with a URL: the real binary against fake HTTP servers in this process.

use std::path::Path;

use codewhale_e2e::{Run, TestEnvironment};
use codewhale_testkit::HttpFake;
use serde_json::Value;

/// A trial in which this server is configured as `s`.
fn trial(url: &str) -> TestEnvironment {
    let trial = TestEnvironment::new();
    let added = trial.codewhale(["mcp", "add", "s", "--url", url]);
    assert_eq!(added.code, Some(0), "{added}");
    trial
}

#[track_caller]
fn ends(run: Run, code: i32, prints: &str) -> Run {
    assert_eq!(run.code, Some(code), "{run}");
    assert!(run.stdout.contains(prints), "{prints:?} is missing: {run}");
    run
}

#[test]
fn a_server_is_added_looked_at_and_called_whatever_it_speaks() {
    for mode in [
        "everything --era modern",
        "everything --era legacy",
        "everything --version 2025-03-26 --era legacy",
        "strict --era modern",
        "strict --era legacy",
        "probe-400-empty",
        "session-none",
        "sse",
        "sse-relative",
        "events-split",
        "redirect-307",
        "type-charset",
        "get-405",
        "notified-204",
    ] {
        let fake = HttpFake::start(mode);
        let trial = trial(&fake.url());
        let run = |args: &[&str]| trial.codewhale([&["mcp"], args].concat());
        ends(run(&["validate"]), 0, "s  ready");
        ends(run(&["connect", "s"]), 0, " era: ");
        ends(run(&["tools", "s"]), 0, "mcp_s_echo");
        ends(run(&["call", "s", "echo", "text=hello"]), 0, "hello\n");
        let answer: Value =
            serde_json::from_str(&run(&["--json", "call", "s", "add", "a=1", "b=2"]).stdout).unwrap();
        assert_eq!(answer["result"]["structuredContent"]["sum"], 3, "{mode}: {answer}");
        fake.wait(|fake| fake.open_connections() == 0);
        assert_eq!(fake.violations(), Vec::<String>::new(), "{mode}");
    }
}

#[test]
fn a_session_is_ended_with_the_run_that_opened_it() {
    let fake = HttpFake::start("everything --era legacy");
    let trial = trial(&fake.url());
    for verb in ["connect", "tools"] {
        ends(trial.codewhale(["mcp", verb, "s"]), 0, "");
    }
    fake.wait(|fake| fake.open_connections() == 0);
    assert_eq!((fake.count("initialize"), fake.count("DELETE")), (2, 2));
}

#[test]
fn a_task_of_a_remote_server_outlives_the_run_that_started_it() {
    let fake = HttpFake::start("everything --era modern --tasks optional --poll 10");
    let trial = trial(&fake.url());
    let left = trial.codewhale(["mcp", "--json", "call", "s", "job", "--task"]);
    let left: Value = serde_json::from_str(&left.stdout).unwrap_or_else(|error| panic!("{error}: {left}"));
    let id = left["task"]["taskId"].as_str().unwrap_or_else(|| panic!("{left}"));
    ends(trial.codewhale(["mcp", "tasks", "s", id, "--wait"]), 0, "");
}

#[test]
fn processes_and_endpoints_are_looked_at_together() {
    let (good, silent, broken) =
        (HttpFake::start("everything"), HttpFake::start("silent"), HttpFake::start("500-html"));
    let trial = TestEnvironment::new();
    let local = trial.fake("plain");
    let servers = serde_json::json!({"servers": {
        "silent": {"url": silent.url(), "connect_timeout": 3},
        "good": {"url": good.url()},
        "local": {"command": local[0], "args": local[1..]},
        "broken": {"url": broken.url()},
        "gone": {"url": "http://127.0.0.1:1/mcp"},
    }});
    trial.write("home/.codewhale/mcp.json", &servers.to_string());
    let run = trial.codewhale(["mcp", "validate"]);
    assert_eq!(run.code, Some(1), "{run}");
    let at = |text: &str| run.stdout.find(text).unwrap_or_else(|| panic!("{text:?} is missing: {run}"));
    for settled in ["good    ready", "local   ready", "broken  failed", "gone    failed"] {
        assert!(at(settled) < at("silent  failed"), "{settled}: {run}");
    }
}

#[test]
fn no_token_is_ever_printed_or_left_in_a_file() {
    const TOKEN: &str = "t0p-s3cret-t0ken-of-this-test";
    for mode in [
        "everything",
        "401",
        "500-html",
        "redirect-other-origin",
        "sse",
        "status --status 400 --body t0p-s3cret-t0ken-of-this-test",
    ] {
        let fake = HttpFake::start(mode);
        let trial = TestEnvironment::new().with("TOKEN", TOKEN);
        let url = format!("{}?api_key=${{TOKEN}}", fake.url());
        let options = ["--bearer-token-env-var", "TOKEN", "--env-header", "X-Api-Key=TOKEN"];
        let added = trial.codewhale([&["mcp", "add", "s", "--url", &url], &options[..]].concat());
        assert_eq!(added.code, Some(0), "{added}");
        for args in [
            &["validate"][..],
            &["-v", "connect", "s"],
            &["--json", "connect", "s"],
            &["get", "s"],
            &["logs", "s"],
        ] {
            let run = trial.codewhale([&["mcp"], args].concat());
            assert!(!run.stdout.contains(TOKEN) && !run.stderr.contains(TOKEN), "{mode} {args:?}: {run}");
        }
        assert!(fake.requests().iter().any(|request| request.header("X-Api-Key") == Some(TOKEN)), "{mode}");
        assert_eq!(holding(trial.root(), TOKEN), Vec::<String>::new(), "{mode}");
    }
}

/// The files below a folder that hold a text.
fn holding(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of the trial").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding(&path, text));
        } else if String::from_utf8_lossy(&std::fs::read(&path).unwrap_or_default()).contains(text) {
            found.push(path.display().to_string());
        }
    }
    found
}

#[cfg(unix)]
#[test]
fn an_interrupted_call_is_cancelled_in_the_way_of_its_era() {
    use std::process::Stdio;

    use rustix::process::{Pid, Signal, kill_process};

    for era in ["modern", "legacy"] {
        let fake = HttpFake::start(&format!("everything --era {era}"));
        let trial = trial(&fake.url());
        let binary = codewhale_testkit::binary("codewhale");
        let mut command = trial.command(&binary, ["mcp", "call", "s", "slow", "ms=600000"]);
        let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        fake.wait(|fake| fake.count("tools/call") == 1);
        kill_process(Pid::from_child(&run), Signal::INT).expect("it is our child");
        assert_eq!(run.wait().unwrap().code(), Some(130), "{era}");
        fake.wait(|fake| fake.open_connections() == 0);
        let told = (fake.count("notifications/cancelled"), fake.count("DELETE"));
        assert_eq!(told, if era == "legacy" { (1, 1) } else { (0, 0) }, "{era}");
        let left = fake.notes().iter().any(|note| note.starts_with("left "));
        assert!(era == "legacy" || left, "the end of its exchange tells a modern server");
    }
}
