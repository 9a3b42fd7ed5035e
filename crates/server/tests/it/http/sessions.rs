//! Legacy sessions: begun, used, lost, foreign and ended.

use std::collections::HashSet;
use std::time::Duration;

use codewhale_mcp_server::http::Options;
use serde_json::{Value, json};

use super::wire::{Request, Wire, ask};
use super::world::World;

/// Begins a session and says its name.
pub(crate) async fn begin(world: &World, revision: &str) -> String {
    begin_as(world, revision, None).await
}

/// The same for somebody.
pub(crate) async fn begin_as(world: &World, revision: &str, token: Option<&str>) -> String {
    let with_token = |request: Request| match token {
        Some(token) => request.with("Authorization", &format!("Bearer {token}")),
        None => request,
    };
    let answer = ask(world.address, &with_token(Request::initialize(revision))).await;
    assert_eq!(
        (answer.head.status, answer.json()["result"]["protocolVersion"].as_str()),
        (200, Some(revision))
    );
    let name = answer.head.header("mcp-session-id").expect("it has a name").to_owned();
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let accepted = ask(world.address, &with_token(within(&name, revision, &initialized))).await;
    assert_eq!((accepted.head.status, accepted.body.as_str()), (202, ""));
    name
}

/// A message within a session.
pub(crate) fn within(name: &str, revision: &str, message: &Value) -> Request {
    Request::post(message).with("MCP-Session-Id", name).with("MCP-Protocol-Version", revision)
}

pub(crate) fn call(id: u64, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": id } });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

#[tokio::test]
async fn a_session_has_a_name_that_nobody_guesses_and_every_message_says_it() {
    let world = World::start(Options::default()).await;
    let mut names = HashSet::new();
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let name = begin(&world, revision).await;
        assert!(name.len() >= 32 && name.bytes().all(|byte| byte.is_ascii_graphic()), "{name:?}");
        let echo = within(&name, revision, &call(1, "echo", json!({ "text": revision })));
        for request in [echo.clone(), echo.without("MCP-Protocol-Version")] {
            let answer = ask(world.address, &request).await;
            assert_eq!(answer.json()["result"]["content"][0]["text"], revision);
            assert_eq!(answer.head.header("mcp-session-id"), None);
        }
        names.insert(name);
    }
    assert_eq!(names.len(), 4);
}

#[tokio::test]
async fn a_message_without_its_session_is_refused_in_a_way_that_says_what_to_do() {
    let world = World::start(Options::default()).await;
    let revision = "2025-11-25";
    let name = begin(&world, revision).await;
    let list = json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/list" });
    let with = |name: &str, revision: &str| within(name, revision, &list);
    let get = Request::new("GET").with("Accept", "text/event-stream");
    let rows = [
        ("none", Request::post(&list).with("MCP-Protocol-Version", revision), 400),
        ("one that never was", with("never-was", revision), 404),
        ("another revision of sessions", with(&name, "2025-06-18"), 200),
        ("a revision without sessions", with(&name, "2026-07-28"), 400),
        ("no revision at all", with(&name, "1999-01-01"), 400),
        ("a stream of none", get.clone(), 400),
        ("a stream of one that never was", get.clone().with("MCP-Session-Id", "never-was"), 404),
        (
            "a stream that is not taken",
            get.with("Accept", "application/json").with("MCP-Session-Id", &name),
            406,
        ),
        ("the end of none", Request::new("DELETE"), 400),
        ("the end of one that never was", Request::new("DELETE").with("MCP-Session-Id", "never-was"), 404),
        ("initialize within one", within(&name, revision, &initialize()), 200),
    ];
    for (what, request, status) in rows {
        let answer = ask(world.address, &request).await;
        assert_eq!(answer.head.status, status, "{what}: {answer:?}");
    }
}

fn initialize() -> Value {
    json!({ "jsonrpc": "2.0", "id": 9, "method": "initialize", "params": {} })
}

#[tokio::test]
async fn an_ended_session_is_gone_with_its_requests_and_its_stream() {
    let world = World::start(Options::default()).await;
    let (name, revision) = (begin(&world, "2025-11-25").await, "2025-11-25");
    let mut stream = Wire::open(world.address).await;
    let get = Request::new("GET").with("Accept", "text/event-stream").with("MCP-Session-Id", &name);
    stream.send(&get).await;
    assert!(stream.head().await.is_stream());
    let mut waiting = Wire::open(world.address).await;
    waiting.send(&within(&name, revision, &call(1, "wait", json!({})))).await;
    world.gate.noted("begun", 1).await;
    let ended = ask(world.address, &Request::new("DELETE").with("MCP-Session-Id", &name)).await;
    assert_eq!(ended.head.status, 204);
    world.gate.noted("dropped", 1).await;
    let told = waiting.answer().await;
    assert_eq!((told.head.status, told.json()["id"].as_u64(), told.code()), (200, Some(1), -32603));
    assert!(stream.messages().await.is_empty());
    for request in [get, within(&name, revision, &call(2, "echo", json!({ "text": "x" })))] {
        assert_eq!(ask(world.address, &request).await.head.status, 404);
    }
}

