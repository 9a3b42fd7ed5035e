//! What is not wanted any more is dropped.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use crate::drive::{Client, modern, request};
use crate::fixture::server;

fn cancel(id: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
}

#[tokio::test]
async fn a_cancelled_request_has_its_handler_dropped_and_no_answer() {
    for era in ["legacy", "modern"] {
        let (server, done) = server();
        let mut client = Client::of(&server);
        client.open("2025-11-25", json!({})).await;
        let call = |id: Value, tool: &str| match era {
            "legacy" => request(id, "tools/call", json!({"name": tool})),
            _ => modern(id, "tools/call", json!({"name": tool}), json!({})),
        };
        client.send(&call(json!(1), "wait")).await;
        client.send(&call(json!("1"), "wait")).await;
        let answer = client.ask(&call(json!(1), "echo")).await;
        assert_eq!(answer["error"]["code"], -32600, "the id is taken: {answer}");
        for unknown in [json!(2), json!(null), json!({}), json!(1.5)] {
            client.send(&cancel(unknown)).await;
        }
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled"})).await;
        client.send(&cancel(json!("1"))).await;
        let answer = client.ask(&call(json!(3), "fail")).await;
        assert_eq!(answer["id"], 3, "{answer}");
        client.send(&cancel(json!(1))).await;
        assert_eq!(client.ask(&call(json!(1), "fail")).await["id"], 1, "the id is free again");
        assert_eq!(done.dropped.load(Ordering::SeqCst), 2);
        assert_eq!(client.close().await, [Value::Null; 0]);
    }
}

#[tokio::test]
async fn a_question_that_nobody_waits_for_is_withdrawn() {
    let (server, _) = server();
    let mut client = Client::judging(&server, "2025-11-25");
    client.open("2025-11-25", json!({"elicitation": {}, "roots": {}})).await;
    let asked = client.ask(&request(5, "tools/call", json!({"name": "interview"}))).await;
    let withdrawn = client.ask(&cancel(json!(5))).await;
    assert_eq!(withdrawn["method"], "notifications/cancelled");
    assert_eq!(withdrawn["params"]["requestId"], asked["id"]);
    client.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "cancel"}})).await;
    assert_eq!(client.ask(&request(6, "ping", json!({}))).await["id"], 6);
    client.close().await;
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_input_is_the_end_of_everything() {
    let (server, done) = server();
    let mut client = Client::of(&server);
    client.open("2025-11-25", json!({})).await;
    client.send(&request(1, "tools/call", json!({"name": "wait"}))).await;
    client.send(&modern(2, "tools/call", json!({"name": "wait"}), json!({}))).await;
    client.send(&request(3, "tools/call", json!({"name": "work"}))).await;
    let began = tokio::time::Instant::now();
    let rest = client.close().await;
    assert!(rest.iter().any(|answer| answer["id"] == 3), "what ends in time is answered: {rest:?}");
    assert!(began.elapsed().as_millis() < 1000, "{:?}", began.elapsed());
    assert_eq!(done.dropped.load(Ordering::SeqCst), 2);
}
