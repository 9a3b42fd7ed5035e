//! What leaves the program: harmless, complete, and quiet where nobody reads.

use codewhale_cli::Exit;
use serde_json::json;

use crate::world::{Machine, Ran, fake};

#[test]
fn no_control_character_of_a_server_ever_leaves() {
    let machine = Machine::new();
    machine.with_fakes(&[("s", &["odd-names"]), ("t", &["plain"]), ("h", &["hostile-text"])]);
    let commands: [&[&str]; 25] = [
        &["mcp", "resources"],
        &["mcp", "resources", "--json"],
        &["mcp", "templates"],
        &["mcp", "templates", "--json"],
        &["mcp", "prompts"],
        &["mcp", "prompts", "--json"],
        &["mcp", "connect", "h"],
        &["mcp", "connect", "h", "--json"],
        &["mcp", "read", "h", "hostile://text"],
        &["mcp", "read", "h", "hostile://text", "--json"],
        &["mcp", "prompt", "h", "hostile_prompt"],
        &["mcp", "complete", "h", "--prompt", "hostile_prompt", "a"],
        &["mcp", "call", "h", "hostile_result"],
        &["mcp", "call", "h", "hostile_error"],
        &["mcp", "call", "h", "hostile_log"],
        &["mcp", "call", "h", "hostile_progress", "-v"],
        &["mcp", "tools"],
        &["mcp", "tools", "--json"],
        &["mcp", "tools", "--schema"],
        &["mcp", "call", "t", "ansi"],
        &["mcp", "call", "t", "ansi", "--json"],
        &["mcp", "connect", "s"],
        &["mcp", "validate"],
        &["mcp", "validate", "--json"],
        &["mcp", "call", "s", "no\u{1b}[2Jsuch\u{9b}31m"],
    ];
    for command in commands {
        let ran = machine.run(command);
        let odd = |c: char| c.is_control() && c != '\n' && c != '\t';
        assert!(!ran.stdout.contains(odd) && !ran.stderr.contains(odd), "{command:?}: {ran}");
    }
    machine.run(&["mcp", "call", "t", "ansi"]).ends(Exit::Ok).prints("\\u{1b}[2J").prints("\\u{9b}31m");
    machine
        .run(&["mcp", "call", "t", "ansi", "--json"])
        .ends(Exit::Ok)
        .prints("\\u001b[2J")
        .prints("\\u009b31m");
}

#[test]
fn colour_is_for_terminals_unless_somebody_decides() {
    let machine = Machine::new();
    machine.with_fakes(&[("s", &["plain"])]);
    let coloured = |ran: &Ran| ran.stdout.contains('\u{1b}');
    let list = ["mcp", "list"];
    assert!(!coloured(&machine.run(&list)));
    assert!(coloured(&machine.trial().terminal().run(&list)));
    assert!(!coloured(&machine.trial().terminal().variable("NO_COLOR", "1").run(&list)));
    assert!(!coloured(&machine.trial().terminal().variable("TERM", "dumb").run(&list)));
    assert!(!coloured(&machine.trial().terminal().run(&["mcp", "list", "--color", "never"])));
    let always = machine.trial().variable("NO_COLOR", "1").run(&["mcp", "list", "--color", "always"]);
    assert!(coloured(&always));
    // Each sequence is `ESC [ … m`; the words are the same without them.
    let plain: String = always
        .stdout
        .split('\u{1b}')
        .enumerate()
        .map(|(at, part)| if at == 0 { part } else { part.split_once('m').expect("a sequence ends").1 })
        .collect();
    let trimmed = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    assert_eq!(trimmed(&plain), trimmed(&machine.run(&list).stdout));
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let machine = Machine::new();
    machine.with_fakes(&[("s", &["plain"])]);
    let commands: [&[&str]; 6] = [
        &["mcp", "list"],
        &["mcp", "validate"],
        &["mcp", "tools"],
        &["mcp", "call", "s", "big", "bytes=100000"],
        &["completions", "bash"],
        &["--help"],
    ];
    for command in commands {
        machine.trial().closed().run(command).ends(Exit::Ok).hides("error");
    }
}

