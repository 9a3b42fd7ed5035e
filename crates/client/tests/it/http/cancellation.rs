//! What is no longer wanted: in the modern era its exchange ends, in the legacy era the server is told.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Client, Options};
use codewhale_mcp_protocol::Members;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::web::{Web, call, reply, said, text};
use super::wire::Stream;

const LEGACY: &str = "2025-11-25";
const MODERN: &str = "2026-07-28";

/// After a request was given up: a legacy server is told once, a modern one by nothing but the end.
async fn told(web: &mut Web, revision: &str, request: &Value) {
    if revision == LEGACY {
        let cancelled = web.post("notifications/cancelled").await;
        assert_eq!(cancelled.body["params"]["requestId"], request["id"]);
        assert_eq!(cancelled.body.get("id"), None);
        cancelled.empty(202);
    }
    web.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn dropping_a_call_ends_its_exchange_wherever_it_stands() {
    for revision in [LEGACY, MODERN] {
        let (client, mut web) = Web::connected(revision, Options::default()).await;
        // Before the head of the answer, and in the middle of either kind of body.
        let calling = call(&client);
        let mut post = web.post("tools/call").await;
        calling.abort();
        post.gone().await;
        told(&mut web, revision, &post.body).await;
        for content_type in ["application/json", "text/event-stream"] {
            let calling = call(&client);
            let post = web.post("tools/call").await;
            let request = post.body.clone();
            let stream = post.body_of(200, Some(content_type));
            stream.raw("{");
            web.hears_nothing().await;
            calling.abort();
            stream.gone().await;
            told(&mut web, revision, &request).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_that_was_answered_is_not_cancelled() {
    for revision in [LEGACY, MODERN] {
        let (client, mut web) = Web::connected(revision, Options::default()).await;
        let arguments = json!({});
        let mut calling = Box::pin(client.call_tool("x", &arguments).send());
        let post = tokio::select! {
            post = web.post("tools/call") => post,
            _ = &mut calling => panic!("there is no answer yet"),
        };
        let answer = reply(&post.body, text("ok"));
        let stream = post.events();
        stream.say(&answer);
        assert!(calling.as_mut().await.is_ok());
        drop(calling);
        web.hears_nothing().await;
    }
}

/// Each kind of request, given a second.
async fn ask(client: &Client, method: &str) -> Result<(), CallError> {
    let second = Duration::from_secs(1);
    let arguments = json!({});
    match method {
        "tools/call" => client.call_tool("x", &arguments).timeout(second).send().await.map(drop),
        "resources/read" => client.read_resource("r:1").timeout(second).send().await.map(drop),
        "prompts/get" => client.get_prompt("p", &Members::default()).timeout(second).send().await.map(drop),
        "tools/list" => client.list_tools_page(None).timeout(second).send().await.map(drop),
        other => panic!("{other}"),
    }
}

#[tokio::test(start_paused = true)]
async fn every_request_that_runs_out_of_time_is_given_up_and_not_sent_again() {
    for revision in [LEGACY, MODERN] {
        for method in ["tools/call", "resources/read", "prompts/get", "tools/list"] {
            let (client, mut web) = Web::connected(revision, Options::default()).await;
            let asked = client.clone();
            let asking = tokio::spawn(async move { ask(&asked, method).await });
            let mut post = web.post(method).await;
            let begun = post.at;
            post.gone().await;
            assert_eq!(begun.elapsed(), Duration::from_secs(1));
            let error = asking.await.expect("the task ends").expect_err("no answer");
            assert!(matches!(error, CallError::ServerTimedOut { .. }), "{error}");
            told(&mut web, revision, &post.body).await;
            web.hears_nothing_for(Duration::from_secs(300)).await;
            // The connection stays, and the late answer is nobody's.
            let late = post.body.clone();
            post.result(text("late"));
            let calling = call(&client);
            let post = web.post("tools/call").await;
            let stream = post.events();
            stream.say(&reply(&late, text("late")));
            drop(stream);
            said(calling).await.expect_err("another request's answer is none");
        }
    }
}

/// Calls with a limit on silence, and keeps the stream.
async fn silent(
    client: &Client,
    web: &mut Web,
) -> (tokio::task::JoinHandle<Result<(), CallError>>, Value, Stream) {
    let client = client.clone();
    let calling = tokio::spawn(async move {
        let arguments = json!({});
        let call = client.call_tool("x", &arguments).timeout(Duration::from_secs(5));
        call.idle_timeout(Duration::from_secs(2)).send().await.map(drop)
    });
    let post = web.post("tools/call").await;
    let request = post.body.clone();
    (calling, request, post.events())
}

#[tokio::test(start_paused = true)]
async fn progress_ends_silence_but_not_the_budget() {
    for revision in [LEGACY, MODERN] {
        let (client, mut web) = Web::connected(revision, Options::default()).await;
        let begun = Instant::now();
        let (calling, request, stream) = silent(&client, &mut web).await;
        let token = &request["params"]["_meta"]["progressToken"];
        for step in 0..20 {
            stream.notify("notifications/progress", json!({"progressToken": token, "progress": step}));
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        let error = calling.await.expect("the task ends").expect_err("no answer");
        assert!(matches!(error, CallError::ServerTimedOut { .. }), "{error}");
        assert!(stream.is_gone());
        told(&mut web, revision, &request).await;
        assert_eq!(begun.elapsed().as_secs(), 10);

        let begun = Instant::now();
        let (calling, request, stream) = silent(&client, &mut web).await;
        stream.gone().await;
        assert_eq!(begun.elapsed(), Duration::from_secs(2));
        let error = calling.await.expect("the task ends").expect_err("no answer");
        assert!(matches!(error, CallError::ServerSilent { .. }), "{error}");
        told(&mut web, revision, &request).await;
    }
}

#[tokio::test(start_paused = true)]
async fn comments_without_end_are_no_progress() {
    for revision in [LEGACY, MODERN] {
        let (client, mut web) = Web::connected(revision, Options::default()).await;
        let begun = Instant::now();
        let (calling, request, stream) = silent(&client, &mut web).await;
        while !stream.is_gone() {
            stream.raw(": still here\n\n");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
        let error = calling.await.expect("the task ends").expect_err("no answer");
        assert!(matches!(error, CallError::ServerSilent { .. }), "{error}");
        told(&mut web, revision, &request).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancellation_that_does_not_arrive_is_told_of_and_ends_nothing() {
    let (client, mut web) = Web::connected(LEGACY, Options::default()).await;
    let mut events = client.events();
    for status in [404, 500] {
        let calling = call(&client);
        web.post("tools/call").await.events();
        calling.abort();
        web.post("notifications/cancelled").await.empty(status);
        assert!(matches!(events.next().await, Some(codewhale_mcp_client::Event::NotDelivered { .. })));
    }
    let calling = call(&client);
    web.post("tools/call").await.result(text("ok"));
    said(calling).await.expect("a result");
    web.hears_nothing().await;
}
