//! What goes out again by itself, and what never does.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Client, ExchangeFault, Options};
use serde_json::json;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::web::{Got, Web, call, said, text};
use super::wire::head;

const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];

fn list(client: &Client) -> JoinHandle<Result<usize, CallError>> {
    let client = client.clone();
    tokio::spawn(async move { client.list_tools().await.map(|listed| listed.items.len()) })
}

fn pausing(got: Got, status: u16, seconds: u64) {
    let (mut head, _) = head(status, None);
    head.retry_after = Some(Duration::from_secs(seconds));
    got.answer(head);
}

/// How an answer can be lost.
fn losses() -> [fn(Got); 3] {
    [
        // While it is waited for, in the middle, and before its first message.
        drop,
        |got| {
            let stream = got.events();
            stream.raw("data: {\"jsonrpc\"");
            stream.breaks();
        },
        |got| got.events().notify("notifications/tools/list_changed", json!({})),
    ]
}

#[tokio::test(start_paused = true)]
async fn what_changes_nothing_goes_out_twice_more_when_its_answer_is_lost() {
    for revision in REVISIONS {
        for lose in losses() {
            let (client, mut web) = Web::connected(revision, Options::default()).await;
            let listing = list(&client);
            let mut ids = Vec::new();
            for _ in 0..2 {
                let post = web.post("tools/list").await;
                ids.push(post.body["id"].clone());
                lose(post);
            }
            let post = web.post("tools/list").await;
            assert!(!ids.contains(&post.body["id"]), "each is a new request");
            post.result(json!({"tools": [{"name": "x", "inputSchema": {"type": "object"}}]}));
            assert_eq!(listing.await.expect("the task ends").expect("a list"), 1);

            let listing = list(&client);
            for _ in 0..3 {
                lose(web.post("tools/list").await);
            }
            let error = listing.await.expect("the task ends").expect_err("no list");
            assert!(matches!(error, CallError::Exchange { .. }), "{error}");
            web.hears_nothing_for(Duration::from_secs(60)).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_of_a_tool_never_goes_out_again_when_its_answer_is_lost() {
    for revision in REVISIONS {
        for lose in losses() {
            let (client, mut web) = Web::connected(revision, Options::default()).await;
            let calling = call(&client);
            lose(web.post("tools/call").await);
            let error = said(calling).await.expect_err("no result");
            assert!(matches!(error, CallError::Exchange { .. }), "{error}");
            web.hears_nothing_for(Duration::from_secs(60)).await;
        }
        let (client, mut web) = Web::connected(revision, Options::default()).await;
        let calling = call(&client);
        pausing(web.post("tools/call").await, 429, 1);
        let error = said(calling).await.expect_err("no result").to_string();
        assert_eq!(
            error,
            "no answer to tools/call: the server answered with status 429 and asks for a pause of 1 s"
        );
        web.hears_nothing_for(Duration::from_secs(60)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_pause_that_a_server_asks_for_is_kept_to_within_reason() {
    for revision in REVISIONS {
        let (client, mut web) = Web::connected(revision, Options::default()).await;
        for status in [429, 503] {
            let listing = list(&client);
            pausing(web.post("tools/list").await, status, 7);
            let before = Instant::now();
            let post = web.post("tools/list").await;
            assert_eq!(post.at - before, Duration::from_secs(7));
            pausing(post, status, 0);
            pausing(web.post("tools/list").await, status, 1);
            let error = listing.await.expect("the task ends").expect_err("no list");
            let CallError::Exchange { fault, .. } = error else { panic!("{error}") };
            assert!(matches!(*fault, ExchangeFault::Refused { .. }));
            web.hears_nothing_for(Duration::from_secs(60)).await;
        }
        // A longer one is for the caller to decide, and so is a status that asks for none.
        for (status, pause) in [(429, Some(11)), (503, Some(3600)), (429, None), (500, None), (502, Some(1))]
        {
            let listing = list(&client);
            let post = web.post("tools/list").await;
            match pause {
                Some(pause) => pausing(post, status, pause),
                None => post.empty(status),
            }
            listing.await.expect("the task ends").expect_err("no list");
            web.hears_nothing_for(Duration::from_secs(60)).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_pause_beyond_the_budget_is_not_begun() {
    let (client, mut web) = Web::connected("2026-07-28", Options::default()).await;
    let page = client.list_tools_page(None).timeout(Duration::from_secs(5));
    let begun = Instant::now();
    let (listed, ()) = tokio::join!(page.send(), async {
        pausing(web.post("tools/list").await, 429, 5);
    });
    assert!(matches!(listed, Err(CallError::Exchange { .. })));
    assert_eq!(begun.elapsed(), Duration::ZERO);
    // The tries share one budget.
    let page = client.list_tools_page(None).timeout(Duration::from_secs(5));
    let (listed, ()) = tokio::join!(page.send(), async {
        pausing(web.post("tools/list").await, 429, 3);
        web.post("tools/list").await.gone().await;
    });
    assert!(matches!(listed, Err(CallError::ServerTimedOut { .. })), "{listed:?}");
    assert_eq!(begun.elapsed(), Duration::from_secs(5));
}

#[tokio::test(start_paused = true)]
async fn answers_of_the_server_are_answers() {
    // Errors with an id, whatever their status, are not lost.
    for revision in REVISIONS {
        let (client, mut web) = Web::connected(revision, Options::default()).await;
        for status in [200, 400, 403, 500] {
            let listing = list(&client);
            web.post("tools/list").await.refuse(status, json!({"code": -32603, "message": "no"}));
            let error = listing.await.expect("the task ends").expect_err("no list");
            assert!(matches!(error, CallError::ServerError { .. }), "{error}");
            web.hears_nothing().await;
        }
        let calling = call(&client);
        web.post("tools/call").await.result(text("ok"));
        said(calling).await.expect("a result");
    }
}

#[tokio::test(start_paused = true)]
async fn a_message_of_the_handshake_goes_out_again_to_who_is_busy_or_has_broken_off() {
    let (connecting, mut web) = Web::connecting(Options::default());
    for _ in 0..3 {
        web.post("server/discover").await.events().breaks();
    }
    let error = connecting.await.expect("the task ends").expect_err("no client");
    assert_eq!(error.to_string(), "the connection broke: cut");
    for (status, pause, tries) in [(503, 10, 3), (429, 0, 3), (503, 11, 1), (500, 1, 1)] {
        let begun = Instant::now();
        let (connecting, mut web) = Web::connecting(Options::default());
        for _ in 0..tries {
            pausing(web.post("server/discover").await, status, pause);
        }
        let words = format!("the server turned down POST server/discover: status {status}");
        let error = connecting.await.expect("the task ends").expect_err("no client");
        assert_eq!(error.to_string(), words);
        assert_eq!(begun.elapsed().as_secs(), (tries - 1) * pause, "{status} {pause}");
    }
    let (connecting, mut web) = Web::connecting(Options::default());
    drop(web.post("server/discover").await);
    web.post("server/discover").await.empty(400);
    drop(web.post("initialize").await);
    web.post("initialize").await.result(json!({"protocolVersion": "2025-06-18", "capabilities": {}}));
    drop(web.post("notifications/initialized").await);
    web.post("notifications/initialized").await.empty(202);
    connecting.await.expect("the task ends").expect("a client");
}
