//! From nothing to a session: what statuses lead to, what waits for what, and what a failure says.

use std::time::Duration;

use codewhale_mcp_client::{ConnectCause, EraChoice, Event, ExchangeFault, Observer, Options};
use codewhale_mcp_protocol::Era;
use codewhale_mcp_transport::ExchangeError;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::web::{Got, Web, call, said, text};

fn opened() -> Value {
    json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}})
}

#[tokio::test(start_paused = true)]
async fn whatever_a_legacy_server_says_to_the_probe_the_handshake_follows() {
    let answers: [fn(Got); 14] = [
        |got| got.empty(400),
        |got| got.empty(404),
        |got| got.empty(405),
        |got| got.empty(406),
        |got| got.text(404, Some("text/html"), "<html>"),
        |got| got.text(400, Some("text/plain"), "Missing session ID"),
        |got| got.refuse(400, json!({"code": -32000, "message": "Bad Request: Server not initialized"})),
        |got| got.refuse(400, json!({"code": -32600, "message": "no"})),
        |got| got.refuse(200, json!({"code": -32601, "message": "no"})),
        |got| got.refuse(404, json!({"code": -32601, "message": "no"})),
        |got| {
            got.json(
                400,
                &json!({"jsonrpc": "2.0", "id": "server-error", "error": {"code": -32602, "message": "no"}}),
            )
        },
        |got| got.json(200, &json!({"error": "not initialized"})),
        |got| got.text(200, Some("text/html"), "<html>"),
        |got| got.empty(202),
    ];
    for answer in answers {
        let (connecting, mut web) = Web::connecting(Options::default());
        answer(web.post("server/discover").await);
        web.post("initialize").await.result(opened());
        web.post("notifications/initialized").await.empty(202);
        let client = connecting.await.expect("the task ends").expect("a client");
        assert_eq!(client.memory().era, Some(Era::Legacy));
        assert!(!client.memory().event_stream);
    }
}

#[tokio::test(start_paused = true)]
async fn a_modern_server_that_speaks_another_revision_first_is_asked_once_more() {
    let (connecting, mut web) = Web::connecting(Options::default());
    let data = json!({"supported": ["2026-07-28"], "requested": "2026-07-28"});
    web.post("server/discover").await.refuse(400, json!({"code": -32022, "message": "no", "data": data}));
    let probe = web.post("server/discover").await;
    assert_eq!(probe.header("mcp-protocol-version"), Some("2026-07-28"));
    probe.result(json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}));
    let client = connecting.await.expect("the task ends").expect("a client");
    // So is it later, also where it did not get as far as the id.
    for id in [true, false] {
        let calling = call(&client);
        let post = web.post("tools/call").await;
        let error = json!({"code": -32022, "message": "no", "data": data});
        match id {
            true => post.refuse(400, error),
            false => post.json(400, &json!({"jsonrpc": "2.0", "id": null, "error": error})),
        }
        web.post("tools/call").await.result(text("ok"));
        said(calling).await.expect("a result");
    }
    web.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn nothing_is_asked_before_initialized_was_taken() {
    let answers: [fn(Got); 6] = [
        |got| got.empty(202),
        |got| got.empty(200),
        |got| got.empty(204),
        |got| got.text(200, Some("application/json"), "{}"),
        |got| got.empty(400),
        |got| got.empty(500),
    ];
    for (at, answer) in answers.into_iter().enumerate() {
        let (observer, mut events) = Observer::new(16);
        let mut options = Options::default();
        options.observer = Some(observer);
        let (connecting, mut web) = Web::connecting(options);
        web.post("server/discover").await.empty(400);
        web.post("initialize").await.result_in_session("s-1", opened());
        let initialized = web.post("notifications/initialized").await;
        web.hears_nothing_for(Duration::from_secs(10)).await;
        assert!(!connecting.is_finished());
        answer(initialized);
        let client = connecting.await.expect("the task ends").expect("a client");
        let refused = matches!(events.ready(), Some(Event::NotDelivered { .. }));
        assert_eq!(refused, at >= 4, "a refusal is told of");
        web.get().await.empty(405);
        let calling = call(&client);
        web.post("tools/call").await.result(text("ok"));
        said(calling).await.expect("a result");
    }
}

