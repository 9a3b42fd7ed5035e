//! Event streams in all their forms.

use super::client::{Session, ask_modern};
use codewhale_testkit::HttpFake;
use serde_json::{Value, json};

const FORMS: [(&str, &str); 9] = [
    ("events-crlf", "\r\n\r\n"),
    ("events-cr", "\r\r"),
    ("events-mixed", "\r\n"),
    ("events-bom", "\u{feff}"),
    ("events-spread", "data: {\ndata: \"jsonrpc\""),
    ("events-split", "event: message\ndata: "),
    ("events-unnamed", "data:{"),
    ("events-comments", ": still here\n\nunknown: field"),
    ("events-bom+events-mixed+events-split+events-spread", "\r\ndata: "),
];

#[test]
fn every_form_says_the_same() {
    for (mode, part) in FORMS {
        let fake = HttpFake::start(mode);
        let call = json!({"name": "log", "arguments": {"n": 2, "level": "info"}, "_meta": {"io.modelcontextprotocol/logLevel": "info"}});
        let answer = ask_modern(fake.port(), 5, "tools/call", call);
        assert!(answer.body.contains(part), "{mode}: {:?}", answer.body);
        let body = answer.body.trim_start_matches('\u{feff}').to_owned();
        let read = super::peer::Answer { body, ..answer };
        let methods: Vec<Value> = read.messages().iter().map(|message| message["method"].clone()).collect();
        let skipped = usize::from(mode == "events-comments");
        assert_eq!(
            methods[skipped..],
            [json!("notifications/message"), json!("notifications/message"), Value::Null],
            "{mode}"
        );
        assert_eq!(read.last()["id"], 5, "{mode}");
        let mut session = Session::open(fake.port(), "2025-06-18");
        assert_eq!(
            session.ask("tools/list", json!({})).header("content-type"),
            Some("text/event-stream"),
            "{mode}"
        );
    }
}

#[test]
fn every_byte_may_be_a_chunk() {
    let fake = HttpFake::start("events-split");
    let mut peer = super::client::send_modern(fake.port(), 1, "tools/list", json!({}));
    peer.head();
    assert_eq!(peer.raw(12), b"1\r\ne\r\n1\r\nv\r\n");
}

#[test]
fn an_answer_may_come_in_an_array() {
    let fake = HttpFake::start("events-batch");
    let mut session = Session::open(fake.port(), "2025-11-25");
    assert_eq!(session.revision, "2025-03-26");
    let answer = session.call("echo", json!({"text": "hi"}));
    let batch = answer.last();
    assert_eq!(batch[0]["method"], "notifications/message");
    assert_eq!(batch[1]["result"]["content"][0]["text"], "hi");
    assert!(answer.is_whole);
}
