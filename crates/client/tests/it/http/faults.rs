//! Answers that are none: what is said of them, and that they are the fault of one request only.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Options};
use codewhale_mcp_transport::ExchangeError;
use serde_json::json;

use super::web::{Web, call, reply, said, text};

const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];

#[tokio::test(start_paused = true)]
async fn what_came_instead_of_an_answer_is_told_with_its_status_and_a_short_part_of_it() {
    let long = "x".repeat(100_000);
    let cut = "x".repeat(300);
    let table = [
        (
            502,
            Some("text/html"),
            "<html>\n  <b>Bad\tGateway</b>\n",
            "status 502: <html> <b>Bad Gateway</b>".to_owned(),
        ),
        (500, None, "", "status 500".to_owned()),
        (403, Some("text/plain"), "go \u{1b}[2Jaway", "status 403: go \\u{1b}[2Jaway".to_owned()),
        (500, Some("text/plain"), &long, format!("status 500: {cut}")),
        (500, Some("application/json"), r#"{"detail":"x"}"#, r#"status 500: {"detail":"x"}"#.to_owned()),
        (
            400,
            Some("application/json"),
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"what?"}}"#,
            "status 400: what? (code -32600)".to_owned(),
        ),
        (302, None, "", "status 302".to_owned()),
        (
            200,
            Some("text/html; charset=utf-8"),
            "<html>",
            "a body of type text/html; charset=utf-8: <html>".to_owned(),
        ),
        (
            200,
            None,
            r#"{"jsonrpc":"2.0"}"#,
            r#"a body of type that is not named: {"jsonrpc":"2.0"}"#.to_owned(),
        ),
        (200, Some("text/html"), "", "status 200 without an answer".to_owned()),
        (200, None, "", "status 200 without an answer".to_owned()),
        (204, None, "", "status 204 without an answer".to_owned()),
        (200, Some("application/json"), "", "status 200 without an answer".to_owned()),
        (200, Some("text/event-stream"), "", "status 200 without an answer".to_owned()),
        (
            200,
            Some("text/event-stream"),
            ": hello\n\nevent: bye\ndata: 1\n\n",
            "status 200 without an answer".to_owned(),
        ),
        (200, Some("application/json"), "[1]", "the server broke off its answer".to_owned()),
        (200, Some("application/json"), r#"{"ok":true}"#, r#"status 200: {"ok":true}"#.to_owned()),
        (200, Some("text/event-stream"), "data: oh no\n\n", "status 200: oh no".to_owned()),
        (
            200,
            Some("application/json"),
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"what?"}}"#,
            "status 200: what? (code -32600)".to_owned(),
        ),
        (
            200,
            Some("application/json"),
            r#"{"jsonrpc":"2.0","id":424242,"result":{}}"#,
            "the server broke off its answer".to_owned(),
        ),
    ];
    for revision in REVISIONS {
        let (client, mut web) = Web::connected(revision, Options::default()).await;
        for (status, content_type, body, expected) in &table {
            let calling = call(&client);
            web.post("tools/call").await.text(*status, *content_type, body);
            let error = said(calling).await.expect_err("no result").to_string();
            let expected = match expected.starts_with("the server") {
                true => format!("no answer to tools/call: {expected}"),
                false => format!("no answer to tools/call: the server answered with {expected}"),
            };
            assert_eq!(error, expected, "{revision}");
        }
        let calling = call(&client);
        web.post("tools/call").await.result(text("ok"));
        assert_eq!(said(calling).await.expect("the connection stays"), "ok");
        web.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_that_names_the_request_is_its_answer_whatever_the_status() {
    for revision in REVISIONS {
        let (client, mut web) = Web::connected(revision, Options::default()).await;
        for status in [200, 400, 403, 405, 429, 500] {
            for id in ["number", "text"] {
                let calling = call(&client);
                let post = web.post("tools/call").await;
                let id = match id {
                    "text" => json!(post.body["id"].to_string()),
                    _ => post.body["id"].clone(),
                };
                let error = json!({"code": -32602, "message": "no such tool"});
                post.json(status, &json!({"jsonrpc": "2.0", "id": id, "error": error}));
                let answered = said(calling).await.expect_err("an error");
                assert!(
                    matches!(&answered, CallError::ServerError { error, .. } if error.code == -32602),
                    "{answered}"
                );
            }
        }
        web.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_goes_on_after_a_refusal_is_not_waited_for() {
    let (client, mut web) = Web::connected("2025-11-25", Options::default()).await;
    for (status, content_type) in [(500, "text/html"), (500, "text/event-stream"), (200, "text/html")] {
        let calling = call(&client);
        let begun = tokio::time::Instant::now();
        let stream = web.post("tools/call").await.body_of(status, Some(content_type));
        stream.raw("<html>");
        let error = said(calling).await.expect_err("no result").to_string();
        assert!(error.ends_with(": <html>"), "{error}");
        assert!(begun.elapsed() <= Duration::from_secs(1));
        stream.gone().await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_over_the_limit_fails_its_call_alone() {
    for revision in REVISIONS {
        let mut options = Options::default();
        options.message_limit = 10_000;
        let (client, mut web) = Web::connected(revision, options).await;
        for content_type in ["application/json", "text/event-stream"] {
            let other = call(&client);
            let waiting = web.post("tools/call").await;
            let calling = call(&client);
            let post = web.post("tools/call").await;
            let answer = reply(&post.body, text(&"x".repeat(20_000))).to_string();
            let stream = post.body_of(200, Some(content_type));
            if content_type == "text/event-stream" {
                stream.raw("id: 1\ndata:\n\ndata: ");
            }
            answer.as_bytes().chunks(1000).for_each(|chunk| stream.bytes(chunk));
            let error = said(calling).await.expect_err("no result").to_string();
            assert!(error.contains("has more than 10000 bytes"), "{error}");
            assert!(stream.is_gone());
            waiting.result(text("ok"));
            assert_eq!(said(other).await.expect("a result"), "ok");
            if revision == "2025-11-25" {
                web.hears_nothing_for(Duration::from_secs(60)).await;
            }
        }
        assert!(client.gone().is_none());
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_not_reached_or_wants_a_login_fails_one_call() {
    let (client, mut web) = Web::connected("2025-11-25", Options::default()).await;
    let unreachable = ExchangeError::Unreachable { host: "h:1".into(), reason: "refused".into() };
    for (error, words) in [
        (unreachable, "cannot reach h:1: refused"),
        (ExchangeError::LoginNeeded { challenges: Vec::new() }, "the server asks for a login"),
    ] {
        let calling = call(&client);
        web.post("tools/call").await.fail(error);
        let error = said(calling).await.expect_err("no result").to_string();
        assert_eq!(error, format!("no answer to tools/call: {words}"));
    }
    let calling = call(&client);
    web.post("tools/call").await.empty(401);
    let error = said(calling).await.expect_err("no result").to_string();
    assert_eq!(error, "no answer to tools/call: the server asks for a login");
    web.hears_nothing().await;
    assert!(client.gone().is_none());
}
