//! A modern server that does not speak the revision of a request.

use codewhale_mcp_client::{CallError, Client, Options};
use codewhale_mcp_protocol::{CallToolResult, SubscriptionFilter};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::server::{Server, text};

fn call(client: &Client) -> JoinHandle<Result<CallToolResult, CallError>> {
    let client = client.clone();
    tokio::spawn(async move { client.call_tool("x", &json!({})).send().await })
}

fn unsupported(supported: Value) -> Value {
    json!({"code": -32022, "message": "no", "data": {"supported": supported, "requested": "2026-07-28"}})
}

#[tokio::test(start_paused = true)]
async fn a_request_goes_out_once_more_in_a_revision_that_both_speak() {
    let (client, mut server) = Server::connected("2026-07-28", Options::default()).await;
    let call = call(&client);
    let first = server.asked("tools/call").await;
    server.refuse(&first, unsupported(json!(["2099-01-01", "2026-07-28"]))).await;
    let second = server.asked("tools/call").await;
    assert_ne!(second["id"], first["id"]);
    assert_eq!(second["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    assert_eq!(second["params"]["arguments"], first["params"]["arguments"]);
    server.answer(&second, text("ok")).await;
    call.await.expect("the task ends").expect("a result");
}

#[tokio::test(start_paused = true)]
async fn a_second_refusal_is_final() {
    let (client, mut server) = Server::connected("2026-07-28", Options::default()).await;
    let call = call(&client);
    for _ in 0..2 {
        let request = server.asked("tools/call").await;
        server.refuse(&request, unsupported(json!(["2026-07-28"]))).await;
    }
    let error = call.await.expect("the task ends").expect_err("refused");
    assert!(matches!(&error, CallError::ServerError { error, .. } if error.code == -32022), "{error}");
    server.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn without_a_common_revision_the_refusal_is_final_at_once() {
    let none = json!({"code": -32022, "message": "no"});
    let others =
        [unsupported(json!(["2099-01-01"])), unsupported(json!(["2025-11-25"])), unsupported(json!([]))];
    for error in others.into_iter().chain([none]) {
        let (client, mut server) = Server::connected("2026-07-28", Options::default()).await;
        let call = call(&client);
        let request = server.asked("tools/call").await;
        server.refuse(&request, error).await;
        let error = call.await.expect("the task ends").expect_err("refused");
        assert!(matches!(&error, CallError::ServerError { error, .. } if error.code == -32022), "{error}");
        server.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn in_the_legacy_era_the_code_means_nothing() {
    let (client, mut server) = Server::connected("2025-11-25", Options::default()).await;
    let call = call(&client);
    let request = server.asked("tools/call").await;
    server.refuse(&request, unsupported(json!(["2026-07-28", "2025-11-25"]))).await;
    let error = call.await.expect("the task ends").expect_err("refused");
    assert!(matches!(&error, CallError::ServerError { error, .. } if error.code == -32022), "{error}");
    server.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_missing_capability_reaches_the_caller_with_what_is_required() {
    let (client, mut server) = Server::connected("2026-07-28", Options::default()).await;
    let call = call(&client);
    let request = server.asked("tools/call").await;
    let data = json!({"requiredCapabilities": {"elicitation": {"url": {}}}});
    server.refuse(&request, json!({"code": -32021, "message": "no", "data": data})).await;
    let error = call.await.expect("the task ends").expect_err("refused");
    let CallError::ServerError { error, .. } = error else { panic!("{error}") };
    let required = error.required_capabilities().expect("capabilities");
    assert!(required.elicitation.is_some_and(|elicitation| elicitation.url.is_some()));
}

#[tokio::test(start_paused = true)]
async fn a_subscription_is_asked_for_once_more_too() {
    for refusals in [1, 2] {
        let (client, mut server) = Server::connected("2026-07-28", Options::default()).await;
        let subscribe =
            tokio::spawn(async move { client.subscribe(SubscriptionFilter::default()).await.map(drop) });
        for _ in 0..refusals {
            let request = server.asked("subscriptions/listen").await;
            server.refuse(&request, unsupported(json!(["2026-07-28"]))).await;
        }
        if refusals == 1 {
            let request = server.asked("subscriptions/listen").await;
            let meta = json!({"io.modelcontextprotocol/subscriptionId": request["id"]});
            let params = json!({"notifications": {}, "_meta": meta});
            server.notify("notifications/subscriptions/acknowledged", params).await;
        }
        let subscribed = subscribe.await.expect("the task ends");
        assert_eq!(subscribed.is_ok(), refusals == 1, "{subscribed:?}");
    }
}
