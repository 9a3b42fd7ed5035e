//! Modern exchanges: each alone, one text or a stream, and over when its client leaves.

use codewhale_mcp_server::http::Options;
use serde_json::{Value, json};

use super::wire::{MODERN, Request, Wire, ask};
use super::world::World;

fn with_progress(id: u64, tool: &str, arguments: Value) -> Request {
    let params = json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": "p" } });
    Request::modern(id, "tools/call", params)
}

#[tokio::test]
async fn an_answer_that_is_alone_is_one_text_and_any_other_a_stream() {
    let world = World::start(Options::default()).await;
    let alone = ask(world.address, &Request::call(1, "echo", json!({ "text": "hi" }))).await;
    assert_eq!(alone.head.header("content-type"), Some("application/json"));
    assert_eq!(alone.json()["result"]["content"][0]["text"], "hi");
    assert_eq!(alone.head.header("mcp-session-id"), None);

    let mut wire = Wire::open(world.address).await;
    wire.send(&with_progress(2, "steps", json!({ "count": 2, "size": 1 }))).await;
    let head = wire.head().await;
    assert!(head.is_stream(), "{head:?}");
    assert_eq!(head.header("x-accel-buffering"), Some("no"));
    assert_eq!(head.header("cache-control"), Some("no-cache"));
    let mut events = Vec::new();
    while let Some(event) = wire.event().await {
        assert_eq!((&event.id, event.retry), (&None, None), "nothing of it can be taken up again");
        events.push(event.message());
    }
    let methods: Vec<&Value> = events.iter().map(|message| &message["method"]).collect();
    assert_eq!(methods, [&json!("notifications/progress"), &json!("notifications/progress"), &Value::Null]);
    assert_eq!(events[2]["id"], 2);
    // The same connection serves the next request.
    wire.send(&Request::call(3, "echo", json!({ "text": "again" }))).await;
    assert_eq!(wire.answer().await.json()["id"], 3);
}

#[tokio::test]
async fn a_client_that_leaves_cancels_its_request_before_and_during_the_answer() {
    let world = World::start(Options::default()).await;
    let mut wire = Wire::open(world.address).await;
    wire.send(&Request::call(1, "wait", json!({}))).await;
    world.gate.noted("begun", 1).await;
    drop(wire);
    world.gate.noted("dropped", 1).await;

    let mut wire = Wire::open(world.address).await;
    wire.send(&with_progress(2, "leave", json!({}))).await;
    assert!(wire.head().await.is_stream());
    assert_eq!(wire.event().await.unwrap().message()["method"], "notifications/progress");
    drop(wire);
    world.gate.noted("dropped", 2).await;
    assert_eq!(world.gate.count("over"), 0);
}

#[tokio::test]
async fn what_is_no_request_gets_no_answer() {
    let world = World::start(Options::default()).await;
    let notification =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    let modern = |message: &Value| Request::post(message).with("MCP-Protocol-Version", MODERN);
    let accepted = ask(world.address, &modern(&notification)).await;
    assert_eq!((accepted.head.status, accepted.body.as_str()), (202, ""));
    let response = json!({ "jsonrpc": "2.0", "id": 1, "result": {} });
    let batch = json!([{ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }]);
    for message in [response, batch] {
        let refused = ask(world.address, &modern(&message)).await;
        assert_eq!((refused.head.status, refused.code()), (400, -32600), "{message}");
    }
}

#[tokio::test]
async fn a_subscription_is_a_stream_that_brings_what_was_asked_for_under_its_id() {
    let world = World::start(Options::default()).await;
    let mut wire = Wire::open(world.address).await;
    let params = json!({ "notifications": { "toolsListChanged": true } });
    wire.send(&Request::modern("mine", "subscriptions/listen", params)).await;
    assert!(wire.head().await.is_stream());
    let acknowledged = wire.event().await.unwrap().message();
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    let id = |message: &Value| message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"].clone();
    assert_eq!(id(&acknowledged), "mine");
    world.server.changes().resources();
    world.server.changes().tools();
    let changed = wire.event().await.unwrap().message();
    assert_eq!(
        (changed["method"].as_str(), id(&changed)),
        (Some("notifications/tools/list_changed"), json!("mine"))
    );
    world.server.end();
    let over = wire.event().await.unwrap().message();
    assert_eq!((over["id"].as_str(), over["result"].is_object()), (Some("mine"), true));
    assert_eq!(wire.event().await, None);
}

#[tokio::test]
async fn questions_are_a_result_and_come_back_with_their_answers() {
    let world = World::start(Options::default()).await;
    let meta = json!({ "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} } });
    let first = Request::modern(1, "tools/call", json!({ "name": "ask", "arguments": {}, "_meta": meta }));
    let asked = ask(world.address, &first).await.json()["result"].clone();
    assert_eq!(asked["resultType"], "input_required");
    let answers = json!({ "name": { "action": "accept", "content": { "name": "Ada" } } });
    let params = json!({
        "name": "ask", "arguments": {}, "_meta": meta,
        "inputResponses": answers, "requestState": asked["requestState"],
    });
    let answer = ask(world.address, &Request::modern(2, "tools/call", params)).await;
    assert_eq!(answer.json()["result"]["content"][0]["text"], "Ada");

    let undeclared = ask(world.address, &Request::call(3, "ask", json!({}))).await;
    assert_eq!((undeclared.head.status, undeclared.code()), (400, -32021));
}
