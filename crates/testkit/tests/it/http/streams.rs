//! Streams that break off, stall, or have to be fetched.

use super::client::{Session, ask_modern, send_modern};
use codewhale_testkit::HttpFake;
use serde_json::{Value, json};

fn echo() -> Value {
    json!({"name": "echo", "arguments": {"text": "x"}})
}

#[test]
fn an_answer_is_cut_at_any_byte() {
    let mut whole = Vec::new();
    let fake = HttpFake::start("everything");
    let mut peer = send_modern(fake.port(), 1, "tools/call", echo());
    while !whole.ends_with(b"0\r\n\r\n") {
        whole.extend(peer.raw(1));
    }
    for bytes in (0..whole.len()).step_by(7) {
        let fake = HttpFake::start(&format!("cut --bytes {bytes} --at tools/call"));
        assert_eq!(ask_modern(fake.port(), 1, "tools/list", json!({})).status, 200);
        let mut peer = send_modern(fake.port(), 1, "tools/call", echo());
        assert_eq!(peer.raw(whole.len()), whole[..bytes], "{bytes}");
    }
    let fake = HttpFake::start(&format!("cut --bytes {}", whole.len()));
    assert!(ask_modern(fake.port(), 1, "tools/call", echo()).is_whole);
    let fake = HttpFake::start("cut --as-asked --retry 20");
    let asks = json!({"name": "echo", "arguments": {"text": "x", "cut": 100}});
    assert_eq!(send_modern(fake.port(), 1, "tools/call", asks).raw(whole.len()), whole[..100]);
    assert!(ask_modern(fake.port(), 1, "tools/call", echo()).is_whole);
}

#[test]
fn a_stream_may_end_without_its_answer() {
    let fake = HttpFake::start("no-answer");
    let lost = ask_modern(fake.port(), 1, "tools/call", echo());
    assert!(lost.status == 200 && lost.is_whole && lost.messages().is_empty());
    let fake = HttpFake::start("no-answer --at tools/list");
    assert!(ask_modern(fake.port(), 1, "tools/list", json!({})).messages().is_empty());
    assert_eq!(ask_modern(fake.port(), 1, "tools/call", echo()).messages().len(), 1);
}

#[test]
fn a_broken_stream_can_be_resumed_when_it_has_ids() {
    let fake = HttpFake::start("broken-stream");
    let mut session = Session::open(fake.port(), "2025-11-25");
    let broken = session.call("echo", json!({"text": "x"}));
    assert!(!broken.is_whole && broken.body.contains("id: 2-0"), "{broken:?}");
    assert_eq!(session.get(Some("2-0")).answer().last()["result"]["content"][0]["text"], "x");
    let fake = HttpFake::start("no-event-ids");
    let mut session = Session::open(fake.port(), "2025-11-25");
    let broken = session.call("echo", json!({"text": "x"}));
    assert!(!broken.is_whole && !broken.body.contains("id:"), "{broken:?}");
}

#[test]
fn an_answer_is_to_be_fetched() {
    for (mode, retry) in [("polling", "retry: 50\n"), ("polling --retry 7", "retry: 7\n")] {
        let fake = HttpFake::start(mode);
        let mut session = Session::open(fake.port(), "2025-11-25");
        let primed = session.call("echo", json!({"text": "x"}));
        assert!(primed.is_whole && primed.messages().is_empty(), "{primed:?}");
        assert!(primed.body.contains("id: 2-0\n") && primed.body.contains(retry), "{primed:?}");
        let fetched = session.get(Some("2-0")).answer();
        assert_eq!(fetched.last()["result"]["content"][0]["text"], "x");
        assert_eq!(fake.count("tools/call"), 1);
    }
}

#[test]
fn an_answer_may_never_be_fetched() {
    let fake = HttpFake::start("polling-never --retry 1");
    let mut session = Session::open(fake.port(), "2025-11-25");
    let mut answer = session.call("echo", json!({"text": "x"}));
    for _ in 0..3 {
        assert!(answer.is_whole && answer.messages().is_empty() && answer.body.contains("id: 2-0\n"));
        answer = session.get(Some("2-0")).answer();
    }
    for (mode, status) in [("resume-refused", 405), ("resume-refused --status 404 --retry 1", 404)] {
        let fake = HttpFake::start(mode);
        let mut session = Session::open(fake.port(), "2025-11-25");
        assert!(session.call("echo", json!({"text": "x"})).messages().is_empty());
        assert_eq!(session.get(Some("2-0")).answer().status, status);
        assert_eq!(session.get(None).head().0, 200);
    }
}

#[test]
fn an_answer_may_come_twice() {
    let fake = HttpFake::start("answer-twice");
    let answer = ask_modern(fake.port(), 1, "tools/call", echo());
    let ids: Vec<Value> = answer.messages().iter().map(|message| message["id"].clone()).collect();
    assert_eq!(ids, [1, 1]);
}

#[test]
fn a_server_may_stall() {
    for mode in ["silent", "silent --at tools/call", "stalled-head", "stalled-head --at tools/call"] {
        let fake = HttpFake::start(mode);
        let mut peer = send_modern(fake.port(), 1, "tools/call", echo());
        fake.wait(|fake| fake.count("tools/call") == 1);
        assert!(peer.is_silent(), "{mode}");
        drop(peer);
        fake.wait(|fake| fake.open_connections() == 0);
        if mode != "silent" {
            assert_eq!(ask_modern(fake.port(), 1, "tools/list", json!({})).status, 200);
        }
    }
    for mode in ["stalled-body", "stalled-body --at tools/call"] {
        let fake = HttpFake::start(mode);
        let mut peer = send_modern(fake.port(), 1, "tools/call", echo());
        assert_eq!(peer.head().0, 200);
        assert!(peer.is_silent(), "{mode}");
        fake.stop();
        assert_eq!(peer.raw(1), b"");
    }
}

#[test]
fn a_legacy_call_may_be_answered_on_the_stream_of_the_session() {
    let fake = HttpFake::start("answer-on-get");
    let mut session = Session::open(fake.port(), "2025-11-25");
    let mut general = session.get(None);
    general.head();
    let answer = session.call("echo", json!({"text": "x"}));
    assert_eq!((answer.status, answer.body.as_str()), (202, ""));
    assert_eq!(general.message().unwrap()["result"]["content"][0]["text"], "x");
}

#[test]
fn a_modern_server_may_do_what_only_old_ones_do() {
    let fake = HttpFake::start("modern-asks");
    let answer = ask_modern(fake.port(), 1, "tools/call", echo());
    assert_eq!(answer.messages()[0]["method"], "ping");
    assert_eq!(answer.last()["id"], 1);
    let fake = HttpFake::start("session-modern");
    let answer = ask_modern(fake.port(), 1, "tools/call", echo());
    assert_eq!(answer.header("mcp-session-id"), Some("modern-session"));
    assert!(answer.body.contains("id: odd-1") && answer.body.contains("retry: 1\n"), "{answer:?}");
}

#[test]
fn a_list_grows_for_those_who_listen() {
    let fake = HttpFake::start("list-changed");
    let tools = |id| {
        let listed = ask_modern(fake.port(), id, "tools/list", json!({})).json();
        listed["result"]["tools"].as_array().unwrap().len()
    };
    let before = tools(1);
    let filter = json!({"notifications": {"toolsListChanged": true}});
    let mut stream = send_modern(fake.port(), 2, "subscriptions/listen", filter);
    stream.head();
    assert_eq!(stream.message().unwrap()["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(stream.message().unwrap()["method"], "notifications/tools/list_changed");
    assert_eq!(tools(3), before + 1);
}
