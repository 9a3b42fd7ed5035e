//! What is no longer wanted, and who is told.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Client, ConnectCause, EraChoice, Options};
use codewhale_mcp_transport::memory;
use serde_json::{Value, json};

use crate::server::{Server, text};

const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

#[tokio::test(start_paused = true)]
async fn dropping_a_call_cancels_it_by_its_id_in_both_eras() {
    for revision in REVISIONS {
        let (client, mut server) = Server::connected(revision, Options::default()).await;
        let caller = client.clone();
        let call = tokio::spawn(async move { caller.call_tool("x", &json!({})).send().await });
        let request = server.asked("tools/call").await;
        call.abort();
        let cancelled = server.next().await;
        assert_eq!(cancelled["method"], "notifications/cancelled");
        assert_eq!(cancelled.get("id"), None);
        assert_eq!(cancelled["params"]["requestId"], request["id"]);
        // Races are normal: the answer may be on its way, and there may be two.
        server.answer(&request, text("late")).await;
        server.answer(&request, text("later")).await;
        server.progress(&request, 1).await;
        let arguments = json!({});
        let (called, ()) = tokio::join!(client.call_tool("x", &arguments).send(), async {
            let next = server.asked("tools/call").await;
            assert_ne!(next["id"], request["id"]);
            server.answer(&next, text("ok")).await;
        });
        assert_eq!(called.expect("a result").content[0].text.as_deref(), Some("ok"));
        server.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_answered_is_not_cancelled() {
    for revision in REVISIONS {
        let (client, mut server) = Server::connected(revision, Options::default()).await;
        let arguments = json!({});
        let mut call = Box::pin(client.call_tool("x", &arguments).send());
        let request = tokio::select! {
            request = server.asked("tools/call") => request,
            _ = &mut call => unreachable!("there is no answer yet"),
        };
        server.answer(&request, text("ok")).await;
        server.hears_nothing().await;
        drop(call);
        server.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn neither_the_probe_nor_initialize_is_ever_cancelled() {
    // Each leaves the handshake in another way.
    let (connector, stream) = memory::pair(64 * 1024);
    let mut server = Server::new(stream);
    let connecting = tokio::spawn(async move { Client::connect(&connector, Options::default()).await });
    server.asked("server/discover").await;
    connecting.abort();
    assert!(server.at_end().await, "the probe is not cancelled");

    let (connector, stream) = memory::pair(64 * 1024);
    let mut server = Server::new(stream);
    let connecting = tokio::spawn(async move { Client::connect(&connector, Options::default()).await });
    let probe = server.asked("server/discover").await;
    let initialize = server.asked("initialize").await;
    assert_eq!(initialize["params"]["protocolVersion"], "2025-11-25", "a silent probe is left alone");
    // It still may be answered, which changes nothing.
    server.answer(&probe, json!({"supportedVersions": ["2026-07-28"]})).await;
    server.answer(&initialize, json!({"protocolVersion": "2025-06-18", "capabilities": {}})).await;
    assert_eq!(server.next().await["method"], "notifications/initialized");
    let client = connecting.await.expect("the task ends").expect("a client");
    assert_eq!(client.server().revision.as_str(), "2025-06-18");

    let (connector, stream) = memory::pair(64 * 1024);
    let mut server = Server::new(stream);
    let mut options = Options::default();
    options.era = EraChoice::Legacy;
    options.read_timeout = Duration::from_secs(3);
    let connecting = tokio::spawn(async move { Client::connect(&connector, options).await });
    server.asked("initialize").await;
    assert!(server.at_end().await, "its time is over and the link is closed");
    let error = connecting.await.expect("the task ends").expect_err("no answer");
    assert!(matches!(error.cause, ConnectCause::Handshake(_)), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_modern_server_cannot_cancel_a_call() {
    let (client, mut server) = Server::connected("2026-07-28", Options::default()).await;
    let arguments = json!({});
    let (called, ()) = tokio::join!(client.call_tool("x", &arguments).send(), async {
        let request = server.asked("tools/call").await;
        for params in
            [json!({"requestId": request["id"]}), json!({"requestId": null}), json!({}), Value::Null]
        {
            server.notify("notifications/cancelled", params).await;
        }
        server.answer(&request, text("ok")).await;
    });
    called.expect("a result");
}

#[tokio::test(start_paused = true)]
async fn a_deadline_that_no_clock_can_show_never_comes() {
    for timeout in [Duration::MAX, Duration::from_secs(u64::MAX / 2), Duration::from_secs(1 << 40)] {
        let (client, mut server) = Server::connected("2026-07-28", Options::default()).await;
        let arguments = json!({});
        let call = client.call_tool("x", &arguments).timeout(timeout).idle_timeout(timeout).send();
        let (called, ()) = tokio::join!(call, async {
            let request = server.asked("tools/call").await;
            tokio::time::sleep(Duration::from_secs(86_400)).await;
            server.answer(&request, text("ok")).await;
        });
        called.expect("a result");
        // The clock of the connection still runs.
        let error = client.call_tool("x", &arguments).timeout(Duration::from_secs(1)).send().await;
        assert!(matches!(error, Err(CallError::ServerTimedOut { .. })));
    }
}
