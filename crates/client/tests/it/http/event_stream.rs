//! The deprecated HTTP+SSE transport: the way there, and one stream on which a server says everything.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Client, ConnectCause, EraChoice, Memory, Options};
use codewhale_mcp_protocol::Era;
use codewhale_mcp_transport::{ExchangeError, OpenError};
use serde_json::json;

use super::web::{Web, call, reply, said, text};
use super::wire::Stream;

const OLDEST: &str = "2024-11-05";

/// A client that found its server on the other way.
async fn connected() -> (Client, Web, Stream) {
    let (connecting, mut web) = Web::connecting(Options::default());
    web.post("server/discover").await.empty(405);
    web.post("initialize").await.empty(405);
    let stream = web.get().await.events();
    shake_hands(&mut web, &stream).await;
    (connecting.await.expect("the task ends").expect("a client"), web, stream)
}

async fn shake_hands(web: &mut Web, stream: &Stream) {
    let initialize = web.post("initialize").await;
    assert_eq!(initialize.headers.len(), 0);
    let answer = reply(&initialize.body, json!({"protocolVersion": OLDEST, "capabilities": {"tools": {}}}));
    // What its posts bring is nothing, whatever it is.
    initialize.result_in_session("s-1", json!({"protocolVersion": "2099-01-01"}));
    stream.say(&answer);
    let initialized = web.post("notifications/initialized").await;
    assert_eq!(initialized.headers.len(), 0, "it has no sessions");
    initialized.text(202, None, "Accepted");
}