#[tokio::test]
async fn a_client_that_leaves_cancels_nothing_and_one_that_says_so_does() {
    let world = World::start(Options::default()).await;
    let (name, revision) = (begin(&world, "2025-11-25").await, "2025-11-25");
    let mut wire = Wire::open(world.address).await;
    wire.send(&within(&name, revision, &call(1, "wait", json!({})))).await;
    world.gate.noted("begun", 1).await;
    drop(wire);
    world.gate.open();
    world.gate.noted("over", 1).await;

    let mut wire = Wire::open(world.address).await;
    wire.send(&within(&name, revision, &call(2, "wait", json!({})))).await;
    world.gate.noted("begun", 2).await;
    let cancelled =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 2 } });
    assert_eq!(ask(world.address, &within(&name, revision, &cancelled)).await.head.status, 202);
    world.gate.noted("dropped", 1).await;
    let head = wire.head().await;
    assert!(head.status == 200 && head.is_stream(), "{head:?}");
    assert_eq!((wire.body(&head).await.as_str(), world.gate.count("over")), ("", 1));
}

#[tokio::test]
async fn questions_are_requests_on_the_stream_of_what_they_belong_to() {
    let world = World::start(Options::default()).await;
    let (name, revision) = (begin(&world, "2025-11-25").await, "2025-11-25");
    let mut wire = Wire::open(world.address).await;
    wire.send(&within(&name, revision, &call(1, "ask", json!({})))).await;
    assert!(wire.head().await.is_stream());
    let primed = wire.event().await.unwrap();
    assert_eq!((primed.data.as_deref(), primed.retry), (Some(""), Some(1000)));
    let question = wire.event().await.unwrap().message();
    assert_eq!(question["method"], "elicitation/create");
    let result = json!({ "action": "accept", "content": { "name": "Ada" } });
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": result });
    assert_eq!(ask(world.address, &within(&name, revision, &answer)).await.head.status, 202);
    assert_eq!(wire.event().await.unwrap().message()["result"]["content"][0]["text"], "Ada");
    assert_eq!(wire.event().await, None);
}

#[tokio::test]
async fn a_batch_is_answered_together_where_there_are_batches() {
    let world = World::start(Options::default()).await;
    let batch = json!([call(1, "echo", json!({ "text": "a" })), call(2, "echo", json!({ "text": "b" }))]);
    let name = begin(&world, "2025-03-26").await;
    let answers = ask(world.address, &within(&name, "2025-03-26", &batch)).await.json();
    let mut ids: Vec<u64> =
        answers.as_array().unwrap().iter().map(|answer| answer["id"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2]);
    let name = begin(&world, "2025-11-25").await;
    let refused = ask(world.address, &within(&name, "2025-11-25", &batch)).await;
    assert_eq!((refused.head.status, refused.code()), (400, -32600));
}

#[tokio::test]
async fn a_stream_whose_session_is_ended_says_so_under_the_id_of_each_request() {
    let mut options = Options::default();
    options.times.patience = Duration::from_millis(1);
    let world = World::start(options).await;
    let (name, revision) = (begin(&world, "2025-03-26").await, "2025-03-26");
    let mut wire = Wire::open(world.address).await;
    let batch = json!([call(1, "wait", json!({})), call(2, "wait", json!({}))]);
    wire.send(&within(&name, revision, &batch)).await;
    assert!(wire.head().await.is_stream());
    let ended = ask(world.address, &Request::new("DELETE").with("MCP-Session-Id", &name)).await;
    assert_eq!(ended.head.status, 204);
    let [answers] = &wire.messages().await[..] else { panic!("one answer to all") };
    let told: HashSet<_> = answers
        .as_array()
        .unwrap()
        .iter()
        .map(|answer| (answer["id"].as_u64(), answer["error"]["code"].as_i64()))
        .collect();
    assert_eq!(told, HashSet::from([(Some(1), Some(-32603)), (Some(2), Some(-32603))]));
}

/// Without connections, so that the clock can be stopped.
#[tokio::test(start_paused = true)]
async fn a_session_that_nobody_uses_is_let_go_and_one_in_use_is_not() {
    let app = super::aside::App::new(|options| options.times.idle_session = Duration::from_secs(60));
    let (opening, ready) = (app.only_initialize().await, app.begin().await);
    tokio::time::advance(Duration::from_secs(31)).await;
    assert_eq!((app.ping(&opening).await, app.ping(&ready).await), (404, 200));
    let (used, unused) = (app.begin().await, app.begin().await);
    for _ in 0..5 {
        tokio::time::advance(Duration::from_secs(40)).await;
        assert_eq!(app.ping(&used).await, 200);
    }
    assert_eq!(app.ping(&unused).await, 404);
    // What it waits for is use too.
    let waits = app.call_in_background(&used, "wait");
    app.gate.noted("begun", 1).await;
    tokio::time::advance(Duration::from_secs(600)).await;
    app.gate.open();
    assert_eq!(waits.await.unwrap(), 200);
    assert_eq!(app.ping(&used).await, 200);
    tokio::time::advance(Duration::from_secs(130)).await;
    assert_eq!(app.ping(&used).await, 404);
}
