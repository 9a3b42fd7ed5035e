//! What a legacy server says of its own accord, on the stream that a GET asks for.

use std::time::Duration;

use codewhale_mcp_client::{Change, Event, Options};
use codewhale_mcp_protocol::SubscriptionFilter;
use serde_json::json;
use tokio::time::{Instant, timeout};

use super::web::{Web, call, fault, reply, said, text};

#[tokio::test(start_paused = true)]
async fn a_server_without_a_stream_is_not_asked_again_and_loses_nothing() {
    for status in [400, 401, 403, 404, 405, 406, 409, 501] {
        let (connecting, mut web) = Web::connecting(Options::default());
        web.shake_hands("2025-06-18", json!({"tools": {}})).await;
        let get = web.get().await;
        let client = connecting.await.expect("the task ends").expect("a client");
        match status {
            // What it says must be events.
            501 => get.text(200, Some("application/json"), "{}"),
            _ => get.empty(status),
        }
        web.hears_nothing_for(Duration::from_secs(600)).await;
        assert!(client.gone().is_none());
        let calling = call(&client);
        web.post("tools/call").await.result(text("ok"));
        said(calling).await.expect("a result");
    }
}

/// How many GETs there are in five seconds when each stream is answered so.
async fn gets(answer: &str, status: u16) -> usize {
    let (connecting, mut web) = Web::connecting(Options::default());
    web.shake_hands("2025-06-18", json!({"tools": {}})).await;
    let client = connecting.await.expect("the task ends").expect("a client");
    let (begun, mut count) = (Instant::now(), 0);
    while let Ok(get) = timeout(Duration::from_secs(600), web.get()).await {
        if get.at - begun < Duration::from_secs(5) {
            count += 1;
        }
        match status {
            200 => get.text(200, Some("text/event-stream"), answer),
            other => get.empty(other),
        }
    }
    // It came to an end, and the session did not.
    assert!(client.gone().is_none());
    let calling = call(&client);
    web.post("tools/call").await.result(text("ok"));
    said(calling).await.expect("a result");
    count
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_brings_nothing_is_asked_for_less_and_less_and_then_no_more() {
    for (answer, status) in [
        ("retry: 1\n\n", 200),
        ("retry: 1\nid: 1\ndata:\n\n", 200),
        ("", 200),
        (": hello\n\n", 200),
        ("", 503),
        ("", 429),
    ] {
        let count = gets(answer, status).await;
        assert!((2..=6).contains(&count), "{count} in 5 s for {answer:?} {status}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_was_of_use_is_asked_for_again_after_exactly_the_pause_and_from_its_last_event() {
    let (client, mut web, stream) = Web::listening(Options::default()).await;
    let mut events = client.events();
    stream.raw(
        "id: 7\nretry: 1500\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n",
    );
    assert!(matches!(events.next().await, Some(Event::ToolsChanged)));
    stream.breaks();
    let mut before = Instant::now();
    for id in 8..30 {
        let get = web.get().await;
        assert_eq!(get.at - before, Duration::from_millis(1500));
        assert_eq!(get.header("last-event-id"), Some((id - 1).to_string().as_str()));
        let stream = get.events();
        stream.raw(&format!(
            "id: {id}\ndata: {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/prompts/list_changed\"}}\n\n"
        ));
        assert!(matches!(events.next().await, Some(Event::PromptsChanged)));
        before = Instant::now();
        drop(stream);
    }
}

#[tokio::test(start_paused = true)]
async fn one_event_over_the_limit_ends_a_stream_and_no_session() {
    let mut options = Options::default();
    options.message_limit = 10_000;
    let (client, mut web, stream) = Web::listening(options).await;
    stream.raw(&format!("data: {}\n\n", "x".repeat(20_000)));
    stream.gone().await;
    web.get().await.empty(405);
    assert!(client.gone().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_server_that_says_too_much_on_each_stream_is_not_asked_without_end() {
    let mut options = Options::default();
    options.message_limit = 1000;
    let (client, mut web, mut stream) = Web::listening(options).await;
    for again in 1.. {
        // It was of use before, and for long.
        stream.notify("notifications/tools/list_changed", json!({}));
        tokio::time::sleep(Duration::from_secs(60)).await;
        stream.raw(&format!("data: {}\n\n", "x".repeat(2000)));
        stream.gone().await;
        match timeout(Duration::from_secs(600), web.get()).await {
            Ok(get) => {
                assert!(again < 11, "it is asked without end");
                stream = get.events();
            }
            Err(_) => {
                assert_eq!(again, 11);
                break;
            }
        }
    }
    let calling = call(&client);
    web.post("tools/call").await.result(text("ok"));
    said(calling).await.expect("a result");
}

#[tokio::test(start_paused = true)]
async fn a_server_may_take_a_request_and_answer_it_on_its_other_stream() {
    let (client, mut web, stream) = Web::listening(Options::default()).await;
    let calling = call(&client);
    let post = web.post("tools/call").await;
    let answer = reply(&post.body, text("ok"));
    post.empty(202);
    stream.say(&answer);
    assert_eq!(said(calling).await.expect("a result"), "ok");
    // Without that stream nothing can come.
    drop(stream);
    web.get().await.empty(405);
    let calling = call(&client);
    web.post("tools/call").await.empty(202);
    assert_eq!(fault(calling).await.to_string(), "the server answered with status 202 without an answer");
    web.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn who_wants_to_be_told_of_changes_waits_until_somebody_listens() {
    let (connecting, mut web) = Web::connecting(Options::default());
    web.shake_hands("2025-11-25", json!({"tools": {"listChanged": true}})).await;
    let client = connecting.await.expect("the task ends").expect("a client");
    let get = web.get().await;
    let filter = SubscriptionFilter { tools_list_changed: Some(true), ..SubscriptionFilter::default() };
    let mut subscribing = tokio::spawn(async move { client.subscribe(filter).await });
    assert!(timeout(Duration::from_millis(900), &mut subscribing).await.is_err(), "nobody listens yet");
    let stream = get.events();
    let mut changes = subscribing.await.expect("the task ends").expect("a subscription");
    stream.say(&json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}));
    assert_eq!(changes.next().await, Some(Change::Tools));
}

#[tokio::test(start_paused = true)]
async fn a_session_has_one_stream() {
    let (client, mut web, stream) = Web::listening(Options::default()).await;
    let calling = call(&client);
    web.post("tools/call").await.empty(404);
    web.post("initialize")
        .await
        .result_in_session("s-2", json!({"protocolVersion": "2025-11-25", "capabilities": {}}));
    assert!(!stream.is_gone());
    web.post("notifications/initialized").await.empty(202);
    let get = web.get().await;
    assert_eq!(get.header("mcp-session-id"), Some("s-2"));
    assert_eq!(get.header("last-event-id"), None, "its events are others");
    stream.gone().await;
    web.post("tools/call").await.result(text("ok"));
    said(calling).await.expect("a result");
    web.hears_nothing_for(Duration::from_secs(60)).await;
    drop(get);
}
