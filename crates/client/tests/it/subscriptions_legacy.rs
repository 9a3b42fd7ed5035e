//! Being told of changes by a legacy server.

use codewhale_mcp_client::{CallError, Change, Client, Options, Subscription};
use serde_json::{Value, json};

use crate::server::Server;
use crate::subscriptions::{filter, subscribe};

/// What a legacy server offers that offers everything.
fn watchable() -> Value {
    json!({
        "tools": {"listChanged": true}, "prompts": {"listChanged": true},
        "resources": {"listChanged": true, "subscribe": true},
    })
}

async fn watching(client: &Client, server: &mut Server, uris: &[&str]) -> Subscription {
    let subscribing = subscribe(client, &json!({ "resourceSubscriptions": uris }));
    for uri in uris {
        let request = server.asked("resources/subscribe").await;
        assert_eq!(request["params"]["uri"], *uri);
        server.answer(&request, json!({})).await;
    }
    subscribing.await.expect("the task ends").expect("agreed")
}

#[tokio::test(start_paused = true)]
async fn a_legacy_server_is_asked_for_each_resource_and_told_when_nobody_watches() {
    for revision in ["2024-11-05", "2025-11-25"] {
        let (client, mut server) = Server::offering(revision, watchable(), Options::default()).await;
        let mut subscription = watching(&client, &mut server, &["a:1", "a:2"]).await;
        assert_eq!(subscription.honoured, filter(&json!({"resourceSubscriptions": ["a:1", "a:2"]})));
        server.notify("notifications/tools/list_changed", json!({})).await;
        server.notify("notifications/resources/updated", json!({"uri": "a:2/part"})).await;
        assert_eq!(
            subscription.next().await,
            Some(Change::Resource("a:2/part".into())),
            "lists were not wanted"
        );
        drop(subscription);
        for uri in ["a:1", "a:2"] {
            let request = server.asked("resources/unsubscribe").await;
            assert_eq!(request["params"]["uri"], uri);
            server.answer(&request, json!({})).await;
        }
        server.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_resource_that_another_subscription_watches_stays_watched() {
    let (client, mut server) = Server::offering("2025-11-25", watchable(), Options::default()).await;
    let one = watching(&client, &mut server, &["a:1", "a:2"]).await;
    let mut other = watching(&client, &mut server, &["a:1"]).await;
    drop(one);
    let request = server.asked("resources/unsubscribe").await;
    assert_eq!(request["params"]["uri"], "a:2");
    server.answer(&request, json!({})).await;
    server.hears_nothing().await;
    server.notify("notifications/resources/updated", json!({"uri": "a:1"})).await;
    assert_eq!(other.next().await, Some(Change::Resource("a:1".into())));
    drop(other);
    assert_eq!(server.asked("resources/unsubscribe").await["params"]["uri"], "a:1");
}

#[tokio::test(start_paused = true)]
async fn a_legacy_server_tells_of_lists_where_it_says_so_and_of_nothing_else() {
    let wanted = json!({"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": false});
    let cases = [
        (json!({}), json!({})),
        (json!({"tools": {}, "prompts": {}}), json!({})),
        (
            json!({"tools": {"listChanged": true}, "prompts": {"listChanged": false}}),
            json!({"toolsListChanged": true}),
        ),
        (watchable(), json!({"toolsListChanged": true, "promptsListChanged": true})),
    ];
    for (capabilities, honoured) in cases {
        let (client, mut server) = Server::offering("2025-11-25", capabilities, Options::default()).await;
        let mut subscription = client.subscribe(filter(&wanted)).await.expect("agreed");
        assert_eq!(subscription.honoured, filter(&honoured));
        server.hears_nothing().await;
        for list in ["resources", "prompts", "tools"] {
            server.notify(&format!("notifications/{list}/list_changed"), json!({})).await;
        }
        server.notify("notifications/resources/updated", json!({"uri": "a:1"})).await;
        drop(server);
        let mut seen = Vec::new();
        while let Some(change) = subscription.next().await {
            seen.push(change);
        }
        let mut expected = Vec::new();
        expected.extend(honoured.get("promptsListChanged").map(|_| Change::Prompts));
        expected.extend(honoured.get("toolsListChanged").map(|_| Change::Tools));
        assert_eq!(seen, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_legacy_server_that_cannot_watch_resources_is_not_asked_to() {
    let wanted = json!({"toolsListChanged": true, "resourceSubscriptions": ["a:1"]});
    for capabilities in [json!({}), json!({"resources": {}}), json!({"resources": {"subscribe": false}})] {
        let (client, mut server) = Server::offering("2025-11-25", capabilities, Options::default()).await;
        let error = client.subscribe(filter(&wanted)).await.expect_err("it cannot");
        assert!(matches!(error, CallError::ServerLacks { capability: "resources.subscribe" }), "{error}");
        server.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_resource_that_cannot_be_watched_takes_the_others_back() {
    let (client, mut server) = Server::offering("2025-11-25", watchable(), Options::default()).await;
    let subscribing = subscribe(&client, &json!({"resourceSubscriptions": ["a:1", "a:2"]}));
    let request = server.asked("resources/subscribe").await;
    server.answer(&request, json!({})).await;
    let request = server.asked("resources/subscribe").await;
    server.refuse(&request, json!({"code": -32002, "message": "no such resource"})).await;
    let error = subscribing.await.expect("the task ends").expect_err("refused");
    assert!(matches!(&error, CallError::ServerError { error, .. } if error.code == -32002), "{error}");
    let request = server.asked("resources/unsubscribe").await;
    assert_eq!(request["params"]["uri"], "a:1");
    server.answer(&request, json!({})).await;
    server.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_legacy_subscription_ends_with_its_server() {
    let (client, mut server) = Server::offering("2025-11-25", watchable(), Options::default()).await;
    let mut subscription = watching(&client, &mut server, &["a:1"]).await;
    drop(server);
    assert_eq!(subscription.next().await, None);
}
