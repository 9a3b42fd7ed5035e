//! A server that holds a client to the rules of headers.

use super::client::{POST, Session, ask_modern};
use super::peer::request;
use codewhale_testkit::HttpFake;
use serde_json::json;

const OPENING: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;

#[test]
fn who_keeps_the_rules_breaks_none() {
    let fake = HttpFake::start("strict");
    assert_eq!(ask_modern(fake.port(), 1, "server/discover", json!({})).status, 200);
    for revision in ["2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut session = Session::open(fake.port(), revision);
        assert_eq!(session.ask("tools/list", json!({})).status, 200, "{revision}");
        assert_eq!(session.get(None).head().0, 200);
        assert_eq!(request(fake.port(), "DELETE /mcp", &session.headers(), "").status, 200);
    }
    assert_eq!(fake.violations(), Vec::<String>::new());
}

#[test]
fn every_broken_rule_is_told() {
    let fake = HttpFake::start("strict");
    let session = Session::open(fake.port(), "2025-11-25");
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let (kind, accept) = (POST[0], POST[1]);
    let (version, name) = (("MCP-Protocol-Version", "2025-11-25"), ("MCP-Session-Id", session.name.as_str()));
    let older = ("MCP-Protocol-Version", "2025-06-18");
    let wrong = [
        (415, "Content-Type", vec![("Content-Type", "application/json; charset=utf-8"), accept], OPENING),
        (406, "Accept", vec![kind, ("Accept", "application/json")], OPENING),
        (400, "MCP-Protocol-Version has no place", vec![kind, accept, version], OPENING),
        (400, "MCP-Session-Id has no place", vec![kind, accept, name], OPENING),
        (400, "MCP-Protocol-Version is missing", vec![kind, accept, name], list),
        (400, "2025-11-25 was agreed on", vec![kind, accept, name, older], list),
        (400, "MCP-Protocol-Version is 1", vec![kind, accept, name, ("MCP-Protocol-Version", "1")], list),
        (400, "mcp-session-id is there twice", vec![kind, accept, name, name, version], list),
    ];
    for (count, (status, fault, headers, body)) in wrong.into_iter().enumerate() {
        let answer = request(fake.port(), "POST /mcp", &headers, body);
        assert_eq!(answer.status, status, "{fault}");
        assert!(answer.body.contains(fault), "{fault}: {answer:?}");
        assert_eq!(fake.violations().len(), count + 1, "{fault}");
    }
    let get = [name, version, ("Accept", "application/json, text/event-stream")];
    assert_eq!(request(fake.port(), "GET /mcp", &get, "").status, 406);
}

#[test]
fn messages_are_held_to_their_rules_as_well() {
    let fake = HttpFake::start("strict");
    let mut session = Session::open(fake.port(), "2025-11-25");
    let refused = session.ask("no/such", json!({}));
    assert_eq!(refused.json()["error"]["code"], -32600);
    assert_eq!(fake.violations().len(), 1, "{:?}", fake.violations());
}
