//! `call`: what goes to a tool, and what comes back.

use codewhale_cli::Exit;
use serde_json::{Value, json};

use crate::world::{Machine, fake};

fn machine() -> Machine {
    let machine = Machine::new();
    machine.with_fakes(&[("s", &["plain"])]);
    machine
}

#[test]
fn arguments_come_from_words_files_and_standard_input() {
    let machine = machine();
    machine.write(&machine.work().join("a.json"), "{\"file\": [1, 2]}");
    let given = ["text=a=b", "json:={\"x\":1.50}", "@a.json", "-", "--json-args", "{\"flag\": true}"];
    let call = [&["mcp", "call", "s", "reflect", "--json"][..], &given].concat();
    let ran = machine.trial().stdin("{\"piped\": \"in\"}").run(&call).ends(Exit::Ok);
    let sent =
        serde_json::from_str::<Value>(&ran.stdout).unwrap()["result"]["structuredContent"]["arguments"]
            .clone();
    assert_eq!(sent, json!({"flag": true, "text": "a=b", "json": {"x": 1.5}, "file": [1, 2], "piped": "in"}));
    for (word, said) in [
        ("word", "`word` is no argument"),
        ("@nowhere", "cannot read `"),
        ("a=@nowhere", "cannot read `"),
        ("@.", "cannot read `"),
        ("a:=tru", "not JSON"),
        ("=x", "`=x` is no argument"),
    ] {
        machine.run(&["mcp", "call", "s", "reflect", word]).ends(Exit::Usage).says(said);
    }
    machine.run(&["mcp", "call", "s"]).ends(Exit::Usage).says("name the tool").says("mcp tools s`");
}

#[test]
fn numbers_pass_through_unchanged() {
    let machine = machine();
    let call = ["mcp", "call", "s", "reflect", "n:=9007199254740993", "e:=1e30", "z:=-0", "d:={\"x\":1e400}"];
    let ran = machine.run(&call).ends(Exit::Ok).says("not checked: a number is out of the range");
    for number in ["9007199254740993", "1e30", "-0", "1e400"] {
        assert!(ran.stdout.contains(number), "{number}: {ran}");
    }
    let json = machine.run(&[&call[..], &["--json"]].concat()).ends(Exit::Ok);
    json.prints(":9007199254740993").prints(":1e30").prints(":-0");
}

#[test]
fn text_becomes_what_the_schema_asks_for_and_faults_have_a_path() {
    let machine = machine();
    machine.run(&["mcp", "call", "s", "add", "a=1", "b=2.5"]).ends(Exit::Ok).prints("3.5");
    machine
        .run(&["mcp", "call", "s", "add", "a=1", "b=two"])
        .ends(Exit::Usage)
        .says("/b")
        .says("`add a=<number> b=<number>`")
        .says("mcp tools s add");
    machine.run(&["mcp", "call", "s", "add", "a=1"]).ends(Exit::Usage).says("missing: b");
    machine.run(&["mcp", "call", "s", "echo", "text=a", "text=b"]).ends(Exit::Usage).says("more than once");
}

#[test]
fn a_mistyped_tool_is_never_run() {
    let machine = machine();
    machine.run(&["mcp", "call", "s", "ehco", "text=x"]).ends(Exit::Usage).says("did you mean `echo`");
    machine.run(&["mcp", "call", "s", "zzz"]).ends(Exit::Usage).says("codewhale mcp tools s");
    machine.run(&["mcp", "call", "ehco"]).ends(Exit::Usage).says("no server `ehco`");
    machine.run(&["mcp", "call", "s", "mcp_s_echo", "text=x"]).ends(Exit::Ok).prints("x");
}

#[test]
fn a_destructive_tool_asks_and_needs_a_yes_in_a_script() {
    let machine = machine();
    let call = ["mcp", "call", "s", "delete_all"];
    machine.run(&call).ends(Exit::Blocked).says("may destroy something").says("--yes");
    machine.trial().answers(&["n"]).run(&call).ends(Exit::Blocked);
    machine.trial().answers(&[]).run(&call).ends(Exit::Blocked);
    machine.trial().answers(&["y"]).run(&call).ends(Exit::Ok).says("[y/N]");
    machine.run(&["mcp", "call", "s", "delete_all", "--yes"]).ends(Exit::Ok);
}

#[test]
fn a_tool_that_fails_is_shown_and_has_its_own_exit_code() {
    let machine = machine();
    let call = ["mcp", "call", "s", "fail"];
    machine.run(&call).ends(Exit::ToolFailed).prints("denied").says("answered with an error");
    let json = machine.run(&[&call[..], &["--json"]].concat()).ends(Exit::ToolFailed);
    assert_eq!(serde_json::from_str::<Value>(&json.stdout).unwrap()["is_error"], true);
}

