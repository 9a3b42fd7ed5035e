//! The end of a connection: the session is left once, and nothing stays behind.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Options};
use serde_json::json;
use tokio::time::Instant;

use super::web::{Web, call, said, text};

#[tokio::test(start_paused = true)]
async fn closing_leaves_the_session_once_and_ends_every_exchange() {
    for status in [200, 204, 404, 405, 500] {
        let (client, mut web, listening) = Web::listening(Options::default()).await;
        let calling = call(&client);
        let stream = web.post("tools/call").await.events();
        let waiting = call(&client);
        let mut post = web.post("tools/call").await;
        let closing: Vec<_> = (0..3)
            .map(|_| {
                let client = client.clone();
                tokio::spawn(async move { client.close().await })
            })
            .collect();
        let delete = web.delete().await;
        assert_eq!(delete.header("mcp-session-id"), Some("s-1"));
        delete.empty(status);
        for close in closing {
            close.await.expect("the task ends");
        }
        for call in [calling, waiting] {
            assert!(matches!(said(call).await, Err(CallError::ClosedHere)));
        }
        stream.gone().await;
        post.gone().await;
        listening.gone().await;
        assert!(matches!(said(call(&client)).await, Err(CallError::ClosedHere)));
        client.close().await;
        drop(client);
        web.hears_nothing_for(Duration::from_secs(60)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_at_the_end_is_not_waited_for_long() {
    let (client, mut web) = Web::connected("2025-11-25", Options::default()).await;
    let begun = Instant::now();
    let closing = tokio::spawn(async move { client.close().await });
    let mut delete = web.delete().await;
    closing.await.expect("the task ends");
    assert!(begun.elapsed() <= Duration::from_secs(1), "{:?}", begun.elapsed());
    delete.gone().await;
    web.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_client_that_is_dropped_leaves_its_session_too() {
    let (client, mut web, listening) = Web::listening(Options::default()).await;
    drop(client);
    web.delete().await.empty(200);
    listening.gone().await;
    web.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn where_there_is_no_session_there_is_none_to_leave() {
    let (client, mut web) = Web::connected("2026-07-28", Options::default()).await;
    let calling = call(&client);
    let stream = web.post("tools/call").await.events();
    client.close().await;
    assert!(matches!(said(calling).await, Err(CallError::ClosedHere)));
    stream.gone().await;
    web.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn what_was_written_last_may_still_leave() {
    let (client, mut web) = Web::connected("2025-11-25", Options::default()).await;
    let arguments = json!({});
    let mut calling = Box::pin(client.call_tool("x", &arguments).send());
    let post = tokio::select! {
        post = web.post("tools/call") => post,
        _ = &mut calling => panic!("there is no answer yet"),
    };
    // Its cancellation is written in the same moment in which the end begins.
    drop(calling);
    let ((), _) = tokio::join!(
        async {
            let cancelled = web.post("notifications/cancelled").await;
            assert_eq!(cancelled.body["params"]["requestId"], post.body["id"]);
            cancelled.empty(202);
            web.delete().await.empty(200);
        },
        client.close()
    );
    web.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn an_exchange_that_breaks_while_we_close_is_our_doing() {
    let (client, mut web) = Web::connected("2025-11-25", Options::default()).await;
    let calling = call(&client);
    let stream = web.post("tools/call").await.events();
    let closing = tokio::spawn(async move { client.close().await });
    let delete = web.delete().await;
    stream.breaks();
    assert!(matches!(said(calling).await, Err(CallError::ClosedHere)));
    delete.empty(200);
    closing.await.expect("the task ends");
}

#[tokio::test(start_paused = true)]
async fn many_connections_leave_nothing_open() {
    for _ in 0..200 {
        let (client, mut web, listening) = Web::listening(Options::default()).await;
        let calling = call(&client);
        web.post("tools/call").await.result(text("ok"));
        said(calling).await.expect("a result");
        let closing = tokio::spawn(async move { client.close().await });
        web.delete().await.empty(405);
        closing.await.expect("the task ends");
        listening.gone().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_renewal_that_is_under_way_ends_with_the_connection() {
    let (client, mut web) = Web::connected("2025-11-25", Options::default()).await;
    for step in ["initialize", "notifications/initialized"] {
        let calling = call(&client);
        web.post("tools/call").await.empty(404);
        let mut initialize = web.post("initialize").await;
        if step != "initialize" {
            let result = json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}});
            initialize.result_in_session("s-2", result);
            initialize = web.post(step).await;
            let closing = client.clone();
            let closing = tokio::spawn(async move { closing.close().await });
            web.delete().await.empty(200);
            closing.await.expect("the task ends");
        } else {
            calling.abort();
            initialize.empty(500);
            continue;
        }
        assert!(matches!(said(calling).await, Err(CallError::ClosedHere)));
        initialize.gone().await;
    }
    web.hears_nothing().await;
}
