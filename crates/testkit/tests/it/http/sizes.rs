//! Answers without measure.

use super::client::{ask_modern, send_modern};
use codewhale_testkit::HttpFake;
use serde_json::{Value, json};

fn echo() -> Value {
    json!({"name": "echo", "arguments": {"text": "x"}})
}

#[test]
fn so_many_bytes_come_and_then_the_answer() {
    for (mode, bytes) in [
        ("huge-json --bytes 70000", 70_000),
        ("huge-event --bytes 70000", 70_000),
        ("keep-alives --bytes 100000", 100_000),
        ("keep-alives", 10 << 20),
        ("endless-keep-alives --bytes 100000", 100_000),
    ] {
        let fake = HttpFake::start(mode);
        let answer = ask_modern(fake.port(), 1, "tools/call", echo());
        assert!(answer.is_whole && answer.body.len() > bytes, "{mode}: {}", answer.body.len());
        assert_eq!(answer.last()["result"]["content"][0]["text"], "x", "{mode}");
    }
}

#[test]
fn some_never_end_until_the_client_leaves() {
    for (mode, kind) in [
        ("huge-json", "application/json"),
        ("huge-event", "text/event-stream"),
        ("endless-keep-alives", "text/event-stream"),
    ] {
        let fake = HttpFake::start(mode);
        let mut peer = send_modern(fake.port(), 1, "tools/call", echo());
        let (_, head) = peer.head();
        assert!(head.iter().any(|line| line.ends_with(kind)), "{mode}: {head:?}");
        assert_eq!(peer.raw(8 << 20).len(), 8 << 20);
        drop(peer);
        fake.wait(|fake| fake.open_connections() == 0);
    }
}

#[test]
fn heads_and_pages_may_be_long() {
    for (mode, status) in [
        ("huge-head --bytes 100000", 200),
        ("huge-page --bytes 100000", 500),
        ("huge-head", 200),
        ("huge-page", 500),
    ] {
        let answer = ask_modern(HttpFake::start(mode).port(), 1, "tools/list", json!({}));
        let size = answer.head.iter().map(String::len).sum::<usize>() + answer.body.len();
        assert_eq!(answer.status, status, "{mode}");
        assert!(size > if mode.contains("--bytes") { 99_999 } else { 1_000_000 }, "{mode}: {size}");
    }
}
