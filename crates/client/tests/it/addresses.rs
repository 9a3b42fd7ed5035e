//! Requests of 2025-11-25 that people have to visit an address for first.

use codewhale_mcp_client::{CallError, Client};
use codewhale_mcp_protocol::CallToolResult;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::people::{accept, decline, everything, people};
use crate::server::{Server, text};

fn call(client: &Client) -> JoinHandle<Result<CallToolResult, CallError>> {
    let client = client.clone();
    tokio::spawn(async move { client.call_tool("x", &json!({"a": 1})).send().await })
}

fn visit(id: &str) -> Value {
    json!({"mode": "url", "message": "log in", "url": format!("https://a.example/{id}"), "elicitationId": id})
}

fn required(elicitations: Value) -> Value {
    json!({"code": -32042, "message": "log in first", "data": {"elicitations": elicitations}})
}

#[tokio::test(start_paused = true)]
async fn people_visit_each_address_and_the_request_goes_out_again() {
    let (options, mut people) = people(everything());
    let (client, mut server) = Server::connected("2025-11-25", options).await;
    let call = call(&client);
    let first = server.asked("tools/call").await;
    server.refuse(&first, required(json!([visit("1"), visit("2")]))).await;
    for id in ["1", "2"] {
        let (params, person) = people.elicited().await;
        assert_eq!(params.elicitation_id.as_deref(), Some(id));
        assert_eq!(params.url, Some(format!("https://a.example/{id}")));
        people.are_not_asked();
        server.hears_nothing().await;
        person.send(accept(json!({}))).unwrap();
    }
    let second = server.asked("tools/call").await;
    assert_ne!(second["id"], first["id"]);
    for member in ["name", "arguments"] {
        assert_eq!(second["params"][member], first["params"][member]);
    }
    assert_eq!(second["params"].as_object().map(serde_json::Map::len), Some(3), "{second}");
    server.answer(&second, text("ok")).await;
    call.await.expect("the task ends").expect("a result");
}

#[tokio::test(start_paused = true)]
async fn any_request_may_need_a_visit() {
    let (options, mut people) = people(everything());
    let (client, mut server) = Server::connected("2025-11-25", options).await;
    let (tools, ()) = tokio::join!(client.list_tools(), async {
        let request = server.asked("tools/list").await;
        server.refuse(&request, required(json!([visit("1")]))).await;
        people.elicited().await.1.send(accept(json!({}))).unwrap();
        let request = server.asked("tools/list").await;
        server.answer(&request, json!({"tools": []})).await;
    });
    assert!(tools.expect("a list").items.is_empty());
}

#[tokio::test(start_paused = true)]
async fn who_does_not_agree_fails_the_request() {
    let (options, mut people) = people(everything());
    let (client, mut server) = Server::connected("2025-11-25", options).await;
    let call = call(&client);
    let request = server.asked("tools/call").await;
    server.refuse(&request, required(json!([visit("1"), visit("2")]))).await;
    people.elicited().await.1.send(decline()).unwrap();
    let error = call.await.expect("the task ends").expect_err("refused");
    assert!(matches!(error, CallError::InputRefused { method: "tools/call", .. }), "{error}");
    people.are_not_asked();
    server.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_always_wants_another_visit_is_given_up() {
    let (options, mut people) = people(everything());
    let (client, mut server) = Server::connected("2025-11-25", options).await;
    let call = call(&client);
    for visits in 1..=9 {
        let request = server.asked("tools/call").await;
        server.refuse(&request, required(json!([visit("1")]))).await;
        if visits < 9 {
            people.elicited().await.1.send(accept(json!({}))).unwrap();
        }
    }
    let error = call.await.expect("the task ends").expect_err("refused");
    assert!(matches!(&error, CallError::ServerError { error, .. } if error.code == -32042), "{error}");
    people.are_not_asked();
}

#[tokio::test(start_paused = true)]
async fn elsewhere_the_code_is_an_error_like_any_other() {
    let form = json!({"message": "who?", "requestedSchema": {"type": "object"}});
    let cases = [
        ("2026-07-28", everything(), required(json!([visit("1")]))),
        ("2025-06-18", everything(), required(json!([visit("1")]))),
        // Not declared, nothing to visit, or not a visit at all.
        ("2025-11-25", json!({"elicitation": {}}), required(json!([visit("1")]))),
        ("2025-11-25", everything(), required(json!([]))),
        ("2025-11-25", everything(), required(json!([form]))),
        ("2025-11-25", everything(), json!({"code": -32042, "message": "log in first"})),
    ];
    for (revision, capabilities, error) in cases {
        let (options, mut people) = people(capabilities);
        let (client, mut server) = Server::connected(revision, options).await;
        let call = call(&client);
        let request = server.asked("tools/call").await;
        server.refuse(&request, error).await;
        let error = call.await.expect("the task ends").expect_err("refused");
        assert!(matches!(&error, CallError::ServerError { error, .. } if error.code == -32042), "{error}");
        people.are_not_asked();
        server.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_visit_is_an_event_whether_or_not_its_id_is_known() {
    let (options, _people) = people(everything());
    let (client, mut server) = Server::connected("2025-11-25", options).await;
    let mut events = client.events();
    server.notify("notifications/elicitation/complete", json!({"elicitationId": "unknown"})).await;
    let event = events.next().await.expect("an event");
    let codewhale_mcp_client::Event::Notification { method, params } = event else { panic!("{event:?}") };
    assert_eq!(&*method, "notifications/elicitation/complete");
    assert_eq!(params.expect("params").as_str(), r#"{"elicitationId":"unknown"}"#);
    server.hears_nothing().await;
}
