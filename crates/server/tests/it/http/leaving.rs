//! The end of a server: what is under way comes to its end, what would never end is ended.

use std::time::Duration;

use codewhale_mcp_server::http::Options;
use serde_json::json;
use tokio::net::TcpStream;

use super::sessions::{begin, call, within};
use super::wire::{Request, Wire};
use super::world::World;

#[tokio::test]
async fn what_is_under_way_is_answered_and_streams_are_ended() {
    let mut world = World::start(Options::default()).await;
    let session = begin(&world, "2025-11-25").await;
    let mut listening = Wire::open(world.address).await;
    let params = json!({ "notifications": { "toolsListChanged": true } });
    listening.send(&Request::modern(1, "subscriptions/listen", params)).await;
    assert!(listening.event_after_head().await.message()["method"].is_string());
    let mut hearing = Wire::open(world.address).await;
    hearing
        .send(&Request::new("GET").with("Accept", "text/event-stream").with("MCP-Session-Id", &session))
        .await;
    assert_eq!(hearing.event_after_head().await.data.as_deref(), Some(""));
    let mut modern = Wire::open(world.address).await;
    modern.send(&Request::call(2, "wait", json!({}))).await;
    let mut legacy = Wire::open(world.address).await;
    legacy.send(&within(&session, "2025-11-25", &call(3, "wait", json!({})))).await;
    let mut idle = Wire::open(world.address).await;
    idle.send(&Request::call(4, "echo", json!({ "text": "x" }))).await;
    assert_eq!(idle.answer().await.head.status, 200);
    world.gate.noted("begun", 2).await;

    world.shutdown.take().unwrap().send(()).unwrap();
    assert!(listening.messages().await[0]["result"].is_object());
    assert!(hearing.messages().await.is_empty());
    assert!(idle.is_closed().await);
    assert!(TcpStream::connect(world.address).await.is_err());
    world.gate.open();
    world.gate.noted("over", 1).await;
    world.gate.open();
    for wire in [&mut modern, &mut legacy] {
        assert_eq!(wire.answer().await.json()["result"]["content"][0]["text"], "the gate was open");
    }
    (&mut world.listening).await.unwrap().unwrap();
}

#[tokio::test]
async fn what_does_not_come_to_its_end_is_not_waited_for_longer_than_it_was_said() {
    let mut options = Options::default();
    options.times.drain = Duration::from_millis(100);
    let mut world = World::start(options).await;
    let session = begin(&world, "2025-11-25").await;
    let mut modern = Wire::open(world.address).await;
    modern.send(&Request::call(1, "wait", json!({}))).await;
    let mut legacy = Wire::open(world.address).await;
    legacy.send(&within(&session, "2025-11-25", &call(2, "wait", json!({})))).await;
    world.gate.noted("begun", 2).await;
    world.shutdown.take().unwrap().send(()).unwrap();
    (&mut world.listening).await.unwrap().unwrap();
    world.gate.noted("dropped", 2).await;
    assert_eq!(world.gate.count("over"), 0);
}
