//! Being told of changes by a modern server, and what is the same in both eras.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Change, Client, Options, Subscription};
use codewhale_mcp_protocol::SubscriptionFilter;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::server::{Server, text};

const MODERN: &str = "2026-07-28";

pub(crate) fn filter(filter: &Value) -> SubscriptionFilter {
    serde_json::from_value(filter.clone()).expect("a filter")
}

pub(crate) fn subscribe(client: &Client, wanted: &Value) -> JoinHandle<Result<Subscription, CallError>> {
    let (client, wanted) = (client.clone(), filter(wanted));
    tokio::spawn(async move { client.subscribe(wanted).await })
}

impl Server {
    /// Tells a subscription something.
    async fn tell(&mut self, listen: &Value, method: &str, mut params: Value) {
        params["_meta"] = json!({"io.modelcontextprotocol/subscriptionId": listen["id"]});
        self.notify(&format!("notifications/{method}"), params).await;
    }

    /// Takes a subscription and agrees to it.
    async fn agree(&mut self, honoured: &Value) -> Value {
        let listen = self.asked("subscriptions/listen").await;
        self.tell(&listen, "subscriptions/acknowledged", json!({ "notifications": honoured })).await;
        listen
    }
}

/// A subscription to this, and its request.
async fn listening(client: &Client, server: &mut Server, wanted: &Value) -> (Subscription, Value) {
    let subscribing = subscribe(client, wanted);
    let listen = server.agree(wanted).await;
    (subscribing.await.expect("the task ends").expect("agreed"), listen)
}

fn all() -> Value {
    json!({
        "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
        "resourceSubscriptions": ["a:1", "a:2"], "taskIds": ["t"],
    })
}

#[tokio::test(start_paused = true)]
async fn a_modern_server_is_asked_for_a_stream_and_agrees_to_a_part() {
    let (client, mut server) = Server::connected(MODERN, Options::default()).await;
    let subscribing = subscribe(&client, &all());
    let listen = server.asked("subscriptions/listen").await;
    assert_eq!(listen["params"]["notifications"], all());
    assert_eq!(listen["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"], MODERN);
    server.hears_nothing().await;
    assert!(!subscribing.is_finished(), "nothing is agreed yet");
    let part = json!({"toolsListChanged": true, "resourceSubscriptions": ["a:1"]});
    server.tell(&listen, "subscriptions/acknowledged", json!({ "notifications": part })).await;
    let mut subscription = subscribing.await.expect("the task ends").expect("agreed");
    assert_eq!(subscription.honoured, filter(&part));

    server.tell(&listen, "tools/list_changed", json!({})).await;
    server.tell(&listen, "prompts/list_changed", json!({})).await;
    server.tell(&listen, "resources/list_changed", json!({})).await;
    server.tell(&listen, "resources/updated", json!({"uri": "a:1/part"})).await;
    server.tell(&listen, "x/unknown", json!({})).await;
    server.tell(&listen, "tasks", json!({"taskId": "t", "status": "working"})).await;
    let expected = [Change::Tools, Change::Prompts, Change::Resources, Change::Resource("a:1/part".into())];
    for change in expected {
        assert_eq!(subscription.next().await, Some(change));
    }
    let Some(Change::Task(task)) = subscription.next().await else { panic!("a task") };
    assert_eq!((task.task_id.as_str(), task.status.as_str()), ("t", "working"));
}

#[tokio::test(start_paused = true)]
async fn each_subscription_hears_its_own() {
    let (client, mut server) = Server::connected(MODERN, Options::default()).await;
    let wanted = json!({"toolsListChanged": true, "resourceSubscriptions": ["a:1"]});
    let (mut one, first) = listening(&client, &mut server, &wanted).await;
    let (mut other, second) = listening(&client, &mut server, &wanted).await;
    assert_ne!(first["id"], second["id"]);
    server.tell(&second, "resources/updated", json!({"uri": "a:2"})).await;
    server.tell(&first, "resources/updated", json!({"uri": "a:1"})).await;
    // Nobody's.
    server.notify("notifications/tools/list_changed", json!({})).await;
    server.tell(&json!({"id": 999_999}), "tools/list_changed", json!({})).await;
    assert_eq!(one.next().await, Some(Change::Resource("a:1".into())));
    assert_eq!(other.next().await, Some(Change::Resource("a:2".into())));
    server.answer(&first, json!({"resultType": "complete"})).await;
    assert_eq!(one.next().await, None);
    server.tell(&second, "tools/list_changed", json!({})).await;
    assert_eq!(other.next().await, Some(Change::Tools), "the other goes on");
}

