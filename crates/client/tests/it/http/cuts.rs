//! A reply that is cut at each of its bytes: an error, or taken up again where the last event says from where.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Client, ExchangeFault, Options};
use serde_json::json;
use tokio::time::Instant;

use super::web::{Got, Web, call, fault, reply, said, text};

/// What the server asks a client to wait.
const RETRY: Duration = Duration::from_millis(700);

fn recorded(post: &Got) -> Vec<String> {
    let progress = json!({"progressToken": post.body["params"]["_meta"]["progressToken"], "progress": 1});
    let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": progress});
    vec![
        "id: e1\nretry: 700\ndata:\n\n".to_owned(),
        ": still here\n\n".to_owned(),
        format!("id: e2\nevent: message\ndata: {progress}\n\n"),
        format!("id: e3\ndata: {}\n\n", reply(&post.body, text("ok"))),
    ]
}

/// The last id that was whole before the cut, and whether the answer was.
fn whole_before(events: &[String], cut: usize) -> (Option<&'static str>, bool) {
    let ids = [Some("e1"), None, Some("e2"), Some("e3")];
    let (mut end, mut last) = (0, None);
    for (event, id) in events.iter().zip(ids) {
        end += event.len();
        if end > cut {
            return (last, false);
        }
        last = id.or(last);
    }
    (last, true)
}

/// Calls, cuts the reply there, and sees what follows.
async fn check(client: &Client, web: &mut Web, revision: &str, cut: usize, broken: bool) -> bool {
    let calling = call(client);
    let post = web.post("tools/call").await;
    let events = recorded(&post);
    let answer = reply(&post.body, text("resumed"));
    let all = events.concat();
    let (last, whole) = whole_before(&events, cut);
    let stream = post.events();
    stream.bytes(&all.as_bytes()[..cut]);
    match broken {
        true => stream.breaks(),
        false => drop(stream),
    }
    let cut_at = Instant::now();
    let place = format!("{revision} cut at {cut} after {last:?}");
    match last.filter(|_| !whole && revision != "2026-07-28") {
        Some(last) => {
            let get = web.get().await;
            assert_eq!(get.at - cut_at, RETRY, "{place}");
            assert_eq!(get.header("last-event-id"), Some(last), "{place}");
            assert_eq!(get.header("mcp-session-id"), Some("s-1"), "{place}");
            assert_eq!(get.header("mcp-protocol-version"), Some(revision), "{place}");
            get.events().say(&answer);
            assert_eq!(said(calling).await.expect("a result"), "resumed", "{place}");
        }
        None if whole => assert_eq!(said(calling).await.expect("a result"), "ok", "{place}"),
        None => {
            let error = said(calling).await.expect_err("no result");
            assert!(matches!(error, CallError::Exchange { .. }), "{place}: {error}");
        }
    }
    web.hears_nothing().await;
    cut < all.len()
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_cut_anywhere_fails_or_is_taken_up_again() {
    for revision in ["2025-03-26", "2025-11-25", "2026-07-28"] {
        for broken in [false, true] {
            let (client, mut web) = Web::connected(revision, Options::default()).await;
            let mut cut = 0;
            while check(&client, &mut web, revision, cut, broken).await {
                cut += 1;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn json_that_is_cut_anywhere_fails_its_call() {
    for revision in ["2025-11-25", "2026-07-28"] {
        for broken in [false, true] {
            let (client, mut web) = Web::connected(revision, Options::default()).await;
            let mut cut = 0;
            loop {
                let calling = call(&client);
                let post = web.post("tools/call").await;
                let body = reply(&post.body, text("ok")).to_string();
                let stream = post.body_of(200, Some("application/json"));
                stream.bytes(&body.as_bytes()[..cut]);
                match broken {
                    true => stream.breaks(),
                    false => drop(stream),
                }
                match said(calling).await {
                    Ok(words) => assert_eq!((words.as_str(), cut, broken), ("ok", body.len(), false)),
                    Err(CallError::Exchange { .. }) => assert!(cut < body.len() || broken),
                    Err(other) => panic!("{revision} cut at {cut}: {other}"),
                }
                web.hears_nothing().await;
                if cut == body.len() {
                    break;
                }
                cut += 1;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_brings_nothing_is_not_taken_up_without_end() {
    let (client, mut web) = Web::connected("2025-11-25", Options::default()).await;
    let calling = call(&client);
    let stream = web.post("tools/call").await.events();
    stream.raw("id: 1\nretry: 1\ndata:\n\n");
    drop(stream);
    let mut times = Vec::new();
    while !calling.is_finished() {
        let Ok(get) = tokio::time::timeout(Duration::from_secs(100), web.get()).await else { continue };
        times.push(get.at);
        get.events().raw("id: 1\ndata:\n\n");
    }
    let fault = fault(calling).await;
    assert!(matches!(fault, ExchangeFault::Lost { resumed: 10 }), "{fault}");
    assert_eq!(times.len(), 10);
    assert!(times.windows(2).all(|pair| pair[1] - pair[0] >= Duration::from_millis(250)), "not in a storm");
    web.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn the_pause_that_a_server_asked_for_once_holds_for_later_streams() {
    let (client, mut web) = Web::connected("2025-11-25", Options::default()).await;
    let calling = call(&client);
    let stream = web.post("tools/call").await.events();
    stream.raw("id: 1\nretry: 4000\ndata:\n\n");
    drop(stream);
    let get = web.get().await;
    let stream = get.events();
    stream.notify("notifications/tools/list_changed", json!({}));
    stream.raw("id: 2\ndata:\n\n");
    drop(stream);
    let before = Instant::now();
    let get = web.get().await;
    assert_eq!((get.at - before, get.header("last-event-id")), (Duration::from_secs(4), Some("2")));
    calling.abort();
}

#[tokio::test(start_paused = true)]
async fn a_server_that_takes_up_no_stream_has_lost_the_answer() {
    let (client, mut web) = Web::connected("2025-11-25", Options::default()).await;
    for status in [400, 403, 404, 405, 406, 204] {
        let calling = call(&client);
        let stream = web.post("tools/call").await.events();
        stream.raw("id: 1\ndata:\n\n");
        drop(stream);
        web.get().await.empty(status);
        let fault = fault(calling).await;
        assert!(matches!(fault, ExchangeFault::Lost { .. }), "{status}: {fault}");
        web.hears_nothing().await;
    }
    // One that has trouble is asked again.
    let calling = call(&client);
    let post = web.post("tools/call").await;
    let answer = reply(&post.body, text("ok"));
    let stream = post.events();
    stream.raw("id: 1\ndata:\n\n");
    drop(stream);
    for status in [503, 429, 500] {
        web.get().await.empty(status);
    }
    web.get().await.events().say(&answer);
    assert_eq!(said(calling).await.expect("a result"), "ok");
    web.hears_nothing().await;
}
