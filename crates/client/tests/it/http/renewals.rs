//! A session that the server has forgotten: one new one for all, and what it has to be told.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Client, Event, ExchangeFault, Options};
use codewhale_mcp_protocol::{LoggingLevel, SubscriptionFilter};
use serde_json::{Value, json};

use super::web::{Calling, Got, Web, call, fault, said, text};

const CALLS: usize = 50;

/// How the server answers.
type Answering = fn(Got);

/// So many calls, each told that the session is not known.
async fn lost(client: &Client, web: &mut Web, calls: usize) -> Vec<Calling> {
    let calls = (0..calls).map(|_| call(client)).collect();
    let mut posts = Vec::new();
    while let Ok(post) = tokio::time::timeout(Duration::from_millis(1), web.post("tools/call")).await {
        posts.push(post);
    }
    assert!(posts.iter().all(|post| post.header("mcp-session-id") == Some("s-1")));
    posts.into_iter().for_each(|post| post.empty(404));
    calls
}

fn opened(revision: &str) -> Value {
    json!({"protocolVersion": revision, "capabilities": {"tools": {}}})
}

/// The server opens a new session.
async fn renewed(web: &mut Web, session: &str) {
    let initialize = web.post("initialize").await;
    assert_eq!(initialize.headers.len(), 0, "{initialize:?}");
    initialize.result_in_session(session, opened("2025-06-18"));
    let initialized = web.post("notifications/initialized").await;
    assert_eq!(initialized.header("mcp-session-id"), Some(session));
    web.hears_nothing().await;
    initialized.empty(202);
}

