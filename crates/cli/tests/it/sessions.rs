//! Sessions: what the command line, the settings and the environment mean for them, and how they end.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use codewhale_cli::Exit;
use codewhale_testkit::ModelFake;
use serde_json::{Value, json};

use crate::world::{Machine, fake};

const STREAM: [&str; 4] = ["--input-format", "stream-json", "--output-format", "stream-json"];

/// A machine with a scripted model in its settings.
fn with_model(script: &str) -> (Machine, ModelFake) {
    let (machine, model) = (Machine::new(), ModelFake::start(script));
    let settings =
        format!("[model]\nbase_url = \"{}\"\nmodel = \"m\"\napi_key_env = \"KEY\"\n", model.base_url());
    machine.write(&machine.home().join(".codewhale/config.toml"), &settings);
    (machine, model)
}

fn messages(stdout: &str) -> Vec<Value> {
    stdout.lines().map(|line| serde_json::from_str(line).expect("a message is JSON")).collect()
}

#[test]
fn a_prompt_on_the_command_line_or_standard_input_is_answered_in_the_format_that_is_asked_for() {
    let script = r#"[{"text": "\u001b[31mfine"}, {"text": "fine"}, {"text": "fine"}]"#;
    let (machine, model) = with_model(script);
    let ran = machine.trial().variable("KEY", "k").run(&["-p", "how are you"]);
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::Ok, "\\u{1b}[31mfine\n"), "{ran}");
    let trial = machine.trial().variable("KEY", "k").stdin("how are you");
    let ran = trial.run(&["--print", "--output-format=json"]);
    let result: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&result["type"], &result["result"]), (&json!("result"), &json!("fine")));
    let ran = machine.trial().variable("KEY", "k").run(&["-p", "hi", "--output-format", "stream-json"]);
    let kinds: Vec<Value> =
        messages(&ran.stdout).into_iter().map(|message| message["type"].clone()).collect();
    assert_eq!(kinds, ["system", "assistant", "result"]);
    assert_eq!(model.asked()[1]["messages"][0]["content"], "how are you");
    assert_eq!(model.requests()[0].header("authorization"), Some("Bearer k"));
}

#[test]
fn a_prompt_without_an_answer_fails_and_says_why() {
    let machine = Machine::new();
    let ran = machine.run(&["-p", "hi"]);
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::Usage, ""));
    assert!(
        ran.stderr.contains("error: no model is configured") && ran.stderr.contains("DEEPSEEK_API_KEY"),
        "{ran}"
    );
    assert!(ran.stderr.contains("hint: set it, or name another model by `[model]` in config.toml"), "{ran}");
    let ran = machine.run(&["-p", "hi", "--output-format", "json"]);
    assert_eq!((ran.exit, messages(&ran.stdout)[0]["is_error"].clone()), (Exit::Usage, json!(true)));
    // A session goes on, and ends as it should.
    let prompt = json!({"type": "user", "message": {"role": "user", "content": "hi"}}).to_string();
    let ran = machine.trial().stdin(&prompt).run(&STREAM);
    assert_eq!((ran.exit, messages(&ran.stdout)[1]["is_error"].clone()), (Exit::Ok, json!(true)), "{ran}");
}