#[test]
fn what_clap_does_not_understand_is_a_usage_error_on_standard_error() {
    let machine = Machine::new();
    for command in [&["mcp", "lst"][..], &["mcp", "list", "--chek"], &["mcp", "get"], &[]] {
        let ran = machine.run(command).ends(Exit::Usage);
        assert_eq!(ran.stdout, "", "{command:?}");
    }
    machine.run(&["mcp", "lst"]).says("list");
    machine.run(&["--help"]).ends(Exit::Ok).prints("Usage: codewhale");
    machine.run(&["--version"]).ends(Exit::Ok).prints(codewhale_cli::VERSION);
}

#[test]
fn completions_and_pages_are_written() {
    let machine = Machine::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        machine.run(&["completions", shell]).ends(Exit::Ok).prints("codewhale");
    }
    machine.run(&["man"]).ends(Exit::Ok).prints(".TH codewhale");
    machine.run(&["man", "pages"]).ends(Exit::Ok);
    assert!(machine.work().join("pages/codewhale-mcp-call.1").is_file());
}

#[test]
fn quiet_says_nothing_but_errors() {
    let machine = Machine::new();
    assert_eq!(machine.run(&["mcp", "add", "a", "-q", "--", "x"]).ends(Exit::Ok).stderr, "");
    assert_eq!(machine.run(&["mcp", "list", "-q"]).ends(Exit::Ok).stderr, "");
    let ran = machine.run(&["mcp", "get", "b", "-q"]).ends(Exit::Usage).says("error: there is no server `b`");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran}");
}

