//! Too much at one time is refused with a reason, and nothing else is lost for it.

use codewhale_mcp_server::http::Options;
use serde_json::json;

use super::sessions::{begin, call, within};
use super::wire::{Request, Wire, ask};
use super::world::World;

#[tokio::test]
async fn requests_beyond_the_bound_are_told_to_come_back() {
    let mut options = Options::default();
    options.limits.in_flight = 2;
    let world = World::start(options).await;
    let session = begin(&world, "2025-11-25").await;
    let wait = Request::call(1, "wait", json!({}));
    let mut waiting = Vec::new();
    for at in 1..=2 {
        let mut wire = Wire::open(world.address).await;
        wire.send(&wait).await;
        world.gate.noted("begun", at).await;
        waiting.push(wire);
    }
    let echo = Request::call(7, "echo", json!({ "text": "x" }));
    let legacy = within(&session, "2025-11-25", &call(7, "echo", json!({ "text": "x" })));
    for request in [&echo, &legacy] {
        let refused = ask(world.address, request).await;
        assert_eq!((refused.head.status, refused.head.header("retry-after")), (503, Some("1")));
        assert_eq!((refused.json()["id"].as_u64(), refused.code()), (Some(7), -32603));
    }
    world.gate.open();
    assert_eq!(waiting.remove(0).answer().await.head.status, 200);
    assert_eq!(ask(world.address, &echo).await.head.status, 200);
    // One that leaves makes room too.
    drop(waiting);
    world.gate.noted("dropped", 1).await;
}

#[tokio::test]
async fn a_session_has_a_bound_of_its_own_and_its_number_has_one() {
    let mut options = Options::default();
    options.limits.in_flight_of_session = 1;
    options.limits.sessions = 2;
    let world = World::start(options).await;
    let (one, other) = (begin(&world, "2025-11-25").await, begin(&world, "2025-11-25").await);
    let mut wire = Wire::open(world.address).await;
    wire.send(&within(&one, "2025-11-25", &call(1, "wait", json!({})))).await;
    world.gate.noted("begun", 1).await;
    let echo = |session: &str| within(session, "2025-11-25", &call(2, "echo", json!({ "text": "x" })));
    let refused = ask(world.address, &echo(&one)).await;
    assert_eq!((refused.head.status, refused.head.header("retry-after")), (429, Some("1")));
    assert_eq!(ask(world.address, &echo(&other)).await.head.status, 200);

    let third = ask(world.address, &Request::initialize("2025-11-25")).await;
    assert_eq!((third.head.status, third.head.header("mcp-session-id")), (503, None));
    let end = Request::new("DELETE").with("MCP-Session-Id", &other);
    assert_eq!(ask(world.address, &end).await.head.status, 204);
    begin(&world, "2025-11-25").await;
}

#[tokio::test]
async fn a_batch_counts_as_all_its_messages() {
    let mut options = Options::default();
    options.limits.in_flight_of_session = 2;
    let world = World::start(options).await;
    let revision = "2025-03-26";
    let session = begin(&world, revision).await;
    let batch = |count: u64| json!((1..=count).map(|id| call(id, "wait", json!({}))).collect::<Vec<_>>());
    let refused = ask(world.address, &within(&session, revision, &batch(3))).await;
    assert_eq!((refused.head.status, refused.code()), (400, -32600));
    let mut wire = Wire::open(world.address).await;
    wire.send(&within(&session, revision, &batch(2))).await;
    world.gate.noted("begun", 2).await;
    let echo = within(&session, revision, &call(9, "echo", json!({ "text": "x" })));
    assert_eq!(ask(world.address, &echo).await.head.status, 429);
}

#[tokio::test]
async fn a_session_whose_client_never_got_ready_makes_way_for_another() {
    let mut options = Options::default();
    options.limits.sessions = 2;
    let world = World::start(options).await;
    let revision = "2025-11-25";
    let ready = begin(&world, revision).await;
    let mut names = Vec::new();
    for _ in 0..3 {
        let opened = ask(world.address, &Request::initialize(revision)).await;
        assert_eq!(opened.head.status, 200);
        names.push(opened.head.header("mcp-session-id").expect("it has a name").to_owned());
    }
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    for (name, status) in [(&names[0], 404), (&names[1], 404), (&names[2], 200), (&ready, 200)] {
        assert_eq!(ask(world.address, &within(name, revision, &ping)).await.head.status, status);
    }
}

#[tokio::test]
async fn subscriptions_have_a_bound_and_take_no_room_of_requests() {
    let mut options = Options::default();
    options.limits.listens = 1;
    options.limits.in_flight = 1;
    let world = World::start(options).await;
    let listen =
        Request::modern(1, "subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } }));
    let mut wire = Wire::open(world.address).await;
    wire.send(&listen).await;
    assert!(wire.event_after_head().await.message()["method"].is_string());
    assert_eq!(ask(world.address, &listen).await.head.status, 503);
    let echo = Request::call(2, "echo", json!({ "text": "x" }));
    assert_eq!(ask(world.address, &echo).await.head.status, 200);
}

#[tokio::test]
async fn connections_beyond_the_bound_wait_for_room() {
    let mut options = Options::default();
    options.limits.connections = 1;
    let world = World::start(options).await;
    let echo = Request::call(1, "echo", json!({ "text": "x" }));
    let mut first = Wire::open(world.address).await;
    first.send(&echo).await;
    assert_eq!(first.answer().await.head.status, 200);
    let mut second = Wire::open(world.address).await;
    second.send(&echo).await;
    first.send(&echo).await;
    assert_eq!(first.answer().await.head.status, 200);
    drop(first);
    assert_eq!(second.answer().await.head.status, 200);
}

#[tokio::test]
async fn bodies_that_are_being_read_have_a_bound_together() {
    let mut options = Options::default();
    options.limits.body = 256 << 10;
    options.limits.bodies = 256 << 10;
    let world = World::start(options).await;
    let large = Request::call(1, "echo", json!({ "text": "x".repeat(240 << 10) }));
    let small = Request::call(2, "echo", json!({ "text": "x" }));
    // What is announced and does not come takes no room.
    let mut silent = Vec::new();
    for _ in 0..16 {
        let mut wire = Wire::open(world.address).await;
        let bytes = large.bytes();
        let head = bytes.windows(4).position(|end| end == b"\r\n\r\n").expect("it has a head") + 4;
        wire.write(&bytes[..head]).await;
        silent.push(wire);
    }
    assert_eq!(ask(world.address, &large).await.head.status, 200);
    let (bytes, mut slow) = (large.bytes(), Vec::new());
    // Each has come but for one byte, and one of them finds no room.
    for _ in 0..2 {
        let mut wire = Wire::open(world.address).await;
        wire.write(&bytes[..bytes.len() - 1]).await;
        slow.push(wire);
    }
    assert_eq!(ask(world.address, &small).await.head.status, 200);
    let mut statuses = Vec::new();
    let (mut one, mut other) = (slow.remove(0), slow.remove(0));
    tokio::select! {
        head = one.head() => {
            statuses.push((head.status, head.header("retry-after").map(ToOwned::to_owned)));
            other.write(&bytes[bytes.len() - 1..]).await;
            statuses.push((other.answer().await.head.status, None));
        }
        head = other.head() => {
            statuses.push((head.status, head.header("retry-after").map(ToOwned::to_owned)));
            one.write(&bytes[bytes.len() - 1..]).await;
            statuses.push((one.answer().await.head.status, None));
        }
    }
    assert_eq!(statuses, [(503, Some("1".to_owned())), (200, None)]);
    assert_eq!(ask(world.address, &large).await.head.status, 200);
}
