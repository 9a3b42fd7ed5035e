//! Methods, types, sizes and whatever is no message.

use codewhale_mcp_server::http::{Legacy, Options};
use serde_json::json;

use super::wire::{MODERN, Request, ask};
use super::world::World;

fn list() -> Request {
    Request::modern(1, "tools/list", json!({}))
}

#[tokio::test]
async fn methods_that_an_era_does_not_have_are_refused_with_those_it_has() {
    let world = World::start(Options::default()).await;
    let mut modern_only = Options::default();
    modern_only.legacy = Legacy::Refused;
    let modern_only = World::start(modern_only).await;
    let all = "POST, GET, DELETE";
    let rows = [
        (&world, Request::new("PUT"), all),
        (&world, Request::new("OPTIONS"), all),
        (&world, Request::new("HEAD"), all),
        (&world, Request::new("GET").with("MCP-Protocol-Version", MODERN), "POST"),
        (&world, Request::new("DELETE").with("MCP-Protocol-Version", MODERN), "POST"),
        (&modern_only, Request::new("GET"), "POST"),
        (&modern_only, Request::new("DELETE").with("MCP-Session-Id", "x"), "POST"),
    ];
    for (world, request, allowed) in rows {
        let mut wire = super::wire::Wire::open(world.address).await;
        wire.send(&request).await;
        let head = wire.head().await;
        assert_eq!((head.status, head.header("allow")), (405, Some(allowed)), "{request:?}");
    }
    let refused = ask(modern_only.address, &Request::initialize("2025-11-25")).await;
    assert_eq!((refused.head.status, refused.code()), (400, -32022));
    let data = &refused.json()["error"]["data"];
    assert_eq!(data, &json!({ "supported": ["2026-07-28"], "requested": "2025-11-25" }));
    let elsewhere = ask(world.address, &list().line("POST /other HTTP/1.1")).await;
    assert_eq!(elsewhere.head.status, 404);
    let with_query = ask(world.address, &list().line("POST /mcp?x=1 HTTP/1.1")).await;
    assert_eq!(with_query.head.status, 200);
}

#[tokio::test]
async fn a_message_is_json_and_both_kinds_of_answers_are_taken() {
    let world = World::start(Options::default()).await;
    let types = [
        ("application/json", 200),
        ("Application/JSON; charset=utf-8", 200),
        ("application/json;charset=\"UTF-8\"", 200),
        ("application/json; charset=latin1", 415),
        ("text/plain", 415),
        ("application/jsonl", 415),
        ("", 415),
    ];
    for (media, status) in types {
        let answer = ask(world.address, &list().with("Content-Type", media)).await;
        assert_eq!(answer.head.status, status, "{media:?}");
    }
    assert_eq!(ask(world.address, &list().without("Content-Type")).await.head.status, 415);
    let accepts = [
        ("application/json, text/event-stream", 200),
        ("text/event-stream;q=0.5,application/json", 200),
        ("*/*", 200),
        ("application/*, text/*", 200),
        ("application/json", 406),
        ("text/event-stream", 406),
        ("application/json, text/event-stream;q=0", 406),
        ("*/*, text/event-stream; q=0.0", 406),
        ("text/html", 406),
    ];
    for (accept, status) in accepts {
        let answer = ask(world.address, &list().with("Accept", accept)).await;
        assert_eq!(answer.head.status, status, "{accept:?}");
    }
    assert_eq!(ask(world.address, &list().without("Accept")).await.head.status, 200);
    let in_two = list().with("Accept", "application/json").and("Accept", "text/event-stream");
    assert_eq!(ask(world.address, &in_two).await.head.status, 200);
}

#[tokio::test]
async fn what_is_no_message_is_refused_under_its_id_where_it_has_one() {
    let world = World::start(Options::default()).await;
    let rows = [
        ("{", -32700, None),
        ("", -32700, None),
        ("[]", -32600, None),
        (r#"{"id":7}"#, -32600, Some(7)),
        (r#"{"jsonrpc":"1.0","id":7,"method":"tools/list"}"#, -32600, Some(7)),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}"#, -32600, Some(7)),
    ];
    for (body, code, id) in rows {
        let answer = ask(world.address, &list().body(body)).await;
        assert_eq!((answer.head.status, answer.code()), (400, code), "{body:?}: {answer:?}");
        assert_eq!(answer.json()["id"].as_i64(), id, "{body:?}");
    }
}

#[tokio::test]
async fn what_is_too_large_is_refused_before_it_is_held() {
    let mut options = Options::default();
    options.limits.body = 1000;
    options.limits.head = 16 << 10;
    options.limits.headers = 20;
    let world = World::start(options).await;
    let fits = Request::call(1, "echo", json!({ "text": "x".repeat(500) }));
    assert_eq!(ask(world.address, &fits).await.head.status, 200);
    let too_long = Request::call(1, "echo", json!({ "text": "x".repeat(1000) }));
    assert_eq!(ask(world.address, &too_long).await.head.status, 413);
    // It is refused for what it says it will send, and nothing of that has to come.
    let announced = list().body("").with("Content-Length", "1000000000");
    assert_eq!(ask(world.address, &announced).await.head.status, 413);
    let chunks = list().body(format!("7d0\r\n{}\r\n0\r\n\r\n", " ".repeat(2000)));
    let chunked = chunks.with("Transfer-Encoding", "chunked").with("Content-Length", "");
    let chunked = chunked.without("Content-Length");
    let mut wire = super::wire::Wire::open(world.address).await;
    wire.write(&without_length(&chunked)).await;
    assert_eq!(wire.head().await.status, 413);
    let long_head = list().with("X-Long", &"x".repeat(20 << 10));
    assert_eq!(ask(world.address, &long_head).await.head.status, 431);
    let many = (0..30).fold(list(), |request, at| request.with(&format!("X-{at}"), "x"));
    assert_eq!(ask(world.address, &many).await.head.status, 431);
}

#[tokio::test]
async fn a_head_may_be_as_long_as_the_bound_says_and_not_a_byte_longer() {
    let mut options = Options::default();
    options.limits.head = 64 << 10;
    let world = World::start(options).await;
    let head = |request: &Request| {
        let bytes = request.bytes();
        bytes.windows(4).position(|end| end == b"\r\n\r\n").expect("a head has an end") + 4
    };
    let padding = (64 << 10) - head(&list().with("X-Long", ""));
    for (more, status) in [(0, 200), (1, 431), (5000, 431)] {
        let request = list().with("X-Long", &"x".repeat(padding + more));
        assert_eq!(head(&request), (64 << 10) + more);
        assert_eq!(ask(world.address, &request).await.head.status, status, "{more} more");
    }
}

/// Without the length that a body usually has.
fn without_length(request: &Request) -> Vec<u8> {
    let text = String::from_utf8(request.bytes()).expect("it is text");
    let line = text.lines().find(|line| line.starts_with("Content-Length")).map(|line| format!("{line}\r\n"));
    line.map_or(text.clone(), |line| text.replace(&line, "")).into_bytes()
}
