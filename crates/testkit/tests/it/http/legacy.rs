//! The legacy era of Streamable HTTP at its best.

use super::client::{POST, Session};
use super::peer::{Peer, request};
use codewhale_testkit::HttpFake;
use serde_json::json;

#[test]
fn a_session_is_opened_used_and_ended() {
    for era in ["legacy", "dual"] {
        let fake = HttpFake::start(&format!("everything --era {era}"));
        let mut session = Session::open(fake.port(), "2025-06-18");
        assert_eq!(session.revision, "2025-06-18");
        assert_eq!(session.name, "session-1");
        assert!(session.ask("tools/list", json!({})).json()["result"]["tools"].is_array());
        let called = session.call("echo", json!({"text": "hi"}));
        assert_eq!(called.last()["result"]["content"][0]["text"], "hi");
        assert_eq!(called.body.lines().next(), Some("event: message"), "{}", called.body);
        assert_eq!(called.body.lines().nth(1), Some("id: 3-1"), "{}", called.body);
        assert_eq!(request(fake.port(), "DELETE /mcp", &session.headers(), "").status, 200);
        assert_eq!(session.ask("tools/list", json!({})).status, 404);
        session.name = String::new();
        assert_eq!(session.ask("tools/list", json!({})).status, 400);
        assert_eq!(fake.count("DELETE"), 1);
    }
}

#[test]
fn a_legacy_server_takes_a_probe_for_a_mistake() {
    let fake = HttpFake::start("everything --era legacy");
    let (headers, body) = super::client::modern(1, "server/discover", json!({}));
    let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let answer = request(fake.port(), "POST /mcp", &headers, &body);
    assert_eq!((answer.status, &answer.json()["error"]["code"]), (400, &json!(-32000)));
}

#[test]
fn the_newest_revision_primes_its_streams() {
    let fake = HttpFake::start("everything");
    let mut session = Session::open(fake.port(), "2025-11-25");
    let called = session.call("echo", json!({"text": "hi"}));
    assert!(called.body.starts_with("id: 2-0\ndata: \n\n"), "{}", called.body);
}

#[test]
fn a_broken_stream_is_resumed_where_it_broke() {
    let fake = HttpFake::start("everything");
    let mut session = Session::open(fake.port(), "2025-11-25");
    let arguments =
        json!({"name": "slow", "arguments": {"ms": 400, "every": 100}, "_meta": {"progressToken": 1}});
    let (id, mut peer) = session.send("tools/call", arguments);
    peer.head();
    assert_eq!(peer.event().as_deref(), Some("id: 2-0\ndata:"));
    assert!(peer.event().unwrap().contains("id: 2-1\n"));
    drop(peer);
    fake.wait(|fake| fake.notes().contains(&format!("left {id}")));
    let mut rest = session.get(Some("2-1"));
    assert_eq!(rest.head().0, 200);
    for step in 2..=4 {
        let event = rest.event().unwrap();
        assert!(event.contains(&format!("id: 2-{step}\n")), "{event}");
    }
    let answer = rest.message().unwrap();
    assert_eq!(answer["id"], id);
    assert_eq!(rest.event(), None);
    let again = session.get(Some("2-4")).answer();
    assert_eq!(again.messages(), [answer]);
    assert_eq!(session.get(Some("9-1")).head().0, 400);
}

#[test]
fn a_stream_closed_by_the_test_is_continued() {
    let fake = HttpFake::start("everything");
    let mut session = Session::open(fake.port(), "2025-11-25");
    let (id, mut peer) = session.send("tools/call", json!({"name": "slow", "arguments": {"ms": 300}}));
    peer.head();
    peer.event().unwrap();
    fake.close_streams();
    assert_eq!(peer.event(), None);
    assert_eq!(session.get(Some("2-0")).answer().last()["id"], id);
}

#[test]
fn the_server_asks_within_a_call_and_is_answered_apart() {
    let fake = HttpFake::start("strict+everything");
    let mut session = Session::open(fake.port(), "2025-11-25");
    let (id, mut peer) = session.send("tools/call", json!({"name": "ping_odd", "arguments": {}}));
    peer.head();
    for _ in 0..6 {
        let ping = peer.message().unwrap();
        assert_eq!(ping["method"], "ping");
        let pong = json!({"jsonrpc": "2.0", "id": ping["id"], "result": {}}).to_string();
        assert_eq!(session.post(&pong).answer().status, 202);
    }
    assert_eq!(peer.message().unwrap()["id"], id);
    assert_eq!(fake.violations(), Vec::<String>::new());
}

#[test]
fn what_belongs_to_no_request_comes_on_the_stream_of_the_session() {
    let fake = HttpFake::start("everything");
    let mut session = Session::open(fake.port(), "2025-06-18");
    let mut general = session.get(None);
    assert_eq!(general.head().0, 200);
    let grown = session.call("grow", json!({"what": "tools"}));
    assert_eq!(grown.messages().len(), 1, "{}", grown.body);
    assert_eq!(general.message().unwrap()["method"], "notifications/tools/list_changed");
    drop(general);
    fake.wait(|fake| fake.notes().contains(&"left GET".to_owned()));
    fake.say(r#"{"jsonrpc":"2.0","id":"s","method":"ping"}"#);
    let mut general = session.get(None);
    general.head();
    assert_eq!(general.message().unwrap()["id"], "s");
    let mut missed = session.get(Some("0-0"));
    missed.head();
    assert_eq!(missed.message().unwrap()["method"], "notifications/tools/list_changed");
    assert_eq!(general.event(), None, "there is one reader");
}

#[test]
fn a_cancelled_call_ends_without_an_answer() {
    let fake = HttpFake::start("everything");
    let mut session = Session::open(fake.port(), "2025-06-18");
    let call = json!({"name": "slow", "arguments": {"ms": 600_000, "every": 600_000}});
    let (id, mut peer) = session.send("tools/call", call);
    peer.head();
    let cancelled =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
    assert_eq!(session.post(&cancelled.to_string()).answer().status, 202);
    assert_eq!(peer.event(), None);
    assert_eq!(fake.count("notifications/cancelled"), 1);
}

#[test]
fn a_server_can_be_stopped_started_and_made_to_forget() {
    let fake = HttpFake::start("everything");
    let mut session = Session::open(fake.port(), "2025-06-18");
    fake.lose_sessions();
    assert_eq!(session.ask("tools/list", json!({})).status, 404);
    let mut peer = Peer::connect(fake.port());
    fake.wait(|fake| fake.open_connections() == 1);
    fake.stop();
    assert_eq!(peer.raw(1), b"");
    assert!(std::net::TcpStream::connect(("127.0.0.1", fake.port())).is_err());
    fake.restart();
    let body = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert_eq!(request(fake.port(), "POST /mcp", &POST, body).status, 400);
    assert_eq!(Session::open(fake.port(), "2025-06-18").name, "session-2-1", "no name comes again");
    fake.restart_as("everything --era modern");
    assert_eq!(request(fake.port(), "DELETE /mcp", &session.headers(), "").status, 405);
    fake.wait(|fake| fake.open_connections() == 0);
}

#[test]
fn a_tool_that_exits_ends_the_server() {
    let fake = HttpFake::start("everything");
    let mut session = Session::open(fake.port(), "2025-06-18");
    let (_, mut peer) = session.send("tools/call", json!({"name": "exit", "arguments": {"code": 3}}));
    assert_eq!(peer.raw(1), b"");
    fake.wait(|fake| fake.open_connections() == 0);
    fake.restart();
    Session::open(fake.port(), "2025-06-18");
}
