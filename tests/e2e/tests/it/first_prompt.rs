//! What the first prompt waits for, with real processes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

use codewhale_e2e::TestEnvironment;
use codewhale_testkit::{ModelFake, binary};
use serde_json::{Value, json};

/// How late the end of the wait may be told.
const LATE: u64 = 200;

/// A session, and what it has said up to its result.
struct Session {
    child: Child,
    said: Vec<Value>,
    /// Whoever drops it ends what still runs in it.
    _trial: TestEnvironment,
}

/// Runs a session with these servers and a scripted model: after `start` has been told, `meanwhile` is said.
fn run(
    window: Option<&str>,
    servers: &[(&str, &str, Value)],
    meanwhile: Option<Value>,
) -> (Session, ModelFake) {
    let model = ModelFake::start(r#"[{"text": "one"}, {"text": "two"}]"#);
    let mut trial = TestEnvironment::new();
    if let Some(window) = window {
        trial = trial.with("CODEWHALE_FIRST_RUN_MCP_PREWAIT_TIMEOUT_MS", window);
    }
    let settings = format!("[model]\nbase_url = \"{}\"\nmodel = \"m\"\n", model.base_url());
    trial.write("home/.codewhale/config.toml", &settings);
    let entry = |(name, mode, more): &(&str, &str, Value)| {
        let line = trial.fake(mode);
        let mut entry = json!({"type": "stdio", "command": line[0], "args": line[1..]});
        entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ((*name).to_owned(), entry)
    };
    let servers: serde_json::Map<String, Value> = servers.iter().map(entry).collect();
    trial.write("workspace/servers.json", &json!({"mcpServers": servers}).to_string());
    let words = [
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
        "-y",
        "--mcp-config",
        "servers.json",
        "--strict-mcp-config",
    ];
    let mut command = trial.command(&binary("codewhale"), words);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the binary can be started");
    let mut input = child.stdin.take();
    let mut say = |message: &Value| writeln!(input.as_mut().unwrap(), "{message}").unwrap();
    let content = json!([{"type": "text", "text": "hi"}]);
    say(&json!({"type": "user", "message": {"role": "user", "content": content}}));
    let mut said = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if let (true, Some(meanwhile)) = (message["state"] == "connecting", &meanwhile) {
            say(meanwhile);
        }
        let is_result = message["type"] == "result";
        said.push(message);
        if is_result {
            break;
        }
    }
    drop(input);
    (Session { child, said, _trial: trial }, model)
}

impl Session {
    /// What was told of the wait, and that nothing of it was told before init or after its end.
    fn told(&self) -> Vec<&Value> {
        assert_eq!(self.said[0]["subtype"], "init");
        let told: Vec<&Value> =
            self.said.iter().filter(|message| message["subtype"] == "mcp_status").collect();
        for (at, message) in self.said.iter().enumerate().skip(1) {
            assert!(
                message["subtype"] == "mcp_status" || at > told.len() || message.get("response").is_some()
            );
        }
        told
    }

    /// The milliseconds between the first and the last thing told of the wait.
    fn waited(&self) -> u64 {
        let told = self.told();
        let at = |message: &Value| {
            let text = message["__timestamp"].as_str().unwrap();
            let part = |range: std::ops::Range<usize>| text[range].parse::<u64>().unwrap();
            ((part(11..13) * 60 + part(14..16)) * 60 + part(17..19)) * 1_000 + part(20..23)
        };
        let day = 24 * 60 * 60 * 1_000;
        (at(told.last().unwrap()) + day - at(told[0])) % day
    }

    fn states(&self) -> Vec<String> {
        let events = self.told().into_iter().filter(|message| message["event"] == "server");
        events
            .map(|event| format!("{} {}", event["name"].as_str().unwrap(), event["state"].as_str().unwrap()))
            .collect()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        assert!(self.child.wait().unwrap().success() || std::thread::panicking());
    }
}

fn eager() -> Value {
    json!({"alwaysLoad": true})
}

#[test]
fn a_slow_server_is_waited_for_and_its_tools_are_in_the_first_prompt() {
    let servers =
        [("slow", "slow-start --delay 300", json!({"defer_loading": false})), ("lazy", "plain", json!({}))];
    let (session, model) = run(Some("30000"), &servers, None);
    assert_eq!(session.told()[0]["servers"], json!(["slow"]));
    assert_eq!(session.states(), ["slow connecting", "slow ready"]);
    let finish = session.told()[3];
    assert_eq!((&finish["failed"], &finish["timed_out"]), (&json!([]), &json!([])));
    assert!(model.asked()[0]["tools"].to_string().contains("mcp_slow_"));
    assert_eq!(session.said.last().unwrap()["result"], "one");
}

#[test]
fn a_hung_server_is_given_up_at_the_end_of_the_window_and_the_prompt_leaves() {
    let (session, model) = run(Some("500"), &[("hung", "hang", eager())], None);
    assert_eq!(session.states(), ["hung connecting", "hung timeout"]);
    assert_eq!(session.told()[3]["timed_out"], json!(["hung"]));
    let waited = session.waited();
    assert!((500..500 + LATE).contains(&waited), "{waited}");
    assert_eq!(model.asked().len(), 1);
}

#[test]
fn a_server_that_cannot_start_says_why_and_holds_nobody_up() {
    let servers = [("dead", "die-on-start --code 3 --stderr boom", eager()), ("good", "plain", eager())];
    let (session, _model) = run(None, &servers, None);
    let failed = session.told().into_iter().find(|message| message["state"] == "failed").unwrap();
    assert_eq!(failed["name"], "dead");
    assert!(failed["error"].as_str().unwrap().contains("code 3"), "{failed}");
    assert_eq!(session.told().last().unwrap()["failed"], json!(["dead"]));
    assert_eq!(session.said.last().unwrap()["subtype"], "success");
}

#[test]
fn an_interrupt_cuts_the_wait_short_and_ends_the_prompt_with_a_result() {
    let request = json!({"type": "control_request", "request_id": "1", "request": {"subtype": "interrupt"}});
    let (session, model) = run(Some("30000"), &[("hung", "hang", eager())], Some(request));
    assert_eq!(session.states(), ["hung connecting"]);
    assert_eq!(session.told()[2]["timed_out"], json!(["hung"]));
    assert!(session.waited() < 10_000, "{}", session.waited());
    assert_eq!(session.said.last().unwrap()["terminal_reason"], "interrupted");
    assert_eq!(model.asked().len(), 0);
}
