//! What a server asks of us, and what it is told.

use codewhale_mcp_protocol::ClientCapabilities;
use codewhale_mcp_session::{Pen, Settings};
use serde_json::json;

use crate::drive::Drive;

/// A client that can do everything.
fn able() -> Settings {
    let capabilities = ClientCapabilities {
        roots: Some(Default::default()),
        sampling: Some(Default::default()),
        elicitation: Some(Default::default()),
        ..ClientCapabilities::default()
    };
    Settings { capabilities, ..Settings::default() }
}

fn request(id: &str, method: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"a":1}}}}"#)
}

#[test]
fn a_legacy_server_is_given_what_was_declared_and_declined_the_rest() {
    let check = |settings: Settings, method: &str, said: &str, sent: &serde_json::Value| {
        let mut drive = Drive::ready_with("2025-11-25", settings);
        assert_eq!(drive.say(&request("\"7\"", method)), said, "{method}");
        assert_eq!(drive.sent.first().unwrap_or(&serde_json::Value::Null), sent, "{method}");
    };
    let declined =
        json!({"jsonrpc": "2.0", "id": "7", "error": {"code": -32601, "message": "Method not found"}});
    for method in ["roots/list", "sampling/createMessage", "elicitation/create"] {
        check(able(), method, &format!("asked {method} \"7\" {{\"a\":1}}"), &serde_json::Value::Null);
        check(Settings::default(), method, "handled", &declined);
    }
    check(able(), "tools/list", "handled", &declined);
    check(able(), "ping", "handled", &json!({"jsonrpc": "2.0", "id": "7", "result": {}}));
}

#[test]
fn nothing_but_a_ping_is_answered_before_a_session_is_open() {
    let mut drive = Drive::new(able());
    drive.open();
    drive.sent.clear();
    assert_eq!(drive.say(&request("1", "roots/list")), "handled");
    assert_eq!(drive.sent[0]["error"]["code"], -32601);
    assert_eq!(drive.say(&request("\"p\"", "ping")), "handled");
    assert_eq!(drive.sent[1], json!({"jsonrpc": "2.0", "id": "p", "result": {}}));
}

#[test]
fn an_answer_is_wanted_once_and_not_after_its_cancellation() {
    let mut drive = Drive::ready_with("2025-06-18", able());
    drive.say(&request("5", "roots/list"));
    let ask = drive.ask.unwrap();
    assert!(drive.session.answer(ask));
    assert!(!drive.session.answer(ask), "an answer is given once");
    drive.say(&request("\"5\"", "sampling/createMessage"));
    let cancel = |id: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":"r"}}}}"#
        )
    };
    let unknown = "ignored: a cancellation of no open request";
    assert_eq!(drive.say(&cancel("5")), unknown, "the id's type counts");
    assert_eq!(drive.say(&cancel("\"5\"")), "ask cancelled");
    assert_eq!(drive.say(&cancel("\"5\"")), unknown);
    assert_eq!(drive.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#), unknown);
    assert!(!drive.session.answer(drive.ask.unwrap()), "the server does not want it any more");
}

#[test]
fn a_server_that_asks_too_much_at_once_is_told_so() {
    let mut settings = able();
    settings.limits.asks = 2;
    let mut drive = Drive::ready_with("2025-06-18", settings);
    for id in ["1", "2"] {
        assert!(drive.say(&request(id, "roots/list")).starts_with("asked"));
    }
    assert_eq!(drive.say(&request("3", "roots/list")), "handled");
    assert_eq!((&drive.sent[0]["id"], &drive.sent[0]["error"]["code"]), (&json!(3), &json!(-32603)));
    drive.session.answer(drive.ask.unwrap());
    assert!(drive.say(&request("4", "roots/list")).starts_with("asked"));
}

#[test]
fn a_modern_server_asks_nothing_and_is_not_answered() {
    let mut drive = Drive::ready_with("2026-07-28", able());
    for method in ["roots/list", "ping"] {
        assert_eq!(drive.say(&request("1", method)), "ignored: a request from a modern server");
    }
    assert!(drive.sent.is_empty());
}

#[test]
fn answers_carry_the_id_as_it_came() {
    let mut frame = b"before".to_vec();
    Pen::result("9007199254740993", &json!({"action": "accept"}), &mut frame).unwrap();
    Pen::error("\"a-b\"", -1, "the person \"declined\"", &mut frame);
    assert_eq!(
        String::from_utf8(frame).unwrap(),
        "before{\"jsonrpc\":\"2.0\",\"id\":9007199254740993,\"result\":{\"action\":\"accept\"}}\n\
         {\"jsonrpc\":\"2.0\",\"id\":\"a-b\",\"error\":{\"code\":-1,\"message\":\"the person \\\"declined\\\"\"}}\n"
    );
}
