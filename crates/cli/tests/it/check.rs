//! `validate`, `list --check`, `connect`, `tools`, `logs`: what servers really do.

use codewhale_cli::Exit;
use serde_json::json;

use crate::world::{Machine, fake};

#[test]
fn each_server_gets_its_row_and_one_that_hangs_delays_no_other() {
    let machine = Machine::new();
    let text = json!({"servers": {
        "good": {"command": fake(), "args": ["plain"]},
        "dies": {"command": "sh", "args": ["-c", "echo boom >&2; exit 3"]},
        "gone": {"command": "no-such-program"},
        "misses": {"command": "x", "args": ["${NOPE}"]},
        "remote": {"url": "http://127.0.0.1:1/mcp"},
        "off": {"command": "touch", "args": ["PWNED"], "disabled": true},
        "hangs": {"command": fake(), "args": ["hang"], "connect_timeout": 2},
    }});
    machine.write(&machine.config(), &text.to_string());
    let ran = machine.run(&["mcp", "validate"]).ends(Exit::Failed);
    let at = |text: &str| ran.stdout.find(text).unwrap_or_else(|| panic!("{text:?} is missing: {ran}"));
    assert!(
        at("good    ready") < at("hangs   failed") && at("dies    failed") < at("hangs   failed"),
        "{ran}"
    );
    assert!(at("boom") > at("dies    failed"), "{ran}");
    ran.prints("off     disabled               not started")
        .prints("exited: the server exited with code 3")
        .prints("stderr: boom")
        .prints("command_not_found: ")
        .prints("  stderr: boom\n  next: `codewhale mcp get dies` shows what it is started with\n")
        .prints("missing_variable: ")
        .prints("next: set NOPE")
        .prints("unreachable: ")
        .prints("timed_out: ")
        .says("7 servers: 1 ready, 5 failed, 1 disabled");
    assert!(!machine.work().join("PWNED").exists());

    let all = machine.json(&["mcp", "list", "--check"]);
    let rows = all["servers"].as_array().unwrap();
    let written = machine.json(&["mcp", "list"]);
    let names = |rows: &[serde_json::Value]| rows.iter().map(|row| row["name"].clone()).collect::<Vec<_>>();
    assert_eq!(names(rows), names(written["servers"].as_array().unwrap()));
    let dies = rows.iter().find(|row| row["name"] == "dies").unwrap();
    assert_eq!(dies["failure"]["exit_code"], 3);
    assert_eq!(dies["failure"]["stderr"], json!(["boom"]));
    machine.run(&["mcp", "logs", "dies"]).ends(Exit::Ok).prints("stderr: boom");
}

#[test]
fn the_exit_code_says_the_worst_that_happened() {
    let machine = Machine::new();
    machine.run(&["mcp", "validate"]).ends(Exit::Ok).says("there is no server");
    machine.with_fakes(&[("good", &["plain"]), ("empty", &["empty-list"])]);
    machine.run(&["mcp", "validate"]).ends(Exit::Ok).prints("list_empty");
    machine.with_fakes(&[("good", &["plain"]), ("half", &["page-error"])]);
    machine.run(&["mcp", "validate"]).ends(Exit::Failed).prints("degraded").prints("list_failed");
    machine.run(&["mcp", "validate", "good"]).ends(Exit::Ok);
    machine.run(&["mcp", "validate", "god"]).ends(Exit::Usage).says("did you mean `good`");
}

#[test]
fn a_literal_secret_gets_a_warning_that_names_the_alternative() {
    let machine = Machine::new();
    let secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    let text =
        json!({"servers": {"a": {"command": fake(), "args": ["plain"], "env": {"GITHUB_TOKEN": secret}}}});
    machine.write(&machine.config(), &text.to_string());
    let ran = machine.run(&["mcp", "validate"]).ends(Exit::Ok).hides(secret);
    ran.prints("`env.GITHUB_TOKEN` holds a secret, use `${VAR}`");
}

#[test]
fn a_server_that_prints_its_secret_on_standard_error_does_not_make_us_print_it() {
    let machine = Machine::new();
    let secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    let script = "echo \"token is $GITHUB_TOKEN\" >&2; printf '\\033[2Jbye\\n' >&2; exit 1";
    let text =
        json!({"servers": {"a": {"command": "sh", "args": ["-c", script], "env": {"GITHUB_TOKEN": secret}}}});
    machine.write(&machine.config(), &text.to_string());
    let commands: [&[&str]; 4] = [
        &["mcp", "validate"],
        &["mcp", "connect", "a"],
        &["mcp", "validate", "--json"],
        &["mcp", "logs", "a"],
    ];
    for command in commands {
        let ran = machine.run(command).hides(secret).hides("\u{1b}");
        assert!(ran.to_string().contains("token is REDACTED"), "{ran}");
    }
}

