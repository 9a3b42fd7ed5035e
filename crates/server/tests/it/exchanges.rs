//! The seam for transports that answer each message by itself.
#![expect(clippy::unwrap_used, reason = "what a test cannot read is a failure of the test")]

use std::sync::atomic::Ordering;
use std::time::Duration;

use codewhale_mcp_server::{Exchange, Facts, Incoming, IncomingKind, OutgoingKind, Server, Session};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::drive::{modern, request};
use crate::fixture::server;

/// Everything that an exchange brings.
async fn all(mut exchange: Exchange) -> Vec<(OutgoingKind, Value)> {
    let mut all = Vec::new();
    while let Some(outgoing) = exchange.next().await {
        all.push((outgoing.kind, serde_json::from_slice(&outgoing.text).unwrap()));
    }
    all
}

fn modern_exchange(server: &Server, message: &Value, facts: Facts) -> Exchange {
    let text = message.to_string();
    server.exchange(&Incoming::parse(text.as_bytes()).unwrap(), facts)
}

fn in_session(session: &Session, message: &Value) -> Exchange {
    let text = message.to_string();
    session.exchange(&Incoming::parse(text.as_bytes()).unwrap(), Facts::new())
}

const ANSWER: OutgoingKind = OutgoingKind::Answer { error: None };

#[tokio::test]
async fn an_exchange_brings_what_is_said_and_then_the_answer() {
    let (server, _) = server();
    let mut work = modern(1, "tools/call", json!({"name": "work"}), json!({}));
    let brought = all(modern_exchange(&server, &work, Facts::new())).await;
    assert_eq!(brought.len(), 1);
    assert_eq!((brought[0].0, &brought[0].1["id"]), (ANSWER, &json!(1)));
    work["params"]["_meta"]["progressToken"] = json!("p");
    let brought = all(modern_exchange(&server, &work, Facts::new())).await;
    let kinds: Vec<OutgoingKind> = brought.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, [OutgoingKind::Message, OutgoingKind::Message, ANSWER]);
    let unknown = modern(2, "no/method", json!({}), json!({}));
    let brought = all(modern_exchange(&server, &unknown, Facts::new())).await;
    assert_eq!(brought[0].0, OutgoingKind::Answer { error: Some(-32601) });
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/x"});
    assert_eq!(all(modern_exchange(&server, &notification, Facts::new())).await, []);
}

#[tokio::test]
async fn dropping_an_exchange_cancels_its_request() {
    let (server, done) = server();
    let mut exchange =
        modern_exchange(&server, &modern(1, "tools/call", json!({"name": "wait"}), json!({})), Facts::new());
    tokio::select! {
        biased;
        brought = exchange.next() => panic!("{brought:?}"),
        () = tokio::task::yield_now() => {}
    }
    assert_eq!(done.dropped.load(Ordering::SeqCst), 0);
    drop(exchange);
    assert_eq!(done.dropped.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_session_has_exchanges_and_events() {
    let (server, done) = server();
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}, "roots": {}},
        "clientInfo": {"name": "x", "version": "1"}});
    let text = request(1, "initialize", params).to_string();
    let (session, answer) = Session::open(&server, &Incoming::parse(text.as_bytes()).unwrap()).unwrap();
    let answer: Value = serde_json::from_slice(&answer).unwrap();
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
    let mut events = session.events();
    server.changes().tools();
    tokio::select! {
        biased;
        event = events.next() => panic!("the client is not ready: {event:?}"),
        () = tokio::task::yield_now() => {}
    }
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(all(in_session(&session, &ready)).await, []);
    let event: Value = serde_json::from_slice(&events.next().await.unwrap()).unwrap();
    assert_eq!(event["method"], "notifications/tools/list_changed");

    let mut call = in_session(&session, &request(2, "tools/call", json!({"name": "interview"})));
    let asked = call.next().await.unwrap();
    assert_eq!(asked.kind, OutgoingKind::Message);
    let asked: Value = serde_json::from_slice(&asked.text).unwrap();
    let taken = all(in_session(&session, &request(2, "ping", json!({})))).await;
    assert_eq!(taken[0].0, OutgoingKind::Answer { error: Some(-32600) }, "the id is taken");
    let response = json!({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -1, "message": "no"}});
    assert_eq!(all(in_session(&session, &response)).await, []);
    let (kind, answer) = all(call).await.remove(0);
    assert_eq!((kind, &answer["result"]["isError"]), (ANSWER, &json!(true)));

    session.close();
    assert_eq!(events.next().await, None);
    let late = in_session(&session, &request(3, "tools/call", json!({"name": "wait"})));
    let late = timeout(Duration::from_secs(30), all(late)).await.expect("nobody could cancel it any more");
    assert_eq!(late[0].0, OutgoingKind::Answer { error: Some(-32603) }, "{late:?}");
    assert_eq!(done.dropped.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn state_and_tasks_belong_to_their_principal() {
    let (server, _) = server();
    let able = json!({"elicitation": {}, "roots": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}});
    let facts = |name: &str| Facts::new().with_principal(name);
    let interview = modern(1, "tools/call", json!({"name": "interview"}), able.clone());
    let asked = all(modern_exchange(&server, &interview, facts("ada"))).await.remove(0).1;
    let again = modern(
        2,
        "tools/call",
        json!({"name": "interview", "requestState": asked["result"]["requestState"]}),
        able.clone(),
    );
    for (principal, code) in [("eve", Some(-32602)), ("ada", None)] {
        let (kind, answer) = all(modern_exchange(&server, &again, facts(principal))).await.remove(0);
        assert_eq!(kind, OutgoingKind::Answer { error: code }, "{answer}");
    }
    let call = modern(3, "tools/call", json!({"name": "interview_task"}), able.clone());
    let made = all(modern_exchange(&server, &call, facts("ada"))).await.remove(0).1;
    let get = modern(4, "tasks/get", json!({"taskId": made["result"]["taskId"]}), able);
    for (principal, code) in [("eve", Some(-32602)), ("ada", None)] {
        let (kind, answer) = all(modern_exchange(&server, &get, facts(principal))).await.remove(0);
        assert_eq!(kind, OutgoingKind::Answer { error: code }, "{answer}");
    }
}

#[test]
fn a_message_says_what_a_transport_has_to_know() {
    let check = |message: Value, kind: IncomingKind, modern: bool, name: Option<&str>| {
        let text = message.to_string();
        let incoming = Incoming::parse(text.as_bytes()).unwrap();
        assert_eq!((incoming.kind(), incoming.is_modern()), (kind, modern), "{message}");
        assert_eq!(incoming.routing_name().as_deref(), name, "{message}");
    };
    use IncomingKind::{Batch, Notification, Request, Response};
    check(modern(1, "tools/call", json!({"name": "a\nb"}), json!({})), Request, true, Some("a\nb"));
    check(request(1, "resources/read", json!({"uri": "x:y"})), Request, false, Some("x:y"));
    check(modern(1, "tasks/get", json!({"taskId": "t"}), json!({})), Request, true, Some("t"));
    check(request(1, "tools/list", json!({"name": "x"})), Request, false, None);
    check(request(1, "server/discover", json!({})), Request, true, None);
    check(json!({"jsonrpc": "2.0", "method": "notifications/x"}), Notification, false, None);
    check(json!({"jsonrpc": "2.0", "id": 1, "result": {}}), Response, false, None);
    check(json!([{}]), Batch, false, None);
}