#[test]
fn a_shell_is_told_the_names_of_servers_tools_and_arguments() {
    let machine = Machine::new();
    machine.with_fakes(&[("fake", &["plain"]), ("other one", &["paged"])]);
    machine.run(&["mcp", "tools", "fake"]).ends(Exit::Ok);
    machine.write(&machine.project(), r#"{"servers": {"team": {"command": "x"}}}"#);
    let check = |words: &[&str], wanted: &[&str]| {
        let ran = machine.run(&[&["__complete"], words].concat()).ends(Exit::Ok);
        assert_eq!(ran.stdout.lines().collect::<Vec<_>>(), wanted, "{words:?}: {ran}");
        assert_eq!(ran.stderr, "", "{words:?}");
    };
    check(&["mcp", "get", ""], &["fake", "other one"]);
    check(&["mcp", "rm", "ot"], &["other one"]);
    check(&["mcp", "call", "--timeout", "3", "--json", "fake", "ech"], &["echo"]);
    check(&["mcp", "tools", "fake", "delete"], &["delete_all"]);
    check(&["mcp", "call", "fake", "add", ""], &["a=", "b="]);
    check(&["mcp", "call", "fake", "add", "a=1", ""], &["b="]);
    check(&["mcp", "get", "", "--mcp-config"], &[]);
    let given = r#"{"servers":{"given":{"command":"x"}}}"#;
    check(&["mcp", "--mcp-config", given, "--strict-mcp-config", "get", ""], &["given"]);
    let nothing: [&[&str]; 7] = [
        &[],
        &["mcp", ""],
        &["mcp", "call", "--timeout", ""],
        &["mcp", "call", "--"],
        &["mcp", "call", "other one", ""],
        &["mcp", "add", ""],
        &["mcp", "call", "--stdio", "x", ""],
    ];
    for words in nothing {
        check(words, &[]);
    }
}

/// A machine with one server, which has these variables.
fn with_env(name: &str, command: &str, args: &[&str], env: &[(&str, &str)]) -> Machine {
    let machine = Machine::new();
    let env: serde_json::Map<String, serde_json::Value> =
        env.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    let text = json!({"servers": {name: {"command": command, "args": args, "env": env}}});
    machine.write(&machine.config(), &text.to_string());
    machine
}

#[test]
fn a_secret_that_is_a_word_of_ours_a_name_or_a_number_breaks_nothing() {
    let secrets = [
        ("POSTGRES_PASSWORD", "postgres"),
        ("DB_PASSWORD", "100000"),
        ("A_TOKEN", "servers"),
        ("B_TOKEN", "status"),
        ("C_TOKEN", "failed"),
        ("D_TOKEN", "hunter2-hunter2"),
    ];
    let fake = fake();
    let machine = with_env("postgres", &fake, &["plain"], &secrets);
    machine.run(&["mcp", "tools"]).ends(Exit::Ok).prints("mcp_postgres_echo").hides("REDACTED");
    assert_eq!(machine.json(&["mcp", "tools"])["servers"][0]["server"], "postgres");
    let validated = machine.json(&["mcp", "validate"]);
    assert_eq!(
        (&validated["servers"][0]["name"], &validated["servers"][0]["status"]),
        (&json!("postgres"), &json!("ready"))
    );
    let called = machine.json(&["mcp", "call", "postgres", "echo", "text=it failed: hunter2-hunter2"]);
    assert_eq!(called["server"], "postgres");
    assert_eq!(called["result"]["content"], json!([{"type": "text", "text": "it REDACTED: REDACTED"}]));
    machine.run(&["mcp", "call", "postgres", "echo", "text=x100000"]).ends(Exit::Ok).prints("xREDACTED");

    let machine = with_env("postgres", "sh", &["-c", "echo it failed >&2; exit 3"], &secrets);
    let ran = machine.run(&["mcp", "validate"]).ends(Exit::Failed).prints("postgres").prints("failed");
    ran.prints("it REDACTED").says("1 failed");
    let validated = machine.json(&["mcp", "validate"]);
    assert_eq!(validated["servers"][0]["status"], "failed");
    assert_eq!(validated["servers"][0]["failure"]["stderr"], json!(["it REDACTED"]));
}

#[test]
fn no_escape_lets_a_secret_through() {
    let secret = "to\"p\\s\tecret1";
    let fake = fake();
    let said = format!("say {secret} aloud");
    let machine = with_env("s", &fake, &["plain", "--instructions", &said], &[("MY_TOKEN", secret)]);
    for command in [&["mcp", "connect", "s"][..], &["mcp", "connect", "s", "--json"]] {
        machine.run(command).ends(Exit::Ok).prints("say REDACTED aloud").hides("ecret1");
    }
    let text = format!("text={secret}");
    let ran = machine.run(&["mcp", "call", "s", "echo", &text, "--json"]).ends(Exit::Ok);
    ran.prints("REDACTED").hides("ecret1");
    machine.run(&["mcp", "call", "s", "echo", &text]).ends(Exit::Ok).prints("REDACTED").hides("ecret1");
    machine
        .run(&["mcp", "call", "s", "add", &format!("a={secret}"), "b=1"])
        .ends(Exit::Usage)
        .hides("ecret1");
}

#[cfg(unix)]
#[test]
fn no_cut_lets_a_secret_through() {
    let script = "printf '%070d%s\\n' 0 $A_TOKEN; printf '%04090d%s\\n' 0 $A_TOKEN >&2; exit 1";
    let machine = with_env("s", "sh", &["-c", script], &[("A_TOKEN", "topsecret1")]);
    for command in [&["mcp", "validate"][..], &["mcp", "validate", "--json"], &["mcp", "logs", "s"]] {
        let ran = machine.run(command).hides("topse");
        assert!(ran.to_string().contains("0REDACTED…"), "{ran}");
    }
}

#[cfg(unix)]
#[test]
fn values_of_env_and_secrets_in_a_command_do_not_leave() {
    let script = "echo cannot connect to $DATABASE_URL with $TOK >&2; exit 1";
    let env = [("DATABASE_URL", "postgres://bob:topsecret1@db/x"), ("TOK", "topsecret2")];
    let machine = with_env("s", "sh", &["-c", script], &env);
    for command in [&["mcp", "validate"][..], &["mcp", "validate", "--json"], &["mcp", "logs", "s"]] {
        let ran = machine.run(command).hides("topsecret");
        assert!(ran.to_string().contains("cannot connect to REDACTED with REDACTED"), "{ran}");
    }
    // Lines from before they were known.
    machine.write(
        &machine.home().join(".codewhale/logs/s.log"),
        "2026-01-01T00:00:00.000Z stderr: topsecret2\n",
    );
    for command in [&["mcp", "logs", "s"][..], &["mcp", "logs", "s", "--json"]] {
        machine.run(command).ends(Exit::Ok).prints("stderr: REDACTED").hides("topsecret");
    }
    let machine = with_env("s", "server --token=topsecret1 --url https://u:topsecret2@h/", &[], &[]);
    for command in
        [&["mcp", "list"][..], &["mcp", "get", "s"], &["mcp", "validate"], &["mcp", "connect", "s"]]
    {
        machine.run(command).hides("topsecret");
        machine.run(&[command, &["--json"]].concat()).hides("topsecret");
    }
}
