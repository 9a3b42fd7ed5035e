//! Servers that live with the caller.

use std::collections::HashSet;

use codewhale_host::Line;
use codewhale_testkit::ModelFake;
use serde_json::{Value, json};

use crate::world::{Behaviour, Plan, Trial};

/// Plays the caller's side for every server: answers what is asked, save calls of the tool `never`.
fn play(trial: &Trial) -> tokio::task::JoinHandle<()> {
    let (said, input) = (trial.said.clone(), trial.input());
    tokio::spawn(async move {
        let mut answered = HashSet::new();
        loop {
            let is_new = |message: &Value| {
                message["request"]["subtype"] == "mcp_message"
                    && !answered.contains(message["request_id"].as_str().unwrap())
            };
            let request = tokio::select! {
                request = said.until(is_new) => request,
                () = input.closed() => return,
            };
            answered.insert(request["request_id"].as_str().unwrap().to_owned());
            if let Some(response) = response(&request["request"]) {
                let mut response = response;
                response["request_id"] = request["request_id"].clone();
                let line = json!({"type": "control_response", "response": response}).to_string();
                if input.send(Line::Whole(line.into_bytes())).await.is_err() {
                    return;
                }
            }
        }
    })
}

fn response(request: &Value) -> Option<Value> {
    if request["server_name"] == "stranger" {
        return Some(json!({"subtype": "error", "error": "SDK MCP server not found: stranger"}));
    }
    let message = &request["message"];
    let result = match message["method"].as_str()? {
        "initialize" => json!({
            "protocolVersion": "2024-11-05",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "calc", "version": "1"},
        }),
        "tools/list" => {
            json!({"tools": [{"name": "add", "inputSchema": {"type": "object"}}, {"name": "never"}, {"name": "stray"}]})
        }
        "tools/call" if message["params"]["name"] == "never" => return None,
        "tools/call" if message["params"]["name"] == "stray" => {
            let answer = json!({"jsonrpc": "2.0", "id": 999_999, "result": {"content": []}});
            return Some(json!({"subtype": "success", "response": {"mcp_response": answer}}));
        }
        "tools/call" => json!({"content": [{"type": "text", "text": "five"}]}),
        _ if message["id"].is_null() => {
            return Some(
                json!({"subtype": "success", "response": {"mcp_response": {"jsonrpc": "2.0", "result": {}}}}),
            );
        }
        method => {
            let error = json!({"code": -32601, "message": format!("Method not found: {method}")});
            let response = json!({"jsonrpc": "2.0", "id": message["id"], "error": error});
            return Some(json!({"subtype": "success", "response": {"mcp_response": response}}));
        }
    };
    let response = json!({"jsonrpc": "2.0", "id": message["id"], "result": result});
    Some(json!({"subtype": "success", "response": {"mcp_response": response}}))
}

/// A prompt to a model that calls a tool of the caller's server `calc` and is content then.
async fn calling(tool: &str) -> (ModelFake, Trial, tokio::task::JoinHandle<()>) {
    let call = json!({"calls": [{"name": format!("mcp_calc_{tool}"), "arguments": {}}]});
    let model = ModelFake::start(&json!([call, {"text": "done"}]).to_string());
    let trial = Trial::start(Plan { flags: "-y", ..Plan::asking(&model) });
    let playing = play(&trial);
    trial.want(json!({"subtype": "initialize", "sdkMcpServers": ["calc"]})).await;
    trial.prompt("hi").await;
    (model, trial, playing)
}

#[tokio::test]
async fn a_server_of_the_caller_is_there_when_it_has_introduced_itself() {
    let call = json!({"calls": [{"name": "mcp_calc_add", "arguments": {"a": 2}}]});
    let model = ModelFake::start(&json!([call, {"text": "done"}]).to_string());
    let trial = Trial::start(Plan { flags: "-y", ..Plan::asking(&model) });
    let playing = play(&trial);
    let done = trial.want(json!({"subtype": "initialize", "sdkMcpServers": ["calc", "stranger"]})).await;
    assert_eq!(done["subtype"], "success");
    trial.prompt("hi").await;
    let result = trial.results(1).await.remove(0);
    assert_eq!(result["result"], "done");
    let asked = model.asked();
    let tools = asked[0]["tools"].to_string();
    assert!(tools.contains("mcp_calc_add"), "{tools}");
    assert_eq!(asked[1]["messages"].as_array().unwrap().last().unwrap()["content"], "five");
    let status = trial.want(json!({"subtype": "mcp_status"})).await;
    let words: Vec<&Value> =
        status["response"]["mcpServers"].as_array().unwrap().iter().map(|it| &it["status"]).collect();
    assert_eq!(words, ["connected", "failed"], "{status}");
    playing.abort();
    let _ = playing.await;
    trial.end().await;
}

#[tokio::test]
async fn an_answer_to_another_message_ends_the_call_that_it_came_for() {
    let (model, trial, playing) = calling("stray").await;
    assert_eq!(trial.results(1).await[0]["result"], "done");
    let told = model.asked()[1]["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
    assert!(told.contains("the process of the server gave no answer"), "{told}");
    playing.abort();
    let _ = playing.await;
    trial.end().await;
}

#[tokio::test]
async fn servers_that_come_with_the_caller_leave_the_others_as_they_are() {
    let eager = json!({"type": "sdk", "alwaysLoad": true});
    let trial = Trial::start(Plan {
        servers: json!({"bad": eager, "good": eager}),
        behaves: |name| Some(if name == "bad" { Behaviour::Failing } else { Behaviour::Fast }),
        ..Plan::default()
    });
    trial.want(json!({"subtype": "mcp_reconnect", "serverName": "bad"})).await;
    trial.want(json!({"subtype": "initialize", "sdkMcpServers": ["late"]})).await;
    let status = trial.want(json!({"subtype": "mcp_status"})).await;
    let servers = status["response"]["mcpServers"].as_array().unwrap();
    let words: Vec<[&Value; 2]> = servers.iter().map(|server| [&server["name"], &server["status"]]).collect();
    assert_eq!(words, [["bad", "failed"], ["good", "connected"], ["late", "connected"]]);
    trial.end().await;
}

#[tokio::test]
async fn a_call_to_a_server_of_the_caller_is_withdrawn_when_it_is_given_up() {
    let (_model, trial, playing) = calling("never").await;
    trial.said.until(|message| message["request"]["message"]["params"]["name"] == "never").await;
    trial.want(json!({"subtype": "interrupt"})).await;
    let told = trial
        .said
        .until(|message| message["request"]["message"]["method"] == "notifications/cancelled")
        .await;
    assert_eq!(told["request"]["server_name"], "calc");
    assert_eq!(trial.results(1).await[0]["terminal_reason"], "interrupted");
    playing.abort();
    let _ = playing.await;
    trial.end().await;
}

#[tokio::test]
async fn a_caller_that_has_said_all_answers_nobody_any_more() {
    let (model, trial, playing) = calling("never").await;
    trial.said.until(|message| message["request"]["message"]["params"]["name"] == "never").await;
    playing.abort();
    let _ = playing.await;
    let messages = trial.end().await;
    assert_eq!(messages.last().unwrap()["result"], "done");
    let told = model.asked()[1]["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
    assert!(told.contains("the input has ended"), "{told}");
}