#[tokio::test(start_paused = true)]
async fn an_event_stream_that_is_kept_back_is_what_is_said_to_be_missing() {
    let mut options = Options::default();
    options.connect_timeout = Duration::from_secs(7);
    let (connecting, mut web) = Web::connecting(options);
    web.post("server/discover").await.empty(404);
    web.post("initialize").await.empty(404);
    let mut get = web.get().await;
    let error = connecting.await.expect("the task ends").expect_err("no stream");
    assert_eq!(error.to_string(), "the event stream of the server (HTTP+SSE) did not open within 7 s");
    get.gone().await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_turns_the_first_way_down_is_reached_by_its_event_stream() {
    let (client, mut web, stream) = connected().await;
    assert_eq!(client.server().revision.as_str(), OLDEST);
    assert_eq!(client.memory(), Memory { era: Some(Era::Legacy), event_stream: true });
    web.hears_nothing().await;

    let one = call(&client);
    let first = web.post("tools/call").await;
    let other = call(&client);
    let second = web.post("tools/call").await;
    for (post, words) in [(second, "second"), (first, "first")] {
        let answer = reply(&post.body, text(words));
        post.text(202, Some("text/plain"), "Accepted");
        stream.say(&answer);
    }
    assert_eq!(said(one).await.expect("a result"), "first");
    assert_eq!(said(other).await.expect("a result"), "second");

    stream.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
    let pong = web.post("").await;
    assert_eq!(pong.body, json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
    pong.empty(202);
    web.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_post_that_fails_fails_its_request_at_once_and_alone() {
    let (client, mut web, stream) = connected().await;
    for status in [400, 404, 413, 500] {
        let calling = call(&client);
        web.post("tools/call").await.text(status, Some("text/plain"), "no");
        let error = said(calling).await.expect_err("no result").to_string();
        assert_eq!(error, format!("no answer to tools/call: the server answered with status {status}: no"));
    }
    let calling = call(&client);
    web.post("tools/call").await.fail(ExchangeError::Broken("cut".into()));
    said(calling).await.expect_err("no result");
    let calling = call(&client);
    let post = web.post("tools/call").await;
    let answer = reply(&post.body, text("ok"));
    post.empty(202);
    stream.say(&answer);
    assert_eq!(said(calling).await.expect("a result"), "ok");
    web.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn dropping_a_call_posts_its_cancellation() {
    let (client, mut web, stream) = connected().await;
    let calling = call(&client);
    let post = web.post("tools/call").await;
    let request = post.body.clone();
    post.empty(202);
    web.hears_nothing().await;
    calling.abort();
    let cancelled = web.post("notifications/cancelled").await;
    assert_eq!(cancelled.body["params"]["requestId"], request["id"]);
    cancelled.empty(202);
    stream.say(&reply(&request, text("late")));
    web.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_stream_is_the_end_of_the_connection() {
    for broken in [true, false] {
        let (client, mut web, stream) = connected().await;
        let calling = call(&client);
        let waiting = call(&client);
        web.post("tools/call").await.empty(202);
        let mut post = web.post("tools/call").await;
        match broken {
            true => stream.breaks(),
            false => drop(stream),
        }
        for call in [calling, waiting] {
            assert!(matches!(said(call).await, Err(CallError::ServerGone(_))));
        }
        post.gone().await;
        assert!(client.gone().is_some());
        assert!(matches!(said(call(&client)).await, Err(CallError::ServerGone(_))));
        web.hears_nothing_for(Duration::from_secs(60)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn closing_ends_the_stream_and_leaves_no_session() {
    let (client, mut web, stream) = connected().await;
    let calling = call(&client);
    web.post("tools/call").await.empty(202);
    client.close().await;
    assert!(matches!(said(calling).await, Err(CallError::ClosedHere)));
    stream.gone().await;
    web.hears_nothing_for(Duration::from_secs(60)).await;
}

#[tokio::test(start_paused = true)]
async fn when_both_ways_fail_both_causes_are_told() {
    let first =
        "the server turned down POST server/discover: status 405; POST initialize: status 404: <html>";
    let over_events = "GET of an event stream (HTTP+SSE)";
    for (at, words) in [
        "the server does not open an event stream: status 404",
        "cannot reach h:1: refused",
        "the server closed the connection before it answered initialize",
    ]
    .into_iter()
    .enumerate()
    {
        let (connecting, mut web) = Web::connecting(Options::default());
        web.post("server/discover").await.empty(405);
        web.post("initialize").await.text(404, Some("text/html"), "<html>");
        let get = web.get().await;
        match at {
            0 => get.empty(404),
            1 => get.fail(ExchangeError::Unreachable { host: "h:1".into(), reason: "refused".into() }),
            _ => {
                let stream = get.events();
                web.post("initialize").await.empty(202);
                drop(stream);
            }
        }
        let error = connecting.await.expect("the task ends").expect_err("no client").to_string();
        assert_eq!(error, format!("{first}; {over_events}: {words}"));
        web.hears_nothing_for(Duration::from_secs(60)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_login_that_the_event_stream_wants_is_told_as_such() {
    for remembered in [true, false] {
        let mut options = Options::default();
        options.memory.event_stream = remembered;
        let (connecting, mut web) = Web::connecting(options);
        if !remembered {
            web.post("server/discover").await.empty(405);
            web.post("initialize").await.empty(405);
        }
        web.get().await.fail(ExchangeError::LoginNeeded { challenges: vec!["Bearer".into()] });
        let cause = connecting.await.expect("the task ends").expect_err("no client").cause;
        let ConnectCause::Open(OpenError::Exchange(ExchangeError::LoginNeeded { challenges })) = cause else {
            panic!("{cause}")
        };
        assert_eq!(challenges, ["Bearer"]);
        web.hears_nothing_for(Duration::from_secs(60)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_event_stream_that_was_remembered_is_tried_first_and_given_up_when_it_is_gone() {
    let mut options = Options::default();
    options.memory = Memory { era: Some(Era::Legacy), event_stream: true };
    let (connecting, mut web) = Web::connecting(options.clone());
    let stream = web.get().await.events();
    shake_hands(&mut web, &stream).await;
    let client = connecting.await.expect("the task ends").expect("a client");
    assert!(client.memory().event_stream);

    let (connecting, mut web) = Web::connecting(options.clone());
    web.get().await.empty(404);
    let result = json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}});
    web.post("initialize").await.result(result);
    web.post("notifications/initialized").await.empty(202);
    let client = connecting.await.expect("the task ends").expect("a client");
    assert_eq!(client.memory(), Memory { era: Some(Era::Legacy), event_stream: false });

    // Where only the modern era was chosen it is no way at all.
    options.era = EraChoice::Modern;
    let (connecting, mut web) = Web::connecting(options);
    let probe = web.post("server/discover").await;
    probe.result(json!({"supportedVersions": ["2026-07-28"], "capabilities": {}}));
    connecting.await.expect("the task ends").expect("a client");
}
