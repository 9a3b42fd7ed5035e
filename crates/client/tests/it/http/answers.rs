//! Answers in every form and every chunking, and what comes before them on their stream.

use codewhale_mcp_client::{Event, Options};
use serde_json::json;

use super::web::{Web, call, reply, said, text};

const REVISIONS: [&str; 3] = ["2025-03-26", "2025-11-25", "2026-07-28"];
const WORDS: &str = "grüß 世界 \u{1f40b} \"quoted\"\nnext";

#[tokio::test(start_paused = true)]
async fn an_answer_is_read_whatever_its_form_and_its_chunks_are() {
    for revision in REVISIONS {
        let (client, mut web) = Web::connected(revision, Options::default()).await;
        for (content_type, before, after) in [
            ("application/json", "", ""),
            ("Application/JSON; charset=utf-8", "\r\n  ", "\r\n\r\n"),
            ("text/event-stream", "data: ", "\n\n"),
            (
                "Text/Event-Stream;charset=UTF-8",
                "\u{feff}: hello\r\nid: 1\r\nretry: 5\r\ndata:\r\n\r\ndata:",
                "\r\n\r\n",
            ),
            ("text/event-stream", "event: message\rdata:", "\r\r"),
            ("text/event-stream", "event: other\ndata: {}\n\nfield: x\ndata:", "\nid: 7\n\n: bye\n\n"),
        ] {
            let mut size = 1;
            loop {
                let calling = call(&client);
                let post = web.post("tools/call").await;
                let body = format!("{before}{}{after}", reply(&post.body, text(WORDS)));
                let stream = post.body_of(200, Some(content_type));
                body.as_bytes().chunks(size).for_each(|chunk| stream.bytes(chunk));
                drop(stream);
                let words = said(calling).await.expect("a result");
                assert_eq!(words, WORDS, "{revision} {content_type} in chunks of {size}");
                if size > body.len() {
                    break;
                }
                size += if size < 12 { 1 } else { 37 };
            }
        }
        web.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_may_be_spread_over_lines() {
    let (client, mut web) = Web::connected("2025-11-25", Options::default()).await;
    let calling = call(&client);
    let post = web.post("tools/call").await;
    let pretty = serde_json::to_string_pretty(&reply(&post.body, text("ok"))).unwrap();
    let stream = post.events();
    for line in pretty.lines() {
        stream.raw(&format!("data: {line}\n"));
    }
    stream.raw("\n");
    assert_eq!(said(calling).await.expect("a result"), "ok");

    let calling = call(&client);
    let post = web.post("tools/call").await;
    let pretty = serde_json::to_string_pretty(&reply(&post.body, text("ok"))).unwrap();
    post.text(200, Some("application/json"), &pretty);
    assert_eq!(said(calling).await.expect("a result"), "ok");
}

#[tokio::test(start_paused = true)]
async fn what_belongs_to_a_request_comes_before_its_answer() {
    for revision in REVISIONS {
        let (client, mut web) = Web::connected(revision, Options::default()).await;
        let mut events = client.events();
        let mut heard = Vec::new();
        let arguments = json!({});
        let call = client
            .call_tool("x", &arguments)
            .on_progress(|progress| heard.push(progress.progress.to_string()));
        let (called, ()) = tokio::join!(call.send(), async {
            let post = web.post("tools/call").await;
            let token = post.body["params"]["_meta"]["progressToken"].clone();
            let answer = reply(&post.body, text("ok"));
            let stream = post.events();
            for progress in [1, 2, 3] {
                stream
                    .notify("notifications/progress", json!({"progressToken": token, "progress": progress}));
            }
            stream.notify("notifications/progress", json!({"progressToken": "x", "progress": 9}));
            stream.notify("notifications/message", json!({"level": "info", "data": "hello"}));
            stream.notify("notifications/tools/list_changed", json!({}));
            stream.say(&answer);
        });
        called.expect("a result");
        assert_eq!(heard, ["1", "2", "3"], "{revision}");
        assert!(matches!(events.next().await, Some(Event::Dropped { .. })), "progress of nobody");
        assert!(matches!(events.next().await, Some(Event::Message(_))));
        assert!(matches!(events.next().await, Some(Event::ToolsChanged)));
    }
}

#[tokio::test(start_paused = true)]
async fn calls_at_the_same_time_have_exchanges_of_their_own_and_are_answered_in_any_order() {
    for revision in REVISIONS {
        let (client, mut web) = Web::connected(revision, Options::default()).await;
        let calls: Vec<_> = (0..50).map(|_| call(&client)).collect();
        let mut posts = Vec::new();
        for _ in 0..calls.len() {
            posts.push(web.post("tools/call").await);
        }
        for post in posts.into_iter().rev() {
            let id = post.body["id"].to_string();
            post.result(text(&id));
        }
        let mut ids = Vec::new();
        for call in calls {
            ids.push(said(call).await.expect("a result"));
        }
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 50, "each has its own");
        web.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_in_a_body_is_taken_apart() {
    let (client, mut web) = Web::connected("2025-03-26", Options::default()).await;
    for in_events in [false, true] {
        let calling = call(&client);
        let post = web.post("tools/call").await;
        let note = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
        let batch = json!([note, reply(&post.body, text("ok"))]);
        match in_events {
            true => post.events().say(&batch),
            false => post.json(200, &batch),
        }
        assert_eq!(said(calling).await.expect("a result"), "ok");
    }
}

#[tokio::test(start_paused = true)]
async fn what_comes_after_the_answer_is_left_alone_and_holds_nothing_up() {
    let (client, mut web) = Web::connected("2025-11-25", Options::default()).await;
    let calling = call(&client);
    let post = web.post("tools/call").await;
    let answer = reply(&post.body, text("ok"));
    let stream = post.events();
    stream.say(&answer);
    assert_eq!(said(calling).await.expect("a result"), "ok");
    // The answer came again, and the stream has no end.
    stream.say(&answer);
    let before = tokio::time::Instant::now();
    stream.gone().await;
    assert!(before.elapsed().as_secs() <= 1, "nobody waits long for its end");
}
