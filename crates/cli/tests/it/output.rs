//! What leaves the program: harmless, complete, and quiet where nobody reads.

use codewhale_cli::Exit;

use crate::world::{Machine, Ran};

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
