//! What people really type, and whether they are told what they meant.

use codewhale_cli::Exit;
use serde_json::{Value, json};

use crate::world::{Machine, fake};

fn machine() -> Machine {
    let machine = Machine::new();
    machine.with_fakes(&[("fake", &["plain"]), ("my server", &["plain"])]);
    machine
}

#[test]
fn an_argument_that_the_tool_does_not_name_is_told_with_the_one_that_was_meant() {
    let machine = machine();
    let ran = machine.run(&["mcp", "call", "fake", "echo", "txt=hi"]).ends(Exit::Usage);
    ran.says("missing: text; unknown argument `txt`, did you mean `text`?").says("`echo text=<string>`");
    let ran = machine.run(&["mcp", "call", "fake", "add", "a=1", "b=2", "zzz=3"]).ends(Exit::Ok);
    ran.prints("3").says("warning: unknown argument `zzz`");
    let told = machine.json(&["mcp", "call", "fake", "add", "a=1", "b=2", "zzz=3"]);
    assert_eq!(told["warnings"], json!(["unknown argument `zzz`"]));
    // It says that it takes anything.
    let ran = machine.run(&["mcp", "call", "fake", "reflect", "zzz=3"]).ends(Exit::Ok);
    assert_eq!(ran.stderr, "", "{ran}");
}

#[test]
fn a_tool_goes_by_every_name_that_is_shown() {
    let machine = machine();
    let calls: [&[&str]; 5] = [
        &["mcp_fake_echo"],
        &["fake.echo"],
        &["fake/echo"],
        &["mcp_my_server_echo"],
        &["my server", "mcp_my_server_echo"],
    ];
    for call in calls {
        machine.run(&[&["mcp", "call"], call, &["text=hi"]].concat()).ends(Exit::Ok).prints("hi");
        machine.run(&[&["mcp", "tools"], call].concat()).ends(Exit::Ok).prints("text=<string>");
    }
    machine.run(&["mcp", "call", "fake.ehco", "text=hi"]).ends(Exit::Usage).says("did you mean `echo`?");
}

#[test]
fn one_tool_is_shown_in_full() {
    let machine = machine();
    let ran = machine.run(&["mcp", "tools", "fake", "add"]).ends(Exit::Ok).hides("mcp_fake_echo");
    let ran = ran
        .prints("mcp_fake_add\ntool      add of fake\n")
        .prints("hints     read-only\n")
        .prints("call      codewhale mcp call fake add a=<number> b=<number>\n")
        .prints("  Adds two numbers\n")
        .prints("  a  number, required\n");
    assert!(!ran.stdout.contains("\"type\""), "{ran}");
    machine
        .run(&["mcp", "tools", "fake", "add", "--schema"])
        .ends(Exit::Ok)
        .prints("input schema:\n  {\n    \"type\": \"object\"")
        .prints("output schema:");
    let told = machine.json(&["mcp", "tools", "fake", "add"]);
    let tools = told["servers"][0]["tools"].as_array().unwrap();
    assert_eq!((tools.len(), &tools[0]["raw_name"]), (1, &json!("add")));
    machine.run(&["mcp", "tools", "fake", "ehco"]).ends(Exit::Usage).says("did you mean `echo`?");
    let line = format!("'{}' plain", fake());
    machine
        .run(&["mcp", "tools", "--stdio", &line, "add"])
        .ends(Exit::Ok)
        .prints("mcp call --stdio … add a=");
    machine.run(&["mcp", "tools", "--stdio", &line, "zzz"]).ends(Exit::Usage).says("mcp tools --stdio …`");
}

#[test]
fn a_value_can_stand_in_a_file() {
    let machine = machine();
    machine.write(&machine.work().join("note.txt"), "two\nlines\n");
    machine.write(&machine.work().join("list.json"), "[1.50, 2]");
    let call = ["mcp", "call", "fake", "reflect", "text=@note.txt", "list:=@list.json", "who=@@me", "at=a@b"];
    let ran = machine.run(&[&call[..], &["--json"]].concat()).ends(Exit::Ok).prints("[1.50, 2]");
    let told: Value = serde_json::from_str(&ran.stdout).unwrap();
    let sent = &told["result"]["structuredContent"]["arguments"];
    assert_eq!(*sent, json!({"text": "two\nlines", "list": [1.5, 2], "who": "@me", "at": "a@b"}));
    machine.run(&["mcp", "call", "fake", "echo", "text=@nowhere"]).ends(Exit::Usage).says("nowhere");
    machine.run(&["mcp", "call", "fake", "reflect", "x:=@note.txt"]).ends(Exit::Usage).says("not JSON");
}

