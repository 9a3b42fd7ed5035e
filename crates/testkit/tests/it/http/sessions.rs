//! Sessions that get lost, and the stream that need not be there.

use super::client::{POST, Session};
use super::peer::request;
use codewhale_testkit::HttpFake;
use serde_json::json;

#[test]
fn a_session_is_lost_once() {
    for (mode, status, body) in [
        ("session-lost-404 --body gone", 404, "gone"),
        ("session-lost-404", 404, ""),
        ("session-lost-400", 400, "No valid session ID"),
        ("session-lost-400 --after 2 --body nothing", 400, "nothing"),
        ("session-lost-200 --after 2", 200, r#"data: {"error":"Session not found"}"#),
        ("session-lost-200 --body {}", 200, "data: {}"),
    ] {
        let fake = HttpFake::start(mode);
        let mut session = Session::open(fake.port(), "2025-11-25");
        assert!(session.ask("tools/list", json!({})).last()["result"].is_object(), "{mode}");
        for _ in 0..2 {
            let lost = session.ask("tools/list", json!({}));
            assert_eq!(lost.status, status, "{mode}");
            assert!(lost.body.contains(body) && lost.body.is_empty() == body.is_empty(), "{mode}: {lost:?}");
        }
        let mut session = Session::open(fake.port(), "2025-11-25");
        for _ in 0..4 {
            assert!(session.ask("tools/list", json!({})).last()["result"].is_object(), "{mode}");
        }
    }
}

#[test]
fn every_session_is_lost() {
    for mode in [
        "session-lost-404 --after 1 --always",
        "session-lost-400 --always --after 1",
        "session-lost-200 --always --after 1",
    ] {
        let fake = HttpFake::start(mode);
        for _ in 0..3 {
            let mut session = Session::open(fake.port(), "2025-11-25");
            assert!(session.ask("tools/list", json!({})).last()["result"].is_null(), "{mode}");
        }
    }
}

#[test]
fn there_may_be_no_session_or_an_odd_one() {
    let fake = HttpFake::start("session-none");
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    assert!(request(fake.port(), "POST /mcp", &POST, list).json()["result"].is_object());
    let mut session = Session::open(fake.port(), "2025-06-18");
    assert_eq!(session.name, "");
    assert_eq!(session.call("echo", json!({"text": "x"})).last()["result"]["content"][0]["text"], "x");
    assert_eq!(session.get(None).head().0, 405);
    let fake = HttpFake::start("session-odd");
    assert_eq!(Session::open(fake.port(), "2025-06-18").name, "session 1 naïve");
}

#[test]
fn the_stream_of_a_session_need_not_be_there() {
    for (mode, status) in [("get-404", 404), ("get-405", 405), ("get-406", 406), ("get-400", 400)] {
        let fake = HttpFake::start(mode);
        let mut session = Session::open(fake.port(), "2025-06-18");
        assert_eq!(session.get(None).answer().status, status);
        assert_eq!(session.ask("tools/list", json!({})).status, 200, "{mode}");
        assert_eq!(fake.count("GET"), 1);
    }
    for (mode, body) in [("get-ends", "retry: 1\n\n"), ("get-ends --retry 9", "retry: 9\n\n")] {
        let session = Session::open(HttpFake::start(mode).port(), "2025-06-18");
        let _ = session;
        let fake = HttpFake::start(mode);
        let answer = Session::open(fake.port(), "2025-06-18").get(None).answer();
        assert_eq!((answer.status, answer.body.as_str()), (200, body));
        assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    }
}