#[test]
fn connect_prints_what_the_server_says_about_itself() {
    let machine = Machine::new();
    machine.with_fakes(&[
        ("old", &["plain", "--instructions", "Use \u{1b}[31mme\nwell"]),
        ("new", &["plain", "--era", "modern"]),
        ("dead", &["die-on-start"]),
    ]);
    let old = machine.run(&["mcp", "connect", "old"]).ends(Exit::Ok).hides("\u{1b}");
    old.prints("2025-11-25 (legacy era: ").prints("tools, ").prints("  Use \\u{1b}[31mme\n  well");
    let new = machine.json(&["mcp", "connect", "new"]);
    assert_eq!((&new["protocol"], &new["era"]), (&json!("2026-07-28"), &json!("modern")));
    machine
        .run(&["mcp", "connect", "dead"])
        .ends(Exit::Failed)
        .says("exited with code")
        .says("start its command by hand");
    assert_eq!(machine.json(&["mcp", "connect", "dead"])["failure"]["class"], "exited");
    machine
        .run(&["mcp", "connect", "--stdio", &format!("'{}' plain", fake())])
        .ends(Exit::Ok)
        .prints("codewhale-fake");
    machine
        .run(&["mcp", "connect", "--url", "http://127.0.0.1:1"])
        .ends(Exit::Failed)
        .says("cannot reach 127.0.0.1:1");
    machine.run(&["mcp", "connect"]).ends(Exit::Usage);
    machine.run(&["mcp", "connect", "--stdio", "'x"]).ends(Exit::Usage).says("quote");
}

#[test]
fn tools_have_both_names_and_the_filter_applies() {
    let machine = Machine::new();
    let text = json!({"servers": {"my server": {
        "command": fake(), "args": ["plain"], "enabled_tools": ["echo", "add"], "disabled_tools": ["add"]
    }}});
    machine.write(&machine.config(), &text.to_string());
    let ran =
        machine.run(&["mcp", "tools"]).ends(Exit::Ok).prints("mcp_my_server_echo  echo").hides("delete_all");
    ran.says("tools are left out");
    let json = machine.json(&["mcp", "tools", "my server"]);
    let tool = &json["servers"][0]["tools"][0];
    assert_eq!((&tool["name"], &tool["raw_name"]), (&json!("mcp_my_server_echo"), &json!("echo")));
    assert_eq!(tool["definition"]["inputSchema"]["type"], "object");
    machine.run(&["mcp", "tools", "--schema"]).ends(Exit::Ok).prints("\"type\": \"object\"");
    machine.run(&["mcp", "tools", "--cost"]).ends(Exit::Ok).prints("about ").prints("TOKENS");
    let cached = machine.json(&["mcp", "tools", "--cached"]);
    assert_eq!(cached["servers"][0]["tools"], json["servers"][0]["tools"]);
    assert_eq!(cached["servers"][0]["status"], "cached");
    machine
        .run(&["mcp", "call", "my server", "add", "a=1"])
        .ends(Exit::Usage)
        .says("left out by `enabled_tools`");
}

#[test]
fn a_server_that_is_off_is_not_started() {
    let machine = Machine::new();
    let text = r#"{"servers": {"off": {"command": "touch", "args": ["PWNED"], "disabled": true}}}"#;
    machine.write(&machine.config(), text);
    machine.run(&["mcp", "validate"]).ends(Exit::Ok).prints("disabled").says("1 server: 1 disabled");
    machine.run(&["mcp", "connect", "off"]).ends(Exit::Blocked).says("turned off").says("mcp enable off");
    assert!(!machine.work().join("PWNED").exists());
}

#[test]
fn logs_of_a_server_that_never_ran_are_empty_and_of_a_stranger_an_error() {
    let machine = Machine::new();
    machine.with_fakes(&[("a", &["plain"])]);
    machine.run(&["mcp", "logs", "a"]).ends(Exit::Ok).says("has said nothing so far");
    machine.run(&["mcp", "logs", "b"]).ends(Exit::Usage).says("there is no server `b`");
    machine.run(&["mcp", "validate"]).ends(Exit::Ok);
    assert_eq!(machine.json(&["mcp", "logs", "a", "-n", "1"])["lines"].as_array().unwrap().len(), 1);
}

#[test]
fn a_budget_on_the_command_line_stands_in_the_place_of_the_definitions() {
    let machine = Machine::new();
    machine.with_fakes(&[("hung", &["hang"])]);
    let line = format!("'{}' hang", fake());
    let commands: [&[&str]; 7] = [
        &["validate", "hung"],
        &["list", "--check"],
        &["connect", "hung"],
        &["tools", "hung"],
        &["prompts", "--stdio", &line],
        &["call", "--stdio", &line, "echo"],
        &["read", "hung", "text://greeting"],
    ];
    for command in commands {
        let ran = machine.run(&[&["mcp"], command, &["--connect-timeout", "0.2"]].concat());
        assert!(matches!(ran.exit, Exit::Failed | Exit::TimedOut), "{ran}");
        assert!(format!("{ran}").contains("0.2 s"), "{ran}");
    }
    machine
        .run(&["mcp", "connect", "hung", "--read-timeout", "0.2"])
        .ends(Exit::TimedOut)
        .says("--connect-timeout SECS")
        .says("for good with `connect_timeout`")
        .says("what never answers may be no MCP server at all");
    machine
        .run(&["mcp", "connect", "--stdio", &line, "--connect-timeout", "0.2"])
        .ends(Exit::TimedOut)
        .says("--connect-timeout SECS")
        .hides("definition");
    machine.run(&["mcp", "list", "--connect-timeout", "1"]).ends(Exit::Usage).says("--check");
}
