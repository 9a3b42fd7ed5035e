//! Readers that take nothing: what is said to them waits, within bounds, and in the end they are let go.

use std::time::Duration;

use codewhale_mcp_server::http::Options;
use serde_json::json;

use super::sessions::{begin, call, within};
use super::wire::{Request, Wire};
use super::world::World;

/// More than a connection and everything before it holds.
const STEPS: u32 = 400;
const SIZE: usize = 64 << 10;

#[tokio::test]
async fn who_has_something_to_say_waits_for_a_reader_and_goes_on_with_it() {
    let world = World::start(Options::default()).await;
    let params = json!({
        "name": "steps", "arguments": { "count": STEPS, "size": SIZE }, "_meta": { "progressToken": 1 },
    });
    let modern = Request::modern(1, "tools/call", params);
    let session = begin(&world, "2025-11-25").await;
    let legacy = within(&session, "2025-11-25", &call(1, "steps", json!({ "count": STEPS, "size": SIZE })));
    for (request, runs) in [(modern, 1), (legacy, 2)] {
        let before = world.gate.count("step");
        let mut wire = Wire::open(world.address).await;
        wire.send(&request).await;
        assert!(wire.head().await.is_stream());
        world.gate.noted("step", before + 1).await;
        // Another client is not held up, and while it is served the first one comes no further than the bounds.
        let echo = Request::call(2, "echo", json!({ "text": "x" }));
        for _ in 0..20 {
            assert_eq!(super::wire::ask(world.address, &echo).await.head.status, 200);
        }
        assert!(world.gate.count("step") - before < STEPS as usize, "it waits");
        assert_eq!(wire.messages().await.len(), STEPS as usize + 1);
        world.gate.noted("over", runs).await;
    }
}

#[tokio::test]
async fn a_reader_that_takes_nothing_for_too_long_is_let_go() {
    let mut options = Options::default();
    options.times.stall = Duration::from_millis(200);
    let world = World::start(options).await;
    let params = json!({
        "name": "steps", "arguments": { "count": STEPS, "size": SIZE }, "_meta": { "progressToken": 1 },
    });
    let mut wire = Wire::open(world.address).await;
    wire.send(&Request::modern(1, "tools/call", params)).await;
    world.gate.noted("dropped", 1).await;
    assert_eq!(world.gate.count("over"), 0);
}

#[tokio::test]
async fn a_head_or_a_body_that_does_not_come_is_not_waited_for() {
    let mut options = Options::default();
    options.times.head = Duration::from_millis(200);
    options.times.body = Duration::from_millis(200);
    let world = World::start(options).await;
    let mut head = Wire::open(world.address).await;
    head.write(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-").await;
    assert!(head.is_closed().await);
    let mut silent = Wire::open(world.address).await;
    assert!(silent.is_closed().await);
    let mut body = Wire::open(world.address).await;
    body.send(&Request::call(1, "echo", json!({ "text": "x" })).with("Content-Length", "100000")).await;
    assert_eq!(body.head().await.status, 408);
}

#[tokio::test]
async fn a_stream_that_is_silent_shows_that_it_is_alive() {
    let mut options = Options::default();
    options.times.patience = Duration::from_millis(50);
    options.times.keep_alive = Duration::from_millis(50);
    let world = World::start(options).await;
    let mut wire = Wire::open(world.address).await;
    wire.send(&Request::call(1, "wait", json!({}))).await;
    assert!(wire.head().await.is_stream());
    for _ in 0..2 {
        assert_eq!(wire.chunk().await.as_deref(), Some(&b":\n\n"[..]));
    }
    world.gate.open();
    assert_eq!(wire.event().await.unwrap().message()["id"], 1);
    assert_eq!(wire.event().await, None);
}