#[tokio::test(start_paused = true)]
async fn the_body_of_the_answer_to_initialized_is_not_waited_for() {
    let (connecting, mut web) = Web::connecting(Options::default());
    web.post("server/discover").await.empty(400);
    web.post("initialize").await.result(opened());
    let begun = Instant::now();
    let stream = web.post("notifications/initialized").await.events();
    connecting.await.expect("the task ends").expect("a client");
    assert_eq!(begun.elapsed(), Duration::ZERO);
    stream.gone().await;
}

/// Why connecting failed.
async fn failure(script: impl AsyncFnOnce(&mut Web), options: Options) -> ConnectCause {
    let (connecting, mut web) = Web::connecting(options);
    script(&mut web).await;
    let cause = connecting.await.expect("the task ends").expect_err("no client").cause;
    web.hears_nothing_for(Duration::from_secs(60)).await;
    cause
}

#[tokio::test(start_paused = true)]
async fn a_login_that_is_needed_or_a_server_that_is_not_reached_is_told_as_such() {
    let steps = ["server/discover", "initialize", "notifications/initialized"];
    for step in 0..3 {
        let script = async move |web: &mut Web, last: &dyn Fn(Got)| {
            for (at, method) in steps.into_iter().enumerate() {
                let post = web.post(method).await;
                match at {
                    _ if at == step => return last(post),
                    0 => post.empty(400),
                    _ => post.result(opened()),
                }
            }
        };
        let cause = failure(async |web| script(web, &|post| post.empty(401)).await, Options::default()).await;
        assert!(
            matches!(&cause, ConnectCause::Exchange(ExchangeFault::LoginNeeded { .. })),
            "{step}: {cause}"
        );
        let needed = || ExchangeError::LoginNeeded { challenges: vec!["Bearer".into()] };
        let cause =
            failure(async |web| script(web, &|post| post.fail(needed())).await, Options::default()).await;
        let ConnectCause::Exchange(ExchangeFault::LoginNeeded { challenges }) = cause else {
            panic!("{cause}")
        };
        assert_eq!(challenges, ["Bearer"]);
        let refused = || ExchangeError::Unreachable { host: "h:1".into(), reason: "refused".into() };
        let cause =
            failure(async |web| script(web, &|post| post.fail(refused())).await, Options::default()).await;
        assert_eq!(cause.to_string(), "cannot reach h:1: refused");
    }
}

#[tokio::test(start_paused = true)]
async fn what_says_nothing_of_eras_fails_without_another_try() {
    for status in [403, 408, 429, 500, 503] {
        let script =
            async |web: &mut Web| web.post("server/discover").await.text(status, Some("text/html"), "<html>");
        let cause = failure(script, Options::default()).await;
        assert_eq!(
            cause.to_string(),
            format!("the server turned down POST server/discover: status {status}: <html>")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn silence_ends_connecting_in_its_time_and_ends_the_exchange() {
    for step in ["server/discover", "initialize", "notifications/initialized"] {
        let begun = Instant::now();
        let (connecting, mut web) = Web::connecting(Options::default());
        let mut post = web.post("server/discover").await;
        if step != "server/discover" {
            post.empty(400);
            post = web.post("initialize").await;
        }
        if step == "notifications/initialized" {
            post.result(opened());
            post = web.post(step).await;
        }
        let error = connecting.await.expect("the task ends").expect_err("no client");
        assert!(matches!(error.cause, ConnectCause::TimedOut { .. }), "{error}");
        assert_eq!(begun.elapsed().as_secs(), 30);
        post.gone().await;
        // Nothing of the handshake is cancelled in words.
        web.hears_nothing_for(Duration::from_secs(60)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn dropping_a_client_that_connects_ends_its_exchange() {
    for step in ["server/discover", "initialize"] {
        let (connecting, mut web) = Web::connecting(Options::default());
        let mut post = web.post("server/discover").await;
        if step == "initialize" {
            post.empty(400);
            post = web.post(step).await;
        }
        connecting.abort();
        post.gone().await;
        web.hears_nothing_for(Duration::from_secs(60)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_chosen_or_remembered_era_saves_the_probe() {
    let mut options = Options::default();
    options.era = EraChoice::Legacy;
    let (connecting, mut web) = Web::connecting(options.clone());
    web.post("initialize").await.result(opened());
    web.post("notifications/initialized").await.empty(202);
    let memory = connecting.await.expect("the task ends").expect("a client").memory();
    options.era = EraChoice::Auto;
    options.memory = memory;
    let (connecting, mut web) = Web::connecting(options);
    web.post("initialize").await.result(opened());
    web.post("notifications/initialized").await.empty(202);
    connecting.await.expect("the task ends").expect("a client");
}