#[tokio::test(start_paused = true)]
async fn a_stream_ends_in_any_of_its_ways_and_all_of_them_together() {
    #[derive(Clone, Copy)]
    enum End {
        Result,
        Error,
        Cancelled,
        Gone,
    }
    use End::{Cancelled, Error, Gone, Result};
    let orders: [&[End]; 9] = [
        &[Result],
        &[Error],
        &[Cancelled],
        &[Gone],
        &[Cancelled, Result],
        &[Result, Cancelled],
        &[Cancelled, Cancelled, Result],
        &[Cancelled, Result, Gone],
        &[Result, Gone],
    ];
    for order in orders {
        let (client, server) = Server::connected(MODERN, Options::default()).await;
        let mut server = Some(server);
        let wanted = json!({"toolsListChanged": true});
        let (mut subscription, listen) =
            listening(&client, server.as_mut().expect("it is there"), &wanted).await;
        let told = server.as_mut().expect("it is there");
        told.tell(&listen, "tools/list_changed", json!({})).await;
        for end in order {
            if let Gone = end {
                server = None;
                continue;
            }
            let server = server.as_mut().expect("it is there");
            match end {
                Cancelled => server.tell(&listen, "cancelled", json!({"requestId": listen["id"]})).await,
                Error => server.refuse(&listen, json!({"code": -32603, "message": "over"})).await,
                _ => {
                    let meta = json!({"io.modelcontextprotocol/subscriptionId": listen["id"]});
                    server.answer(&listen, json!({"resultType": "complete", "_meta": meta})).await;
                }
            }
        }
        assert_eq!(subscription.next().await, Some(Change::Tools), "what came before the end is not lost");
        for _ in 0..2 {
            assert_eq!(subscription.next().await, None);
        }
        drop(subscription);
        if let Some(server) = &mut server {
            server.hears_nothing().await;
            let arguments = json!({});
            let (called, ()) = tokio::join!(client.call_tool("x", &arguments).send(), async {
                let request = server.asked("tools/call").await;
                server.answer(&request, text("ok")).await;
            });
            called.expect("the connection stays");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn dropping_a_subscription_cancels_its_request() {
    let (client, mut server) = Server::connected(MODERN, Options::default()).await;
    let (subscription, listen) = listening(&client, &mut server, &json!({"toolsListChanged": true})).await;
    drop(subscription);
    let cancelled = server.next().await;
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], listen["id"]);
    // What the server says of it meanwhile is too late.
    server.tell(&listen, "tools/list_changed", json!({})).await;
    server.answer(&listen, json!({"resultType": "complete"})).await;
    server.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn long_silence_ends_nothing() {
    let mut options = Options::default();
    options.read_timeout = Duration::from_secs(1);
    options.execute_timeout = Duration::from_secs(1);
    options.idle_timeout = Some(Duration::from_secs(1));
    let (client, mut server) = Server::connected(MODERN, options).await;
    let (mut subscription, listen) =
        listening(&client, &mut server, &json!({"toolsListChanged": true})).await;
    let silence = tokio::time::timeout(Duration::from_secs(100 * 86400), subscription.next()).await;
    assert!(silence.is_err(), "{silence:?}");
    server.hears_nothing().await;
    server.tell(&listen, "tools/list_changed", json!({})).await;
    assert_eq!(subscription.next().await, Some(Change::Tools));
}

#[tokio::test(start_paused = true)]
async fn an_agreement_that_does_not_come_ends_the_request() {
    let mut options = Options::default();
    options.read_timeout = Duration::from_secs(3);
    let (client, mut server) = Server::connected(MODERN, options).await;
    let subscribing = subscribe(&client, &json!({"toolsListChanged": true}));
    let listen = server.asked("subscriptions/listen").await;
    let begun = tokio::time::Instant::now();
    let error = subscribing.await.expect("the task ends").expect_err("nothing was agreed");
    assert!(
        matches!(error, CallError::ServerTimedOut { method: "subscriptions/listen", after } if after.as_secs() == 3),
        "{error}"
    );
    assert_eq!(begun.elapsed().as_secs(), 3);
    let cancelled = server.next().await;
    assert_eq!(cancelled["params"]["requestId"], listen["id"]);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_agree_fails_the_subscription() {
    let check = async |reply: Value, expected: &str| {
        let (client, mut server) = Server::connected(MODERN, Options::default()).await;
        let subscribing = subscribe(&client, &json!({"toolsListChanged": true}));
        let listen = server.asked("subscriptions/listen").await;
        if let Some(params) = reply.get("agreed") {
            server.tell(&listen, "subscriptions/acknowledged", params.clone()).await;
        } else if reply["method"].is_string() {
            server.tell(&listen, "cancelled", json!({"requestId": listen["id"]})).await;
        } else {
            let mut reply = reply;
            reply["jsonrpc"] = json!("2.0");
            reply["id"] = listen["id"].clone();
            server.say(&reply).await;
        }
        let error = subscribing.await.expect("the task ends").expect_err("nothing was agreed").to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(json!({"error": {"code": -32601, "message": "no"}}), "with an error: no (code -32601)").await;
    check(json!({"result": {"resultType": "complete"}}), "ended without an agreement").await;
    check(json!({"method": "cancelled"}), "ended without an agreement").await;
    check(json!({}), "neither a result nor an error").await;
    check(json!({"agreed": {}}), "missing field `notifications`").await;
}

#[tokio::test(start_paused = true)]
async fn what_comes_before_the_agreement_is_not_lost() {
    let (client, mut server) = Server::connected(MODERN, Options::default()).await;
    let subscribing = subscribe(&client, &json!({"toolsListChanged": true, "promptsListChanged": true}));
    let listen = server.asked("subscriptions/listen").await;
    server.tell(&listen, "tools/list_changed", json!({})).await;
    server.tell(&listen, "subscriptions/acknowledged", json!({"notifications": {}})).await;
    server.tell(&listen, "prompts/list_changed", json!({})).await;
    let mut subscription = subscribing.await.expect("the task ends").expect("agreed");
    assert_eq!(subscription.honoured, SubscriptionFilter::default());
    assert_eq!(subscription.next().await, Some(Change::Tools));
    assert_eq!(subscription.next().await, Some(Change::Prompts));
}

#[tokio::test(start_paused = true)]
async fn one_who_does_not_look_learns_that_something_was_missed() {
    for revision in [MODERN, "2025-11-25"] {
        let capabilities = json!({"tools": {"listChanged": true}, "prompts": {"listChanged": true}});
        let (client, mut server) = Server::offering(revision, capabilities, Options::default()).await;
        let wanted = json!({"toolsListChanged": true, "promptsListChanged": true});
        let (mut subscription, listen) = if revision == MODERN {
            listening(&client, &mut server, &wanted).await
        } else {
            (client.subscribe(filter(&wanted)).await.expect("agreed"), Value::Null)
        };
        for _ in 0..1500 {
            server.tell(&listen, "tools/list_changed", json!({})).await;
        }
        server.tell(&listen, "prompts/list_changed", json!({})).await;
        server.hears_nothing().await;
        assert_eq!(subscription.next().await, Some(Change::Missed), "{revision}");
        let mut seen = 1;
        while subscription.next().await == Some(Change::Tools) {
            seen += 1;
        }
        assert_eq!(seen, 1024, "{revision}: the latest are kept, and the last of them is that of prompts");
    }
}

#[tokio::test(start_paused = true)]
async fn a_subscription_waits_for_room_like_any_request() {
    let mut options = Options::default();
    options.in_flight = 1;
    let (client, mut server) = Server::connected(MODERN, options).await;
    let caller = client.clone();
    let call = tokio::spawn(async move { caller.call_tool("x", &json!({})).send().await.map(drop) });
    let request = server.asked("tools/call").await;
    let subscribing = subscribe(&client, &json!({"toolsListChanged": true}));
    server.hears_nothing().await;
    server.answer(&request, text("ok")).await;
    server.agree(&json!({})).await;
    subscribing.await.expect("the task ends").expect("agreed");
    call.await.expect("the task ends").expect("an answer");
}
