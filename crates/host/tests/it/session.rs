//! The session: what comes in besides prompts, what comes at the wrong time, and readers that do not read.

use std::io::Write;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, SystemTime};

use codewhale_host::flags::Asked;
use codewhale_host::{Endpoint, Host, How, Line, Setup};
use codewhale_mcp_config::Model;
use codewhale_mcp_manager::{Fleet, FleetRules, Manager, Setup as ManagerSetup};
use codewhale_testkit::ModelFake;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::world::{Behaviour, Plan, Said, Trial};

#[tokio::test]
async fn lines_that_make_no_sense_are_told_of_and_nothing_else_is_lost() {
    let model = ModelFake::start(r#"[{"text": "fine"}]"#);
    let trial = Trial::start(Plan::asking(&model));
    let rows: [(&[u8], &str); 10] = [
        (br#"["user", {"content": "x"}, null, null, null, null]"#, "it has no `type`"),
        (
            br#"{"type": "user", "message": {"role": "assistant", "content": "x"}}"#,
            "its `role` is not `user`",
        ),
        (b"nonsense", "no JSON object"),
        (b"[1]", "no JSON object"),
        (b"{}", "it has no `type`"),
        (b"{\"type\": \"uesr\"}", "no message of type `uesr`"),
        (b"{\"type\": \"user\"}", "no `message`"),
        (b"{\"type\": \"user\", \"message\": {\"content\": 5}}", "neither a text nor an array"),
        (
            b"{\"type\": \"user\", \"message\": {\"content\": [{\"type\": \"sound\"}]}}",
            "a block of type `sound`",
        ),
        (b"{\"type\": \"control_request\", \"request\": {}}", "no `request_id`"),
    ];
    for (line, _) in rows {
        trial.say_raw(line).await;
    }
    trial.say(json!({"type": "x".repeat(1 << 20)})).await;
    trial.say(json!({"type": "keep_alive"})).await;
    trial.prompt("hi").await;
    let messages = trial.end().await;
    let errors: Vec<&Value> = messages.iter().filter(|message| message["type"] == "error").collect();
    assert_eq!(errors.len(), rows.len() + 1);
    let quoted = errors.last().unwrap()["error"].as_str().unwrap();
    assert!(quoted.contains("no message of type `xxx") && quoted.len() < 1_200, "{}", quoted.len());
    for (at, ((_, wanted), error)) in rows.iter().zip(&errors).enumerate() {
        let error = error["error"].as_str().unwrap();
        assert!(error.starts_with(&format!("message {} ", at + 1)) && error.contains(wanted), "{error}");
    }
    assert_eq!(messages.last().unwrap()["result"], "fine");
}

#[tokio::test]
async fn what_a_caller_wants_is_done_or_refused_with_a_reason() {
    let trial = Trial::start(Plan {
        servers: json!({"good": {"type": "sdk", "alwaysLoad": true}, "bad": {"type": "sdk", "alwaysLoad": true}}),
        behaves: |name| Some(if name == "good" { Behaviour::Fast } else { Behaviour::Failing }),
        ..Plan::default()
    });
    let done = trial.want(json!({"subtype": "initialize", "hooks": null})).await;
    assert_eq!(
        (&done["subtype"], &done["response"]["session_id"]),
        (&json!("success"), &json!("the-session"))
    );
    for (request, wanted) in [
        (json!({"subtype": "rewind_files"}), "`rewind_files` is not known here"),
        (json!({"subtype": "mcp_toggle", "serverName": "good"}), "`mcp_toggle` lacks `enabled`"),
        (json!({"subtype": "mcp_reconnect"}), "`mcp_reconnect` lacks `serverName`"),
        (json!({"subtype": "mcp_reconnect", "serverName": "nobody"}), "there is no server `nobody`"),
        (
            json!({"subtype": "mcp_toggle", "serverName": "nobody", "enabled": true}),
            "there is no server `nobody`",
        ),
        (json!({"subtype": "mcp_message", "server_name": "nobody", "message": {}}), "nobody is connected"),
        (json!({"subtype": "set_permission_mode", "mode": "yolo"}), "a permission mode is one of"),
        (json!({"subtype": "set_model", "model": "m"}), "no model is configured"),
        (json!({"subtype": "mcp_reconnect", "serverName": "bad"}), "server `bad` has failed"),
    ] {
        let refused = trial.want(request.clone()).await;
        let error = refused["error"].as_str().unwrap_or_default();
        assert!(refused["subtype"] == "error" && error.contains(wanted), "{request}: {refused}");
    }
    let status = async |name: &str| {
        let status = trial.want(json!({"subtype": "mcp_status"})).await;
        assert_eq!(status["response"]["mcpServers"], status["response"]["mcp_servers"]);
        let servers = status["response"]["mcpServers"].as_array().unwrap().clone();
        servers.into_iter().find(|server| server["name"] == name).unwrap()
    };
    let done = trial.want(json!({"subtype": "mcp_reconnect", "serverName": "good"})).await;
    assert_eq!(done["response"]["state"], "ready", "{done}");
    let good = status("good").await;
    assert_eq!((&good["status"], &good["tools"][0]["name"]), (&json!("connected"), &json!("mcp_good_echo")));
    let bad = status("bad").await;
    assert!(bad["status"] == "failed" && bad["error"].as_str().unwrap().contains("it is broken"), "{bad}");
    trial.want(json!({"subtype": "mcp_toggle", "serverName": "good", "enabled": false})).await;
    assert_eq!(status("good").await["status"], "disabled");
    let mode = trial.want(json!({"subtype": "set_permission_mode", "mode": "plan"})).await;
    assert_eq!(mode["response"]["mode"], "plan");
    trial.end().await;
}

#[tokio::test]
async fn an_interrupt_ends_the_turn_at_once_and_the_next_one_is_as_usual() {
    let model = ModelFake::start(r#"[{"text": "a long answer", "fault": "stall"}, {"text": "back"}]"#);
    let trial = Trial::start(Plan::asking(&model));
    trial.prompt("hi").await;
    model.until(|model| model.asked().len() == 1).await;
    let done = trial.want(json!({"subtype": "interrupt"})).await;
    assert_eq!(done["subtype"], "success");
    let result = trial.results(1).await.remove(0);
    assert_eq!((&result["terminal_reason"], &result["is_error"]), (&json!("interrupted"), &json!(false)));
    model.until(|model| model.open_connections() == 0).await;
    trial.prompt("again").await;
    assert_eq!(trial.results(2).await[1]["result"], "back");
    trial.want(json!({"subtype": "interrupt"})).await;
    trial.end().await;
    let said: Vec<String> =
        model.asked()[1]["messages"].as_array().unwrap().iter().map(|m| m["role"].to_string()).collect();
    assert_eq!(said, [r#""user""#, r#""user""#]);
}

#[tokio::test]
async fn an_interrupt_gives_up_the_calls_of_a_turn() {
    let calls = json!([{"calls": [{"name": "mcp_s_echo", "arguments": {}}]}, {"text": "back"}]);
    let model = ModelFake::start(&calls.to_string());
    let trial = Trial::start(Plan {
        flags: "--permission-prompt-tool stdio",
        servers: json!({"s": {"type": "sdk", "alwaysLoad": true}}),
        behaves: |_| Some(Behaviour::Fast),
        ..Plan::asking(&model)
    });
    trial.prompt("hi").await;
    let asked = trial.said.until(|message| message["request"]["subtype"] == "can_use_tool").await;
    trial.want(json!({"subtype": "interrupt"})).await;
    trial.results(1).await;
    let withdrawn = trial.said.until(|message| message["type"] == "control_cancel_request").await;
    assert_eq!(withdrawn["request_id"], asked["request_id"]);
    trial.prompt("again").await;
    trial.results(2).await;
    trial.end().await;
    let result =
        model.asked()[1]["messages"].as_array().unwrap().iter().find(|m| m["role"] == "tool").cloned();
    assert_eq!(result.unwrap()["content"], "the user interrupted this call");
}

#[tokio::test]
async fn prompts_that_come_during_a_turn_wait_for_their_own() {
    let model = ModelFake::start(r#"[{"text": "one"}, {"text": "two"}, {"text": "three"}]"#);
    let trial = Trial::start(Plan::asking(&model));
    for prompt in ["a", "b", "c"] {
        trial.prompt(prompt).await;
    }
    let messages = trial.end().await;
    let results: Vec<&Value> = messages.iter().filter(|message| message["type"] == "result").collect();
    let said: Vec<&Value> = results.iter().map(|result| &result["result"]).collect();
    assert_eq!(said, ["one", "two", "three"]);
}

/// A reader that reads nothing until it is let go.
#[derive(Clone, Default)]
pub(crate) struct Stuck {
    pub(crate) said: Said,
    gate: Arc<(Mutex<bool>, Condvar)>,
}

impl Stuck {
    /// Lets it go.
    pub(crate) fn open(&self) {
        let (open, changed) = &*self.gate;
        *open.lock().unwrap() = true;
        changed.notify_all();
    }
}

impl Write for Stuck {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let (open, changed) = &*self.gate;
        drop(changed.wait_while(open.lock().unwrap(), |open| !*open).unwrap());
        self.said.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

pub(crate) fn session(output: Box<dyn Write + Send>) -> (Host, Setup, Fleet, tempfile::TempDir) {
    let home = tempfile::tempdir().unwrap();
    let words = ["--input-format=stream-json", "--output-format=stream-json"].map(str::to_owned);
    let host = Host::new(output, None, SystemTime::now).unwrap();
    let manager = ManagerSetup::new(Vec::new(), home.path().into(), home.path().into(), SystemTime::now);
    let model = Endpoint::new(&Model::default(), |_| None);
    let setup = Setup::new(Asked::read(&words).unwrap(), home.path().into(), home.path().into(), model);
    let fleet = Fleet::new(Manager::new(manager), Vec::new(), FleetRules::default()).unwrap();
    (host, setup, fleet, home)
}

#[tokio::test]
async fn a_reader_that_does_not_read_holds_up_nothing_and_gets_everything_in_the_end() {
    let stuck = Stuck::default();
    let (host, setup, fleet, _home) = session(Box::new(stuck.clone()));
    let (input, lines) = mpsc::channel(64);
    let running = tokio::spawn(host.run_lines(setup, fleet, lines));
    for at in 0..500 {
        let line = json!({"type": "user", "message": {"content": format!("prompt {at}")}}).to_string();
        input.send(Line::Whole(line.into_bytes())).await.unwrap();
    }
    drop(input);
    // Every prompt was taken although nothing has been read.
    stuck.open();
    let ended = tokio::time::timeout(Duration::from_secs(60), running).await.unwrap().unwrap();
    assert_eq!(ended.how, How::Answered);
    assert_eq!(stuck.said.of("result").len(), 500);
}

/// A reader that has gone away.
struct Gone;

impl Write for Gone {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// An output that has no room for the last message.
struct Full;

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match String::from_utf8_lossy(bytes).contains(r#""type":"result""#) {
            true => Err(std::io::ErrorKind::StorageFull.into()),
            false => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn an_answer_that_does_not_leave_is_no_answer() {
    let (host, setup, fleet, _home) = session(Box::new(Full));
    let (input, lines) = mpsc::channel(64);
    let line = json!({"type": "user", "message": {"content": "hi"}}).to_string();
    input.send(Line::Whole(line.into_bytes())).await.unwrap();
    drop(input);
    let ended = host.run_lines(setup, fleet, lines).await;
    assert_eq!(ended.how, How::Unread(std::io::ErrorKind::StorageFull));
}

#[tokio::test]
async fn a_reader_that_has_gone_ends_the_session() {
    let (host, setup, fleet, _home) = session(Box::new(Gone));
    let (input, lines) = mpsc::channel(64);
    let running = tokio::spawn(host.run_lines(setup, fleet, lines));
    let line = json!({"type": "user", "message": {"content": "hi"}}).to_string();
    input.send(Line::Whole(line.into_bytes())).await.unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(60), running).await.unwrap().unwrap();
    assert_eq!(ended.how, How::Unread(std::io::ErrorKind::BrokenPipe));
}