#[test]
fn a_required_server_that_cannot_start_fails_the_prompt() {
    let (machine, model) = with_model(r#"[{"text": "fine"}]"#);
    let servers = json!({"servers": {"needed": {"command": "no-such-program-here", "required": true}}});
    machine.write(&machine.config(), &servers.to_string());
    let ran = machine.trial().variable("KEY", "k").run(&["-p", "hi"]);
    assert_eq!(ran.exit, Exit::Failed);
    assert!(ran.stderr.contains("`needed`") && ran.stderr.contains("no-such-program-here"), "{ran}");
    assert!(model.asked().is_empty());
}

#[test]
fn a_required_server_whose_definition_cannot_be_used_fails_the_prompt() {
    let (machine, model) = with_model(r#"[{"text": "fine"}]"#);
    for (entry, why) in [
        (json!({"command": "x", "args": ["${GONE}"], "required": true}), "GONE"),
        (json!({"command": 7, "required": true}), "`command` must be a string"),
        (json!({"required": true}), "`needed` needs"),
    ] {
        machine.write(&machine.config(), &json!({"servers": {"needed": entry}}).to_string());
        let ran = machine.trial().variable("KEY", "k").run(&["-p", "hi"]);
        assert_eq!(ran.exit, Exit::Failed, "{ran}");
        let told = ran.stderr.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
        assert!(told.contains("the required server `needed`") && told.contains(why), "{ran}");
        assert!(model.asked().is_empty());
    }
}

/// A machine whose model calls a tool of the fake server `s` twice.
fn calling() -> (Machine, ModelFake) {
    let call = json!({"calls": [{"name": "mcp_s_echo", "arguments": {"text": "x"}}]});
    let (machine, model) = with_model(&json!([call, call, {"text": "fine"}]).to_string());
    let entry = json!({"command": fake(), "args": ["plain"], "alwaysLoad": true});
    machine.write(&machine.config(), &json!({"servers": {"s": entry}}).to_string());
    (machine, model)
}

#[test]
fn a_tool_that_is_not_allowed_is_named_once_with_what_would_let_it_run() {
    let rows: [(&[&str], &str); 5] = [
        (
            &[],
            "warning: the tool mcp_s_echo was not run: it needs a permission, and nobody is there to give it; \
             --allowedTools mcp_s_echo lets it run, --permission-mode acceptEdits tools that only read, -y every tool\n",
        ),
        (
            &["--permission-mode", "plan", "--json"],
            "warning: the tool mcp_s_echo was not run: in plan mode no tool of a server runs; another \
             --permission-mode lets tools run\n",
        ),
        (
            &["-y", "--disallowedTools", "mcp_s_echo"],
            "warning: the tool mcp_s_echo was not run: the rules of this session deny it; `--disallowedTools` or \
             `deny` in [mcp.approval] names it\n",
        ),
        (&["--allowedTools", "mcp_s_echo"], ""),
        (&["--output-format", "stream-json"], ""),
    ];
    for (more, told) in rows {
        let (machine, _model) = calling();
        let ran = machine.trial().variable("KEY", "k").run(&[&["-p", "hi"], more].concat());
        assert_eq!((ran.exit, ran.stderr.as_str()), (Exit::Ok, told), "{more:?}: {ran}");
    }
}

#[test]
fn a_server_that_cannot_be_used_is_told_of_once() {
    let (machine, _model) = with_model("[]");
    let entry = json!({"command": fake(), "args": ["die-on-start", "--code", "3", "--stderr", "boom"], "alwaysLoad": true});
    let servers = json!({"dead": entry, "odd": {"command": 7}, "off": {"command": "x", "disabled": true}});
    machine.write(&machine.config(), &json!({"servers": servers}).to_string());
    let run = |more: &[&str]| {
        let ran = machine.trial().variable("KEY", "k").run(&[&["-p", "hi"], more].concat());
        assert_eq!(ran.exit, Exit::Ok, "{ran}");
        ran.stderr
    };
    let told = run(&[]);
    let dead = "warning: server `dead` has failed: the server exited with code 3 before it was ready";
    let lines = |start: &str| told.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((lines(dead), lines("warning: server `odd` has failed: ")), (1, 1), "{told}");
    assert!(
        told.contains("(-v shows what it wrote)") && !told.contains("boom") && !told.contains("`off`"),
        "{told}"
    );
    let told = run(&["-v"]);
    assert!(told.contains("warning: server `dead` wrote: boom"), "{told}");
    assert!(!run(&["-q"]).contains("dead"));
    // Messages tell of them where there are any.
    assert!(!run(&["--output-format", "stream-json"]).contains("`dead` has failed"));
}

#[test]
fn a_prompt_that_says_nothing_goes_to_no_model() {
    let (machine, model) = with_model(r#"[{"text": "fine"}]"#);
    let ran = machine.trial().variable("KEY", "k").run(&["-p", " "]);
    assert_eq!(
        (ran.exit, ran.stderr.lines().next()),
        (Exit::Usage, Some("error: the prompt is empty")),
        "{ran}"
    );
    for nothing in ["", "\n"] {
        let ran = machine.trial().variable("KEY", "k").stdin(nothing).run(&["-p"]);
        assert_eq!(ran.exit, Exit::Usage, "{ran}");
        assert!(ran.stderr.starts_with("error: there is no prompt: none stands behind -p"), "{ran}");
    }
    assert!(model.asked().is_empty());
}

#[test]
fn what_leaves_as_json_changes_no_terminal() {
    let (machine, _model) = with_model(r#"[{"text": "a\u009b31m\u007f"}]"#);
    let ran = machine.trial().variable("KEY", "k").run(&["-p", "hi", "--output-format", "json"]);
    assert!(!ran.stdout.trim_end().chars().any(char::is_control), "{ran}");
    assert_eq!(messages(&ran.stdout)[0]["result"], "a\u{9b}31m\u{7f}");
}

#[test]
fn no_key_leaves_with_an_answer_that_makes_no_sense() {
    let (machine, key) = (Machine::new(), "the-key-of-the-model-0123");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let settings = format!("[model]\nbase_url = \"{url}\"\nmodel = \"m\"\napi_key_env = \"KEY\"\n");
    machine.write(&machine.home().join(".codewhale/config.toml"), &settings);
    let model = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.read_exact(&mut [0; 16]).unwrap();
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
        write!(stream, "{head}data: {{\"choices\": \"{key}\"}}\n\n").unwrap();
        stream.read_to_end(&mut Vec::new())
    });
    let ran = machine.trial().variable("KEY", key).run(&["-p", "hi", "--output-format", "stream-json"]);
    let _ = model.join();
    assert_eq!(ran.exit, Exit::Failed);
    assert!(ran.stdout.contains("makes no sense") && !ran.to_string().contains(key), "{ran}");
}

#[test]
fn what_makes_no_sense_ends_before_anything_is_said() {
    let machine = Machine::new();
    machine.write(&machine.home().join("outside.json"), "{}");
    let outside = machine.home().join("outside.json");
    let rows: [(&[&str], &str); 5] = [
        (&["--system-prompt-file", "nowhere.txt"], "cannot read `"),
        (&["--nonsense"], "unknown option --nonsense"),
        (&["--permission-mode", "yolo"], "--permission-mode is one of"),
        (&["--mcp-config", outside.to_str().unwrap()], "MCP config escapes the admitted Workspace"),
        (&["--workspace", "nowhere"], "cannot use the workspace"),
    ];
    for (more, error) in rows {
        let ran = machine.run(&[&STREAM[..], more].concat());
        assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::Usage, ""), "{more:?}: {ran}");
        assert!(ran.stderr.contains(error), "{more:?}: {ran}");
    }
    let ran = machine.run(&[&STREAM[..], &["--effort", "high", "--tools", ""]].concat());
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::Ok, ""));
    assert_eq!(ran.stderr, "warning: without an effect here: --effort, --tools\n");
}

