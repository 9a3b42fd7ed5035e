//! What a person or a script sees of one server.

use std::time::Duration;

use codewhale_e2e::{Run, TestEnvironment};

fn mcp(verb: &str, mode: &str, rest: &[&str]) -> Run {
    let trial = TestEnvironment::new();
    let server = trial.fake(mode).join(" ");
    let mut arguments = vec!["mcp", verb, "--stdio", &server];
    arguments.extend(rest);
    trial.codewhale(arguments)
}

/// One call of `echo`, by exit code and output.
fn echo(mode: &str) -> (Option<i32>, String) {
    let run = mcp("call", mode, &["echo", "text=hello"]);
    (run.code, run.stdout)
}

#[test]
fn a_call_prints_the_tools_text() {
    for era in ["legacy", "modern", "dual"] {
        assert_eq!(echo(&format!("plain --era {era}")), (Some(0), "hello\n".into()), "{era}");
    }
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        assert_eq!(echo(&format!("plain --version {version}")), (Some(0), "hello\n".into()), "{version}");
    }
}

#[test]
fn servers_with_odd_habits_are_used_all_the_same() {
    for mode in [
        "junk-first",
        "junk-between",
        "reverse",
        "slow",
        "duplicate",
        "exit-on-unknown",
        "bad-utf8",
        "split-bytes",
        "crlf",
        "ping-first",
        "unknown-notifications",
        "id-as-string",
        "notify-burst",
        "list-changed",
        "stderr-flood",
        "paged",
        "empty-cursor",
        "null-cursor",
        "modern-refuse --era modern",
    ] {
        let run = mcp("call", mode, &["echo", "text=hello"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), "hello\n"), "{mode}: {run}");
    }
}

#[test]
fn every_way_to_fail_has_its_exit_code_and_its_cause() {
    for (mode, rest, code, cause) in [
        ("plain", &["fail"][..], 5, ""),
        ("plain", &["ecco"], 2, "has no tool `ecco`"),
        ("plain", &["add", "a=x", "b=2"], 2, "/a: \"x\" is not of type \"number\""),
        ("plain", &["delete_all"], 4, "may destroy something"),
        ("die-on-start --stderr FATAL:_MY_TOKEN_is_not_set --code 3", &["echo"], 1, "exited with code 3"),
        ("hang-call", &["echo", "text=x", "--timeout", "0.5"], 6, "did not answer tools/call within 0.5 s"),
        ("die-on-call", &["echo", "text=x"], 1, "before it answered"),
        ("both-result-and-error", &["echo", "text=x"], 1, "both a result and an error"),
        ("page-error", &["echo", "text=x"], 1, "tools/list"),
        ("endless-cursor", &["echo", "text=x"], 1, "repeats the cursor"),
        ("wrong-version", &["echo", "text=x"], 1, "none of which we speak"),
        ("plain", &["echo", "--timeout=-1"], 2, ""),
    ] {
        let run = mcp("call", mode, rest);
        assert_eq!(run.code, Some(code), "{mode} {rest:?}: {run}");
        assert!(run.stderr.contains(cause), "{mode} {rest:?}: {run}");
        assert!(run.wall < Duration::from_secs(20), "{mode} {rest:?}: {run}");
    }
}

#[test]
fn a_server_that_dies_is_told_with_its_last_words() {
    let run = mcp("connect", "die-on-start --stderr FATAL:_MY_TOKEN_is_not_set --code 3", &[]);
    assert!(run.stderr.contains("stderr: FATAL:_MY_TOKEN_is_not_set"), "{run}");
    assert!(run.stderr.contains("exited with code 3"), "{run}");
}

#[test]
fn no_control_character_of_a_server_reaches_an_output() {
    for rest in [&["ansi"][..], &["ansi", "--json"]] {
        let run = mcp("call", "plain", rest);
        assert_eq!(run.code, Some(0), "{run}");
        let raw = |c: char| c.is_control() && c != '\n';
        assert!(!run.stdout.contains(raw) && !run.stderr.contains(raw), "{run:?}");
    }
    let run = mcp("tools", "plain", &[]);
    assert!(!run.stdout.contains('\u{1b}'), "{run:?}");
}

#[test]
fn a_long_answer_arrives_whole() {
    let run = mcp("call", "plain", &["big", "bytes=1000000"]);
    assert_eq!((run.code, run.stdout.len()), (Some(0), 1_000_001));
}

#[test]
fn numbers_pass_through_unchanged() {
    let json = r#"{"n":9007199254740993,"f":1e30,"z":-0}"#;
    let run = mcp("call", "plain", &["reflect", "--json-args", json]);
    assert!(run.stdout.contains("9007199254740993") && run.stdout.contains("1e30"), "{run}");
}

#[test]
fn a_command_line_that_cannot_be_read_is_a_usage_error() {
    let trial = TestEnvironment::new();
    for arguments in [
        &["mcp", "call"][..],
        &["mcp", "no-such-verb"],
        &["mcp", "tools", "--stdio", "'open"],
        &["mcp", "tools", "--stdio", ""],
    ] {
        let run = trial.codewhale(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}: {run}");
    }
    assert_eq!(trial.codewhale(["--version"]).code, Some(0));
}

/// The main job: add servers, see all of them checked, call one.
#[test]
fn servers_of_a_configuration_are_checked_each_on_its_own() {
    let trial = TestEnvironment::new();
    let add = |name: &str, mode: &str| {
        let server = trial.fake(mode);
        let mut arguments = vec!["mcp", "add", name, "--"];
        arguments.extend(server.iter().map(String::as_str));
        let run = trial.codewhale(arguments);
        assert_eq!(run.code, Some(0), "{run}");
    };
    add("good", "plain");
    add("token", "die-on-start --stderr FATAL:_MY_TOKEN_is_not_set --code 3");
    add("modern", "plain --era modern");
    let list = trial.codewhale(["mcp", "list"]);
    assert!(list.code == Some(0) && list.stdout.contains("modern"), "{list}");

    let run = trial.codewhale(["mcp", "validate"]);
    assert_eq!(run.code, Some(1), "{run}");
    for part in ["16 tools", "exited with code 3", "FATAL:_MY_TOKEN_is_not_set", "codewhale mcp get token"] {
        assert!(run.stdout.contains(part), "{part}: {run}");
    }
    let json = trial.codewhale(["mcp", "validate", "--json"]);
    assert!(json.code == Some(1) && json.stdout.contains("\"exited\""), "{json}");
    let call = trial.codewhale(["mcp", "call", "modern", "echo", "text=hello"]);
    assert_eq!((call.code, call.stdout.as_str()), (Some(0), "hello\n"), "{call}");
    let again = trial.codewhale(["mcp", "add", "good", "--", "x"]);
    assert_eq!(again.code, Some(2), "an existing name is refused: {again}");
}