#[tokio::test(start_paused = true)]
async fn many_calls_that_lost_their_session_open_one_and_go_out_again() {
    let (client, mut web) = Web::connected("2025-11-25", Options::default()).await;
    let calls = lost(&client, &mut web, CALLS).await;
    renewed(&mut web, "s-2").await;
    let get = web.get().await;
    assert_eq!(get.header("mcp-session-id"), Some("s-2"), "its stream is asked for again");
    assert_eq!(get.header("mcp-protocol-version"), Some("2025-06-18"), "in the revision of the new one");
    get.empty(405);
    let mut posts = Vec::new();
    for _ in 0..CALLS {
        posts.push(web.post("tools/call").await);
    }
    for post in posts {
        assert_eq!(post.header("mcp-session-id"), Some("s-2"));
        post.result(text("ok"));
    }
    for call in calls {
        assert_eq!(said(call).await.expect("a result"), "ok");
    }
    web.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_second_loss_is_told_and_the_next_call_opens_a_session_again() {
    let (client, mut web) = Web::connected("2025-06-18", Options::default()).await;
    let mut calls = lost(&client, &mut web, 1).await;
    renewed(&mut web, "s-2").await;
    web.get().await.empty(405);
    web.post("tools/call").await.empty(404);
    assert_eq!(fault(calls.remove(0)).await, ExchangeFault::SessionLost { renewal: None });
    web.hears_nothing().await;

    let calling = call(&client);
    web.post("tools/call").await.empty(404);
    renewed(&mut web, "s-3").await;
    web.get().await.empty(405);
    web.post("tools/call").await.result(text("ok"));
    assert_eq!(said(calling).await.expect("a result"), "ok");
}

#[tokio::test(start_paused = true)]
async fn a_renewal_that_fails_is_told_to_all_and_tried_again_by_later_calls() {
    let answers: [(Answering, &str); 4] = [
        (|got| got.empty(503), "the server answered with status 503"),
        (|got| got.refuse(200, json!({"code": -32603, "message": "no"})), "no (code -32603)"),
        (|got| got.result(opened("2099-01-01")), "the server speaks 2099-01-01, none of which we speak"),
        (
            |got| got.text(200, Some("text/html"), "<html>"),
            "the server answered with a body of type text/html: <html>",
        ),
    ];
    let (client, mut web) = Web::connected("2025-06-18", Options::default()).await;
    for (answer, words) in answers {
        let calls = lost(&client, &mut web, CALLS).await;
        answer(web.post("initialize").await);
        for call in calls {
            let lost = ExchangeFault::SessionLost { renewal: Some(words.to_owned()) };
            assert_eq!(fault(call).await, lost);
        }
        web.hears_nothing().await;
    }
    // So is a connection that breaks, whenever it is tried.
    let calls = lost(&client, &mut web, CALLS).await;
    for _ in 0..3 {
        drop(web.post("initialize").await);
    }
    for call in calls {
        let words = "the connection broke: the server is gone".to_owned();
        assert_eq!(fault(call).await, ExchangeFault::SessionLost { renewal: Some(words) });
    }
    // So is a login that is needed.
    let calls = lost(&client, &mut web, CALLS).await;
    web.post("initialize").await.empty(401);
    for call in calls {
        assert!(matches!(fault(call).await, ExchangeFault::LoginNeeded { .. }));
    }
    let calls = lost(&client, &mut web, 1).await;
    renewed(&mut web, "s-2").await;
    web.get().await.empty(405);
    web.post("tools/call").await.result(text("ok"));
    for call in calls {
        assert_eq!(said(call).await.expect("a result"), "ok");
    }
}

#[tokio::test(start_paused = true)]
async fn who_goes_away_while_a_session_is_renewed_holds_nobody_up() {
    let (client, mut web) = Web::connected("2025-06-18", Options::default()).await;
    let calls = lost(&client, &mut web, 4).await;
    let initialize = web.post("initialize").await;
    // Whoever noticed first is among these.
    let rest = calls.into_iter().enumerate().filter_map(|(at, call)| match at {
        0..3 => {
            call.abort();
            None
        }
        _ => Some(call),
    });
    let rest: Vec<_> = rest.collect();
    web.hears_nothing().await;
    assert!(!initialize.is_gone(), "initialize goes on and is not cancelled");
    initialize.result_in_session("s-2", opened("2025-06-18"));
    web.post("notifications/initialized").await.empty(202);
    web.get().await.empty(405);
    web.post("tools/call").await.result(text("ok"));
    for call in rest {
        assert_eq!(said(call).await.expect("a result"), "ok");
    }
    web.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_renewal_that_hangs_ends_with_the_budgets_of_the_calls_and_cancels_nothing() {
    let mut options = Options::default();
    options.execute_timeout = Duration::from_secs(3);
    options.read_timeout = Duration::from_secs(20);
    let (client, mut web) = Web::connected("2025-06-18", options).await;
    let calls = lost(&client, &mut web, 3).await;
    let mut initialize = web.post("initialize").await;
    for call in calls {
        let ended = said(call).await;
        assert!(matches!(ended, Err(CallError::ServerTimedOut { .. })), "{ended:?}");
    }
    assert!(!initialize.is_gone());
    // Another call waits for the same one, which has a time of its own.
    let mut calls = lost(&client, &mut web, 1).await;
    initialize.gone().await;
    let ended = said(calls.remove(0)).await;
    assert!(matches!(ended, Err(CallError::ServerTimedOut { .. })), "{ended:?}");
    web.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_new_session_is_told_what_the_old_one_knew() {
    let offer = json!({"tools": {}, "logging": {}, "resources": {"subscribe": true}});
    let (client, mut web) = Web::offering("2025-11-25", offer, Options::default()).await;
    let (level, ()) = tokio::join!(client.set_log_level(LoggingLevel::Debug), async {
        web.post("logging/setLevel").await.result(json!({}));
    });
    level.expect("it is set");
    let filter = SubscriptionFilter {
        resource_subscriptions: Some(vec!["r:1".into(), "r:2".into()]),
        ..SubscriptionFilter::default()
    };
    let (subscription, ()) = tokio::join!(client.subscribe(filter), async {
        web.post("resources/subscribe").await.result(json!({}));
        web.post("resources/subscribe").await.result(json!({}));
    });
    let mut subscription = subscription.expect("a subscription");

    let calls = lost(&client, &mut web, 3).await;
    renewed(&mut web, "s-2").await;
    let get = web.get().await;
    let level = web.post("logging/setLevel").await;
    assert_eq!(level.body["params"]["level"], "debug");
    assert_eq!(level.header("mcp-session-id"), Some("s-2"));
    level.refuse(200, json!({"code": -32601, "message": "not any more"}));
    let mut uris = Vec::new();
    for _ in 0..2 {
        let subscribe = web.post("resources/subscribe").await;
        uris.push(subscribe.body["params"]["uri"].clone());
        subscribe.result(json!({}));
    }
    uris.sort_by_key(Value::to_string);
    assert_eq!(uris, ["r:1", "r:2"]);
    for _ in 0..3 {
        web.post("tools/call").await.result(text("ok"));
    }
    for call in calls {
        said(call).await.expect("a result");
    }
    let stream = get.events();
    stream.notify("notifications/resources/updated", json!({"uri": "r:1"}));
    let change = subscription.next().await;
    assert_eq!(change, Some(codewhale_mcp_client::Change::Resource("r:1".into())));
}

#[tokio::test(start_paused = true)]
async fn a_session_that_is_slow_to_be_told_does_not_hold_calls_up_for_long() {
    let offer = json!({"tools": {}, "logging": {}});
    let (client, mut web) = Web::offering("2025-11-25", offer, Options::default()).await;
    let (level, ()) = tokio::join!(client.set_log_level(LoggingLevel::Debug), async {
        web.post("logging/setLevel").await.result(json!({}));
    });
    level.expect("it is set");
    let mut calls = lost(&client, &mut web, 1).await;
    renewed(&mut web, "s-2").await;
    web.get().await.empty(405);
    let mut hung = web.post("logging/setLevel").await;
    let begun = tokio::time::Instant::now();
    web.post("tools/call").await.result(text("ok"));
    assert!(begun.elapsed() <= Duration::from_secs(5));
    said(calls.remove(0)).await.expect("a result");
    hung.gone().await;
    web.post("notifications/cancelled").await.empty(202);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_like_initialized_may_like_what_comes_next() {
    let (client, mut web) = Web::connected("2025-06-18", Options::default()).await;
    let mut events = client.events();
    let mut calls = lost(&client, &mut web, 1).await;
    web.post("initialize").await.result_in_session("s-2", opened("2025-06-18"));
    web.post("notifications/initialized").await.empty(500);
    web.get().await.empty(405);
    web.post("tools/call").await.result(text("ok"));
    said(calls.remove(0)).await.expect("a result");
    assert!(matches!(events.ready(), Some(Event::NotDelivered { .. })));
}

#[tokio::test(start_paused = true)]
async fn a_server_may_say_in_other_words_that_it_lost_the_session() {
    let bodies: [(u16, Option<&str>, &str); 8] = [
        (404, None, ""),
        (404, Some("text/html"), "<html>gone</html>"),
        (
            404,
            Some("application/json"),
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32002,"message":"x"}}"#,
        ),
        (400, Some("application/json"), r#"{"error":"Session not found"}"#),
        (400, Some("text/plain"), "Invalid or missing session ID"),
        (
            400,
            Some("application/json"),
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}"#,
        ),
        (200, Some("text/event-stream"), "event: message\ndata: {\"error\":\"Session not found\"}\n\n"),
        (
            200,
            Some("application/json"),
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}"#,
        ),
    ];
    for (status, content_type, body) in bodies {
        let (client, mut web) = Web::connected("2025-06-18", Options::default()).await;
        let calling = call(&client);
        web.post("tools/call").await.text(status, content_type, body);
        renewed(&mut web, "s-2").await;
        web.get().await.empty(405);
        web.post("tools/call").await.text(status, content_type, body);
        // Once, and then it is told.
        let error = said(calling).await.expect_err("no result").to_string();
        assert!(error.to_lowercase().contains("session"), "{status} {body}: {error}");
        web.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_tool_may_have_sessions_of_its_own() {
    let (client, mut web) = Web::connected("2025-06-18", Options::default()).await;
    for error in [
        json!({"code": -32603, "message": "the browser session is invalid"}),
        json!({"code": -32602, "message": "unknown session 7"}),
        json!({"code": -32000, "message": "it expired"}),
    ] {
        let calling = call(&client);
        web.post("tools/call").await.refuse(200, error.clone());
        let answered = said(calling).await.expect_err("an error");
        assert!(matches!(answered, CallError::ServerError { .. }), "{error}");
        web.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_keeps_no_sessions_any_more_is_asked_again_without_one() {
    let (client, mut web) = Web::connected("2025-06-18", Options::default()).await;
    let (one, other) = (call(&client), call(&client));
    let (first, second) = (web.post("tools/call").await, web.post("tools/call").await);
    first.empty(404);
    web.post("initialize").await.result(opened("2025-06-18"));
    web.post("notifications/initialized").await.empty(202);
    web.get().await.empty(405);
    let post = web.post("tools/call").await;
    assert_eq!(post.header("mcp-session-id"), None);
    post.result(text("ok"));
    // This one hears of it later.
    second.empty(404);
    web.post("tools/call").await.result(text("ok"));
    for call in [one, other] {
        assert_eq!(said(call).await.expect("a result"), "ok");
    }
    web.hears_nothing().await;
}
