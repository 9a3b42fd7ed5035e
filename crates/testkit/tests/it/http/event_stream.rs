//! The deprecated transport, and how its endpoint can be named.

use super::client::POST;
use super::peer::{Peer, request};
use codewhale_testkit::HttpFake;
use serde_json::json;

/// Opens the stream; what its first event names.
fn open(fake: &HttpFake, path: &str) -> (Peer, String) {
    let mut peer = Peer::connect(fake.port());
    peer.send(&format!("GET {path}"), &[("Accept", "text/event-stream")], "");
    assert_eq!(peer.head().0, 200);
    let event = peer.event().unwrap();
    let endpoint = event.lines().next().unwrap().strip_prefix("event: endpoint").map(|_| ());
    assert!(endpoint.is_some(), "{event}");
    let data = event.lines().nth(1).unwrap().strip_prefix("data: ").unwrap().to_owned();
    (peer, data)
}

fn post(fake: &HttpFake, path: &str, method: &str, params: &serde_json::Value) -> u16 {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    request(fake.port(), &format!("POST {path}"), &POST, &body).status
}

const OPENING: &str =
    r#"{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t","version":"1"}}"#;

#[test]
fn everything_is_said_on_the_stream() {
    let fake = HttpFake::start("sse");
    assert!(fake.url().ends_with("/weather/sse"));
    assert_eq!(post(&fake, "/weather/sse", "initialize", &json!({})), 405);
    assert_eq!(post(&fake, "/mcp", "initialize", &json!({})), 404);
    assert_eq!(post(&HttpFake::start("sse --post 404"), "/weather/sse", "initialize", &json!({})), 404);
    let (mut stream, endpoint) = open(&fake, "/weather/sse");
    assert_eq!(endpoint, "/weather/messages?session=1");
    assert_eq!(post(&fake, &endpoint, "initialize", &serde_json::from_str(OPENING).unwrap()), 202);
    assert_eq!(stream.message().unwrap()["result"]["protocolVersion"], "2024-11-05");
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert_eq!(request(fake.port(), &format!("POST {endpoint}"), &POST, initialized).status, 202);
    let (_other, second) = open(&fake, "/weather/sse");
    assert_eq!(second, "/weather/messages?session=2");
    assert_eq!(
        post(&fake, &endpoint, "tools/call", &json!({"name": "echo", "arguments": {"text": "x"}})),
        202
    );
    assert_eq!(stream.message().unwrap()["result"]["content"][0]["text"], "x");
    fake.say(r#"{"jsonrpc":"2.0","id":"s","method":"ping"}"#);
    assert_eq!(stream.message().unwrap()["method"], "ping");
    drop(stream);
    fake.wait(|fake| fake.notes().contains(&"left SSE".to_owned()));
    assert_eq!(post(&fake, &endpoint, "ping", &json!({})), 404);
}

#[test]
fn the_endpoint_is_named_in_many_ways() {
    for (mode, wanted) in [
        ("sse-absolute", "http://127.0.0.1:PORT/weather/messages?session=1"),
        ("sse-relative", "messages?session=1"),
        ("sse-query", "?session=1"),
        ("sse-network-path", "//127.0.0.1:PORT/weather/messages?session=1"),
        ("sse-other-origin", "http://127.0.0.1:OTHER/weather/messages?session=1"),
        ("sse-other-scheme", "https://127.0.0.1:PORT/weather/messages?session=1"),
        ("sse-userinfo", "http://user:secret@127.0.0.1:PORT/weather/messages?session=1#part"),
    ] {
        let fake = HttpFake::start(mode);
        let wanted = wanted.replace("PORT", &fake.port().to_string());
        let wanted = wanted.replace("OTHER", &fake.other_port().to_string());
        assert_eq!(open(&fake, "/weather/sse").1, wanted, "{mode}");
    }
}

#[test]
fn an_endpoint_below_another_path_takes_messages() {
    let fake = HttpFake::start("sse-query");
    let (mut stream, _) = open(&fake, "/weather/sse");
    assert_eq!(post(&fake, "/weather/sse?session=1", "ping", &json!({})), 202);
    assert_eq!(stream.message().unwrap()["id"], 1);
}

#[test]
fn what_comes_to_the_other_origin_is_told_apart() {
    let fake = HttpFake::start("sse-second-endpoint");
    let (mut stream, first) = open(&fake, "/weather/sse");
    assert_eq!(first, "/weather/messages?session=1");
    let _ = stream;
    assert!(fake.elsewhere().is_empty());
    request(fake.other_port(), "POST /weather/messages?session=1", &POST, "{}");
    assert_eq!(fake.elsewhere().len(), 1);
    assert_eq!(fake.requests().len(), 2);
    stream.is_silent();
}

#[test]
fn there_may_be_no_endpoint() {
    let fake = HttpFake::start("sse-no-endpoint");
    let mut peer = Peer::connect(fake.port());
    peer.send("GET /weather/sse", &[("Accept", "text/event-stream")], "");
    assert_eq!(peer.head().0, 200);
    assert!(peer.is_silent());
}

#[test]
fn the_stream_may_end_under_a_call() {
    let fake = HttpFake::start("sse-dies");
    let (mut stream, endpoint) = open(&fake, "/weather/sse");
    assert_eq!(post(&fake, &endpoint, "ping", &json!({})), 202);
    assert_eq!(stream.message().unwrap()["id"], 1);
    assert_eq!(post(&fake, &endpoint, "tools/call", &json!({"name": "echo"})), 202);
    assert_eq!(stream.event(), None);
}

#[test]
fn a_post_may_be_refused() {
    for (mode, status) in [("sse-refuses-post", 400), ("sse-refuses-post --status 500", 500)] {
        let fake = HttpFake::start(mode);
        let (_stream, endpoint) = open(&fake, "/weather/sse");
        assert_eq!(post(&fake, &endpoint, "ping", &json!({})), 202);
        assert_eq!(post(&fake, &endpoint, "tools/call", &json!({"name": "echo"})), status);
    }
}