#[test]
fn global_options_count_wherever_they_stand() {
    let (machine, _model) = with_model("[]");
    machine.write(
        &machine.work().join("other.json"),
        r#"{"servers": {"mine": {"command": "x", "disabled": true}}}"#,
    );
    for words in [["--json", "-p", "hi"], ["-p", "--json", "hi"], ["-p", "hi", "--json"]] {
        let ran = machine.trial().variable("KEY", "k").run(&words);
        assert_eq!(
            (ran.exit, messages(&ran.stdout)[0]["type"].clone()),
            (Exit::Ok, json!("result")),
            "{ran}"
        );
    }
    let before = ["-v", "--color", "always", "-y", "--config", "other.json", "--workspace", ".", "-p", "hi"];
    let ran = machine
        .trial()
        .variable("KEY", "k")
        .run(&[&before[..], &["--output-format", "stream-json", "--effort", "high"]].concat());
    let init = messages(&ran.stdout).remove(0);
    assert_eq!(init["mcp_servers"], json!([{"name": "mine", "status": "disabled"}]), "{ran}");
    assert_eq!(init["permissionMode"], "bypassPermissions");
    assert!(ran.stderr.contains("\u{1b}["), "{ran}");
    // Why there is no session is JSON then, too.
    for (words, wanted) in [
        (&["--json", "--workspace", "nowhere", "-p", "hi"][..], "cannot use the workspace"),
        (&["--json", "-p", "hi", "--nonsense"], "unknown option --nonsense"),
        (&["-p", "hi", "--system-prompt-file", "nowhere.txt", "--json"], "cannot read `"),
    ] {
        let ran = machine.run(words);
        let error = &messages(&ran.stdout)[0]["error"];
        assert_eq!((ran.exit, &error["class"]), (Exit::Usage, &json!("usage")), "{ran}");
        assert!(error["message"].as_str().unwrap().contains(wanted) && ran.stderr.contains(wanted), "{ran}");
    }
}

#[test]
fn sources_say_whose_servers_count() {
    let machine = Machine::new();
    machine.with_fakes(&[("mine", &["plain"])]);
    let status = json!({"type": "control_request", "request_id": "1", "request": {"subtype": "mcp_status"}});
    let flag = json!({"mcpServers": {"flag": {"command": fake(), "args": ["plain"]}}}).to_string();
    let rows: [(&[&str], &[&str]); 4] = [
        (&[], &["flag", "mine"]),
        (&["--setting-sources", "user"], &["flag", "mine"]),
        (&["--setting-sources", "none"], &["flag"]),
        (&["--strict-mcp-config"], &["flag"]),
    ];
    for (more, wanted) in rows {
        let words = [&STREAM[..], &["--mcp-config", &flag], more].concat();
        let ran = machine.trial().stdin(&status.to_string()).run(&words);
        let answer = messages(&ran.stdout).remove(0);
        let servers = answer["response"]["response"]["mcpServers"].as_array().unwrap().clone();
        let names: Vec<&str> = servers.iter().map(|server| server["name"].as_str().unwrap()).collect();
        assert_eq!(names, wanted, "{more:?}");
    }
}

#[test]
fn help_lists_the_options_of_a_session() {
    let ran = Machine::new().run(&["-p", "--help"]);
    assert_eq!(ran.exit, Exit::Ok);
    for word in ["--input-format", "--permission-mode", "stream-json", "PREWAIT_TIMEOUT_MS", "--fork-session"]
    {
        assert!(ran.stdout.contains(word), "{word}: {ran}");
    }
}