#[test]
fn pictures_sound_and_blobs_become_files() {
    let machine = machine();
    let out = machine.work().join("out");
    for (tool, kind, extension) in
        [("image", "image/png", "png"), ("audio", "audio/", "wav"), ("blob", "pdf", "pdf")]
    {
        let ran = machine.run(&["mcp", "call", "s", tool, "--save", "out"]).ends(Exit::Ok).prints(kind);
        assert!(out.join(format!("{tool}-1.{extension}")).is_file(), "{ran}");
    }
    assert!(std::fs::read(out.join("image-1.png")).unwrap().starts_with(b"\x89PNG"));
    let ran = machine.run(&["mcp", "call", "s", "image"]).ends(Exit::Ok);
    ran.prints(&machine.temp().display().to_string());
    machine.run(&["mcp", "call", "s", "link"]).ends(Exit::Ok).prints("text://greeting");
    let json = machine.json(&["mcp", "call", "s", "image", "--save", "out"]);
    assert!(json["result"]["content"][0]["data"].as_str().is_some_and(|data| !data.is_empty()));
    assert_eq!(json["saved"].as_array().unwrap().len(), 1);
}

#[test]
fn a_long_text_is_cut_on_a_terminal_and_whole_elsewhere() {
    let machine = machine();
    let call = ["mcp", "call", "s", "big", "bytes=200000"];
    let whole = machine.run(&call).ends(Exit::Ok);
    assert!(whole.stdout.len() >= 200_000, "{}", whole.stdout.len());
    let cut = machine.trial().terminal().run(&call).ends(Exit::Ok).says("truncated, 200000 bytes in all");
    assert!(cut.stdout.len() < 40_000, "{}", cut.stdout.len());
    let full = machine.trial().terminal().run(&[&call[..], &["--full"]].concat()).ends(Exit::Ok);
    assert!(full.stdout == whole.stdout);
}

#[test]
fn progress_and_log_messages_are_talk() {
    let machine = machine();
    let slow = ["mcp", "call", "s", "slow", "ms=60", "every=20"];
    machine.run(&slow).ends(Exit::Ok).prints("done").hides("step");
    machine.run(&[&slow[..], &["-v"]].concat()).ends(Exit::Ok).says("progress: 1/3 step 1 of 3");
    machine.trial().terminal().run(&slow).ends(Exit::Ok).says("%");
    let log = machine.run(&["mcp", "call", "s", "log", "n=2"]).ends(Exit::Ok).says("[info fake] entry 2");
    assert!(!log.stdout.contains("[info"), "{log}");
    let log = machine.run(&["mcp", "call", "s", "log", "n=2", "-q"]).ends(Exit::Ok);
    assert_eq!(log.stderr, "");
}

#[test]
fn a_call_that_takes_too_long_is_told_and_given_up() {
    let machine = Machine::new();
    let record = machine.work().join("record");
    machine.with_fakes(&[("s", &["hang-call", "--record", record.to_str().expect("plain")])]);
    let ran = machine.run(&["mcp", "call", "s", "echo", "text=x", "--timeout", "0.2"]).ends(Exit::TimedOut);
    ran.says("did not answer tools/call within 0.2 s").says("--timeout");
    assert!(std::fs::read_to_string(&record).unwrap().contains("notifications/cancelled"));
}

#[test]
fn a_message_over_the_limit_of_the_settings_fails_its_server_with_the_reason() {
    let machine = machine();
    let limits = "[mcp]\nlimits = { max_message_bytes = 100000 }\n";
    machine.write(&machine.home().join(".codewhale/config.toml"), limits);
    machine.run(&["mcp", "call", "s", "big", "bytes=99000"]).ends(Exit::Ok);
    let ran = machine.run(&["mcp", "call", "s", "big", "bytes=100001"]).ends(Exit::Failed);
    ran.says("a message is longer than 100000 bytes").says("mcp logs s");
}

#[test]
fn a_server_without_configuration_can_be_called() {
    let machine = Machine::new();
    let line = format!("'{}' plain", fake());
    machine.run(&["mcp", "call", "--stdio", &line, "echo", "text=hi"]).ends(Exit::Ok).prints("hi");
    machine
        .run(&["mcp", "call", "--url", "http://localhost:1/mcp", "echo"])
        .ends(Exit::Failed)
        .says("cannot connect to `localhost`: cannot reach localhost:1");
}

#[test]
fn a_server_that_dies_in_a_call_says_how() {
    machine()
        .run(&["mcp", "call", "s", "exit", "code=7"])
        .ends(Exit::Failed)
        .says("code 7")
        .says("mcp logs s");
}
