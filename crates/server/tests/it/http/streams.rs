//! Streams of a legacy session: cut and taken up again, each by itself.

use std::time::Duration;

use codewhale_mcp_server::http::Options;
use serde_json::{Value, json};

use super::sessions::{begin, call, within};
use super::wire::{Request, Wire, ask};
use super::world::World;

const REVISION: &str = "2025-11-25";

fn options() -> Options {
    let mut options = Options::default();
    options.times.retry = Duration::from_millis(250);
    options.limits.kept_events = 4;
    options.limits.kept_streams = 2;
    options
}

fn get(session: &str) -> Request {
    Request::new("GET").with("Accept", "text/event-stream").with("MCP-Session-Id", session)
}

fn behind(session: &str, event: &str) -> Request {
    get(session).with("Last-Event-ID", event)
}

async fn open(world: &World, request: &Request) -> Wire {
    let mut wire = Wire::open(world.address).await;
    wire.send(request).await;
    let head = wire.head().await;
    assert!(head.status == 200 && head.is_stream(), "{head:?}");
    wire
}

#[tokio::test]
async fn a_stream_that_is_cut_goes_on_behind_the_last_event_that_arrived() {
    let world = World::start(options()).await;
    let session = begin(&world, REVISION).await;
    let mut wire = open(&world, &within(&session, REVISION, &call(1, "leave", json!({})))).await;
    let primed = wire.event().await.unwrap();
    assert_eq!((primed.data.as_deref(), primed.retry), (Some(""), Some(250)));
    let progress = wire.event().await.unwrap();
    assert_eq!(progress.message()["method"], "notifications/progress");
    drop(wire);
    // The request goes on meanwhile.
    world.gate.open();
    world.gate.noted("released", 1).await;
    world.gate.open();
    world.gate.noted("over", 1).await;
    // From the beginning of the stream, and from its last event; twice, since an answer may be lost again.
    for _ in 0..2 {
        let mut all = open(&world, &behind(&session, primed.id.as_deref().unwrap())).await;
        let messages = all.messages().await;
        assert_eq!((messages.len(), messages[1]["id"].as_u64()), (2, Some(1)));
        let mut rest = open(&world, &behind(&session, progress.id.as_deref().unwrap())).await;
        let messages = rest.messages().await;
        assert_eq!((messages.len(), messages[0]["id"].as_u64()), (1, Some(1)));
    }
}

#[tokio::test]
async fn a_handler_sends_its_client_away_and_answers_when_it_comes_back() {
    let world = World::start(options()).await;
    let session = begin(&world, REVISION).await;
    let mut wire = open(&world, &within(&session, REVISION, &call(1, "leave", json!({})))).await;
    let (_, progress) = (wire.event().await.unwrap(), wire.event().await.unwrap());
    world.gate.open();
    let leave = wire.event().await.unwrap();
    assert_eq!((leave.retry, leave.data), (Some(250), None));
    assert_eq!(wire.event().await, None);
    let mut back = open(&world, &behind(&session, progress.id.as_deref().unwrap())).await;
    world.gate.noted("released", 1).await;
    world.gate.open();
    assert_eq!(back.messages().await[0]["result"]["content"][0]["text"], "it came back");
}

#[tokio::test]
async fn what_is_not_kept_or_not_this_sessions_cannot_be_taken_up() {
    let world = World::start(options()).await;
    let session = begin(&world, REVISION).await;
    let steps = call(1, "steps", json!({ "count": 10, "size": 1 }));
    let mut wire = open(&world, &within(&session, REVISION, &steps)).await;
    let first = wire.event().await.unwrap().id.unwrap();
    let messages = wire.messages().await;
    assert_eq!(messages.len(), 11);
    let stream = first.split_once('-').unwrap().0.to_owned();
    let last = format!("{stream}-11");
    assert!(open(&world, &behind(&session, &last)).await.messages().await.is_empty());
    let other = begin(&world, REVISION).await;
    let rows = [
        ("too long ago", behind(&session, &first)),
        ("never said", behind(&session, &format!("{stream}-12"))),
        ("no such stream", behind(&session, "77-1")),
        ("no event", behind(&session, "x")),
        ("too large", behind(&session, &format!("{stream}-{}", u64::MAX))),
        ("of another session", behind(&other, &last)),
    ];
    for (what, request) in rows {
        let answer = ask(world.address, &request).await;
        assert_eq!((answer.head.status, answer.code()), (400, -32600), "{what}");
    }
    // Answers that need no stream take the place of none.
    for id in 10..15 {
        let echo = within(&session, REVISION, &call(id, "echo", json!({ "text": "x" })));
        assert_eq!(ask(world.address, &echo).await.head.header("content-type"), Some("application/json"));
    }
    open(&world, &behind(&session, &last)).await;
    // Two more streams come to their end, and the first of them is forgotten.
    for id in 2..4 {
        let steps = call(id, "steps", json!({ "count": 1, "size": 1 }));
        open(&world, &within(&session, REVISION, &steps)).await.messages().await;
    }
    assert_eq!(ask(world.address, &behind(&session, &last)).await.head.status, 400);
}

#[tokio::test]
async fn what_the_server_says_by_itself_comes_once_on_one_stream() {
    let world = World::start(options()).await;
    let session = begin(&world, REVISION).await;
    let method = |message: &Value| message["method"].as_str().unwrap().to_owned();
    let mut wire = open(&world, &get(&session)).await;
    let primed = wire.event().await.unwrap();
    assert_eq!(primed.data.as_deref(), Some(""));
    world.server.changes().tools();
    let tools = wire.event().await.unwrap();
    assert_eq!(method(&tools.message()), "notifications/tools/list_changed");
    // Another one takes its place, and hears nothing again.
    let mut second = open(&world, &get(&session)).await;
    assert_eq!(second.event().await.unwrap().data.as_deref(), Some(""));
    assert_eq!(wire.event().await, None);
    world.server.changes().prompts();
    let prompts = second.event().await.unwrap();
    assert_eq!(method(&prompts.message()), "notifications/prompts/list_changed");
    drop(second);
    // What was said while nobody listened is kept.
    world.server.changes().resources();
    let mut third = open(&world, &behind(&session, tools.id.as_deref().unwrap())).await;
    let said =
        [third.event().await.unwrap(), third.event().await.unwrap()].map(|event| method(&event.message()));
    assert_eq!(said, ["notifications/prompts/list_changed", "notifications/resources/list_changed"]);
}

#[tokio::test]
async fn earlier_revisions_are_not_given_events_without_a_message() {
    let world = World::start(options()).await;
    let session = begin(&world, "2025-06-18").await;
    let steps = call(1, "steps", json!({ "count": 1, "size": 1 }));
    let mut wire = open(&world, &within(&session, "2025-06-18", &steps)).await;
    let first = wire.event().await.unwrap();
    assert_eq!(first.message()["method"], "notifications/progress");
    assert!(first.id.is_some());
}
