//! Which log messages a server sends.

use codewhale_mcp_client::{CallError, Event, Options};
use codewhale_mcp_protocol::LoggingLevel;
use serde_json::{Value, json};

use crate::server::{Server, text};

const LEVEL: &str = "io.modelcontextprotocol/logLevel";

#[tokio::test(start_paused = true)]
async fn a_legacy_server_is_told_the_level_at_once() {
    let offered = json!({"logging": {}});
    let (client, mut server) = Server::offering("2025-06-18", offered, Options::default()).await;
    let (set, ()) = tokio::join!(client.set_log_level(LoggingLevel::Warning), async {
        let request = server.asked("logging/setLevel").await;
        assert_eq!(request["params"]["level"], "warning");
        server.answer(&request, json!({})).await;
    });
    set.expect("an answer");
}

#[tokio::test(start_paused = true)]
async fn a_legacy_server_without_levels_is_not_asked() {
    let (client, mut server) = Server::connected("2025-06-18", Options::default()).await;
    let error = client.set_log_level(LoggingLevel::Debug).await.expect_err("it cannot");
    assert!(matches!(error, CallError::ServerLacks { capability: "logging" }), "{error}");
    server.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_modern_server_is_told_the_level_with_each_request_and_not_before() {
    let (client, mut server) = Server::connected("2026-07-28", Options::default()).await;
    let mut levels = Vec::new();
    for level in [None, Some(LoggingLevel::Info), Some(LoggingLevel::Emergency), None] {
        if let Some(level) = level {
            client.set_log_level(level).await.expect("nothing has to be asked");
            server.hears_nothing().await;
        }
        let arguments = json!({});
        let (called, ()) = tokio::join!(client.call_tool("x", &arguments).send(), async {
            let request = server.asked("tools/call").await;
            levels.push(request["params"]["_meta"][LEVEL].clone());
            server.answer(&request, text("ok")).await;
        });
        called.expect("a result");
    }
    assert_eq!(levels, [Value::Null, json!("info"), json!("emergency"), json!("emergency")]);
}

#[tokio::test(start_paused = true)]
async fn log_messages_are_events_whatever_they_say() {
    for revision in ["2025-06-18", "2026-07-28"] {
        let (client, mut server) = Server::connected(revision, Options::default()).await;
        let mut events = client.events();
        for data in [json!("text"), json!(null), json!({"a": [1.0]}), json!(1e30)] {
            let message = json!({"level": "loud", "logger": "l", "data": data});
            server.notify("notifications/message", message).await;
            let Some(Event::Message(message)) = events.next().await else { panic!("a message") };
            assert_eq!((message.level.as_str(), message.logger.as_deref()), ("loud", Some("l")));
            assert_eq!(message.data.as_ref().map(|data| data.as_str()), Some(data.to_string().as_str()));
            assert!(message.logging_level().is_unknown());
        }
        server.notify("notifications/message", json!({"logger": 5})).await;
        let event = events.next().await.expect("an event");
        assert!(
            matches!(&event, Event::Notification { method, .. } if &**method == "notifications/message"),
            "{event:?}"
        );
    }
}
