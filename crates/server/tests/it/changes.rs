//! Changes are told to those who want to hear of them.

use serde_json::{Value, json};

use crate::drive::{Client, modern, request};
use crate::fixture::server;

const ID: &str = "io.modelcontextprotocol/subscriptionId";

#[tokio::test]
async fn a_session_hears_what_changed() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let (server, _) = server();
        let mut client = Client::judging(&server, revision);
        client.open(revision, json!({})).await;
        let watch = |id: i64, method: &str| request(id, method, json!({"uri": "test://text"}));
        assert_eq!(client.ask(&watch(1, "resources/subscribe")).await["result"], json!({}));
        server.changes().tools();
        server.changes().prompts();
        server.changes().resource("test://other");
        server.changes().resource("test://text/part");
        server.changes().resources();
        let mut said = Vec::new();
        for _ in 0..4 {
            said.push(client.next().await["method"].take());
        }
        said.sort_by_key(Value::to_string);
        assert_eq!(
            said,
            [
                "notifications/prompts/list_changed",
                "notifications/resources/list_changed",
                "notifications/resources/updated",
                "notifications/tools/list_changed",
            ]
        );
        assert_eq!(client.ask(&watch(2, "resources/unsubscribe")).await["result"], json!({}));
        server.changes().resource("test://text");
        assert_eq!(client.ask(&request(3, "ping", json!({}))).await["id"], 3);
        client.close().await;
    }
}

#[tokio::test]
async fn a_subscription_hears_what_it_asked_for_under_its_id() {
    let (server, _) = server();
    let mut client = Client::judging(&server, "2026-07-28");
    let listen = |id: Value, wishes: Value| {
        modern(id, "subscriptions/listen", json!({"notifications": wishes}), json!({}))
    };
    let wishes = json!({"toolsListChanged": true, "promptsListChanged": false, "resourceSubscriptions": ["test://text"]});
    let told = client.ask(&listen(json!("1"), wishes)).await;
    assert_eq!(
        told["params"]["notifications"],
        json!({"toolsListChanged": true, "resourceSubscriptions": ["test://text"]})
    );
    assert_eq!(told["params"]["_meta"][ID], "1");
    let told = client.ask(&listen(json!(1), json!({"promptsListChanged": true}))).await;
    assert_eq!(told["params"]["_meta"][ID], 1);
    server.changes().prompts();
    assert_eq!(client.next().await["params"]["_meta"][ID], 1);
    server.changes().resources();
    server.changes().resource("test://text");
    let told = client.next().await;
    assert_eq!((&told["params"]["uri"], &told["params"]["_meta"][ID]), (&json!("test://text"), &json!("1")));
    client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}))
        .await;
    let pong = client.ask(&modern(2, "server/discover", json!({}), json!({}))).await;
    assert_eq!(pong["id"], 2);
    server.changes().prompts();
    server.changes().tools();
    assert_eq!(client.next().await["method"], "notifications/tools/list_changed");
    server.end();
    let withdrawn = client.next().await;
    assert_eq!(
        (&withdrawn["method"], &withdrawn["params"]["requestId"]),
        (&json!("notifications/cancelled"), &json!("1"))
    );
    let last = client.next().await;
    assert_eq!((&last["id"], &last["result"]["_meta"][ID]), (&json!("1"), &json!("1")));
    assert_eq!(client.close().await, [Value::Null; 0]);
}

#[tokio::test]
async fn what_nobody_heard_yet_is_told_once() {
    let (server, _) = server();
    let mut client = Client::of(&server);
    let wishes = json!({"notifications": {"toolsListChanged": true, "resourceSubscriptions": ["test://a", "test://b"]}});
    client.ask(&modern(1, "subscriptions/listen", wishes, json!({}))).await;
    for _ in 0..100 {
        server.changes().tools();
        server.changes().resource("test://b");
        server.changes().resource("test://a");
    }
    let said = [client.next().await, client.next().await, client.next().await];
    assert_eq!(said[0]["method"], "notifications/tools/list_changed");
    assert_eq!(said[2]["params"]["uri"], "test://b");
    let pong = client.ask(&modern(2, "server/discover", json!({}), json!({}))).await;
    assert_eq!(pong["id"], 2);
}

#[tokio::test]
async fn wishes_are_bounded() {
    let (server, _) = server();
    let mut client = Client::of(&server);
    let uris: Vec<String> = (0..257).map(|n| format!("test://{n}")).collect();
    let wishes = json!({"notifications": {"resourceSubscriptions": uris}});
    let answer = client.ask(&modern(1, "subscriptions/listen", wishes, json!({}))).await;
    assert_eq!(answer["error"]["code"], -32602);
    let answer = client.ask(&modern(1, "subscriptions/listen", json!({}), json!({}))).await;
    assert_eq!(answer["error"]["code"], -32602);
    let wishes = json!({"notifications": {"taskIds": ["x"]}});
    let answer = client.ask(&modern(1, "subscriptions/listen", wishes, json!({}))).await;
    assert_eq!(answer["error"]["code"], -32021);
}