#[test]
fn what_is_written_in_another_programs_way_is_told_in_ours() {
    let machine = machine();
    let rows: [(&[&str], &str); 10] = [
        (&["mcp", "call", "fake", "echo", "--text=5"], "without dashes: text=5"),
        (&["mcp", "call", "fake", "echo", "--text", "hi"], "without dashes: text=hi"),
        (&["mcp", "call", "fake", "echo", "hi"], "write key=hi; `codewhale mcp tools fake echo`"),
        (&["mcp", "add", "x", "npx", "-y", "foo"], "behind `--`: codewhale mcp add NAME -- npx"),
        (&["mcp", "add", "x"], "behind `--`: `codewhale mcp add x -- CMD"),
        (&["list"], "did you mean `codewhale mcp list`?"),
        (&["ls"], "did you mean `codewhale mcp list`?"),
        (&["trust"], "codewhale mcp add --project"),
        (&["mcp", "list", "--mcp-config", "nope.json"], "look at the path"),
        (&["mcp", "add-json", "x", "{}"], "a definition is {\"command\""),
    ];
    for (words, said) in rows {
        machine.run(words).ends(Exit::Usage).says(said);
    }
    machine.run(&["mcp", "call", "fake", "echo", "--text=5"]).hides("-- --text");
    let secret = "sk-abcdefghijklmnopqrstuvwxyz0123456789";
    machine.run(&["mcp", "call", "fake", "echo", secret]).ends(Exit::Usage).hides(secret);
    for help in [&["help", "mcp", "call"][..], &["mcp", "help", "call"], &["help"]] {
        machine.run(help).ends(Exit::Ok).prints("Usage: codewhale");
    }
    machine.run(&["help", "mcp", "call"]).prints("codewhale mcp call [OPTIONS]");
}

#[test]
fn a_server_of_the_command_line_has_no_file_to_edit() {
    let machine = machine();
    let given = r#"{"servers":{"one":{"command":"x"}}}"#;
    for verb in ["disable", "enable", "remove"] {
        let ran = machine.run(&["mcp", verb, "one", "--mcp-config", given]).ends(Exit::Usage);
        ran.says("`one` comes from --mcp-config");
    }
    machine.run(&["mcp", "disable", "two", "--mcp-config", given]).ends(Exit::Usage).says("no server `two`");
}

#[test]
fn the_next_step_is_said_when_a_server_is_added() {
    let machine = machine();
    let ran = machine.run(&["mcp", "add", "web", "--url", "https://h.test/mcp"]).ends(Exit::Ok);
    ran.says("mcp connect web");
    let ran = machine.run(&["mcp", "add-json", "web2", r#"{"type":"http","url":"https://h.test"}"#]);
    ran.ends(Exit::Ok).says("mcp connect web2");
    machine.run(&["mcp", "add", "a", "--", "x"]).ends(Exit::Ok).says("mcp connect a");
    let again = machine.run(&["mcp", "add", "a", "--force", "--", "x"]).ends(Exit::Ok);
    again.prints("already there: a").hides("hint:");
}

#[test]
fn a_failure_is_json_where_json_is_asked_for() {
    let machine = Machine::new();
    let servers = json!({"servers": {
        "fake": {"command": fake(), "args": ["plain"]},
        "dies": {"command": "sh", "args": ["-c", "exit 3"]},
        "hung": {"command": fake(), "args": ["hang-call"]},
        "off": {"command": "x", "disabled": true},
        "misses": {"command": "x", "args": ["${NOPE}"]},
    }});
    machine.write(&machine.config(), &servers.to_string());
    machine.write(&machine.project(), r#"{"servers": {"team": {"command": "x"}}}"#);
    let rows: [(&[&str], Exit, &str, &str); 14] = [
        (&["call", "fake", "echo"], Exit::Usage, "bad_arguments", "missing: text"),
        (&["call", "fake", "zzz"], Exit::Usage, "unknown_tool", "no tool `zzz`"),
        (&["call", "nope", "zzz"], Exit::Usage, "unknown_server", "no server `nope`"),
        (&["call", "dies", "x"], Exit::Failed, "exited", "cannot connect to `dies`"),
        (&["call", "fake", "exit", "code=7"], Exit::Failed, "closed", "7"),
        (&["call", "hung", "echo", "text=x", "--timeout", "0.2"], Exit::TimedOut, "timed_out", "0.2 s"),
        (&["call", "team", "x"], Exit::Blocked, "untrusted", "not trusted"),
        (&["call", "off", "x"], Exit::Blocked, "disabled", "turned off"),
        (&["call", "misses", "x"], Exit::Usage, "config", "NOPE"),
        (&["call", "fake", "delete_all"], Exit::Blocked, "no_consent", "destroy"),
        (&["read", "fake", "x://y"], Exit::Failed, "server_error", ""),
        (&["connect", "dies"], Exit::Failed, "exited", "cannot connect to `dies`"),
        (&["lst"], Exit::Usage, "usage", "unrecognized subcommand 'lst'"),
        (&["add", "fake", "--", "x"], Exit::Usage, "exists", "exists already"),
    ];
    for (words, exit, class, part) in rows {
        let ran = machine.run(&[&["mcp", "--json"], words].concat()).ends(exit);
        assert_eq!(ran.stdout.lines().count(), 1, "{ran}");
        let told: Value = serde_json::from_str(&ran.stdout).unwrap();
        let error = &told["error"];
        assert_eq!(error["class"], class, "{ran}");
        assert!(error["message"].as_str().is_some_and(|message| message.contains(part)), "{ran}");
        assert!(error["causes"].is_array() && error.get("hint").is_some(), "{ran}");
    }
    let told = machine.json(&["mcp", "connect", "dies"]);
    assert_eq!((&told["name"], &told["failure"]["class"]), (&json!("dies"), &json!("exited")));
    assert_eq!(told["error"]["causes"][0], "the server exited with code 3 before it was ready");
    let told = machine.json(&["mcp", "call", "misses", "x"]);
    assert_eq!(told["error"]["hint"], "set NOPE, or give a default with `${NOPE:-…}`");
}

#[test]
fn where_there_is_nothing_to_list_that_is_said() {
    let machine = Machine::new();
    for list in ["tools", "resources", "templates", "prompts"] {
        machine.run(&["mcp", list]).ends(Exit::Ok).says("there is no server");
    }
    machine.with_fakes(&[("empty", &["empty-list"])]);
    machine.run(&["mcp", "tools"]).ends(Exit::Ok).says("empty: it lists no tools");
    machine.run(&["mcp", "validate"]).ends(Exit::Ok);
    machine.run(&["mcp", "logs", "empty", "-n", "0"]).ends(Exit::Ok).hides("has said nothing");
}

#[cfg(unix)]
#[test]
fn a_program_that_is_no_server_is_told_as_what_it_probably_is() {
    let machine = Machine::new();
    machine.run(&["mcp", "validate", "--stdio", "cat"]).ends(Exit::Failed).prints("such as `cat`");
    let ran = machine.run(&["mcp", "connect", "--stdio", "/tmp"]).ends(Exit::Failed).hides("chmod");
    ran.says("program \"/tmp\" is a directory\n").says("name a program within that folder");
    let ran = machine.run(&["mcp", "connect", "--stdio", "uvx mcp-server-time"]).ends(Exit::Failed);
    ran.says("cannot connect to `mcp-server-time`: program \"uvx\" not found on PATH\n")
        .says("\n  because: PATH is /usr/bin:/bin\n")
        .says("`uvx` comes with uv");
}

#[test]
fn a_table_fits_the_terminal_and_is_whole_elsewhere() {
    let machine = machine();
    let terminal = machine.trial().terminal().variable("NO_COLOR", "1").run(&["mcp", "tools", "fake"]);
    let terminal = terminal.ends(Exit::Ok).prints("HINTS").hides("read-only").hides("destructive, ");
    assert!(terminal.stdout.lines().all(|line| line.chars().count() <= 80), "{terminal}");
    machine.run(&["mcp", "tools", "fake"]).ends(Exit::Ok).prints("  read-only  ").prints("destructive");
    let (long, short) = ("a-rather-long-argument-of-a-server".repeat(4), "x".to_owned());
    machine.run(&["mcp", "add", "wide", "--", &short, &long]).ends(Exit::Ok);
    let listed = machine.trial().terminal().variable("NO_COLOR", "1").run(&["mcp", "list"]).ends(Exit::Ok);
    assert!(listed.stdout.lines().all(|line| line.chars().count() <= 80), "{listed}");
    machine.run(&["mcp", "list"]).ends(Exit::Ok).prints(&long);
    let path = ["/a/long/folder/of/programs"; 20].join(":");
    let line = ["mcp", "validate", "--stdio", "no-such-program"];
    let failed = machine.trial().terminal().variable("PATH", &path).variable("NO_COLOR", "1").run(&line);
    let told = failed.stdout.lines().find(|line| line.contains("PATH is")).expect("where it was looked for");
    assert!(told.chars().count() == 80 && told.ends_with('…'), "{failed}");
    machine.trial().variable("PATH", &path).run(&line).prints(&path);
}
