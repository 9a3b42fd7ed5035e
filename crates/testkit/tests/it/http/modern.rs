//! The modern era at its best.

use super::client::{POST, ask_modern, modern, send_modern};
use super::peer::{Answer, Peer, request};
use codewhale_testkit::HttpFake;
use serde_json::{Value, json};

fn code(answer: &Answer) -> Value {
    answer.json()["error"]["code"].clone()
}

#[test]
fn requests_stand_alone() {
    let fake = HttpFake::start("everything --era modern");
    let found = ask_modern(fake.port(), 1, "server/discover", json!({}));
    assert_eq!(found.status, 200);
    assert_eq!(found.header("content-type"), Some("application/json"));
    assert_eq!(found.header("mcp-session-id"), None);
    assert_eq!(found.json()["result"]["supportedVersions"], json!(["2026-07-28"]));
    let called =
        ask_modern(fake.port(), 1, "tools/call", json!({"name": "echo", "arguments": {"text": "hi"}}));
    assert_eq!(called.header("content-type"), Some("text/event-stream"));
    assert!(called.is_whole);
    assert_eq!(called.messages().len(), 1);
    assert_eq!(called.last()["result"]["content"][0]["text"], "hi");
    assert!(!called.body.contains("id: "), "{}", called.body);
    assert_eq!(fake.violations(), Vec::<String>::new());
    assert_eq!(fake.count("tools/call"), 1);
}

#[test]
fn answers_come_in_json_or_in_events() {
    for (flags, kind) in [("--answers json", "application/json"), ("--answers events", "text/event-stream")] {
        let fake = HttpFake::start(&format!("everything {flags}"));
        for (method, params) in
            [("tools/list", json!({})), ("tools/call", json!({"name": "log", "arguments": {"n": 2}}))]
        {
            let answer = ask_modern(fake.port(), 1, method, params);
            assert_eq!(answer.header("content-type"), Some(kind), "{method}");
            assert_eq!(answer.last()["id"], 1);
        }
    }
}

#[test]
fn what_is_wrong_has_a_status() {
    let fake = HttpFake::start("everything");
    let port = fake.port();
    let unknown = ask_modern(port, 1, "no/such", json!({}));
    assert_eq!((unknown.status, code(&unknown)), (404, json!(-32601)));
    let (headers, body) = modern(2, "tools/list", json!({}));
    let with = |change: (&str, Option<&str>)| {
        let kept = headers.iter().filter(|(name, _)| *name != change.0);
        let mut kept: Vec<_> = kept.map(|(name, value)| (*name, value.as_str())).collect();
        kept.extend(change.1.map(|value| (change.0, value)));
        request(port, "POST /mcp", &kept, &body)
    };
    for change in [
        ("Mcp-Method", None),
        ("Mcp-Method", Some("tools/call")),
        ("Mcp-Method", Some("TOOLS/LIST")),
        ("Mcp-Name", Some("echo")),
        ("MCP-Protocol-Version", None),
        ("MCP-Protocol-Version", Some("2025-11-25")),
    ] {
        let answer = with(change);
        assert_eq!((answer.status, code(&answer)), (400, json!(-32020)), "{change:?}");
    }
    let old = body.replace("2026-07-28", "2027-01-01");
    let old_headers: Vec<_> = headers
        .iter()
        .map(|(name, value)| (*name, if value == "2026-07-28" { "2027-01-01" } else { value.as_str() }))
        .collect();
    let answer = request(port, "POST /mcp", &old_headers, &old);
    assert_eq!((answer.status, code(&answer)), (400, json!(-32022)));
    assert_eq!(answer.json()["error"]["data"]["supported"], json!(["2026-07-28"]));
}

#[test]
fn names_are_read_out_of_their_wrapping() {
    let fake = HttpFake::start("everything");
    let (mut headers, body) = modern(1, "resources/read", json!({"uri": "text://漢字"}));
    let name = headers.iter_mut().find(|(name, _)| *name == "Mcp-Name").unwrap();
    name.1 = "=?base64?dGV4dDovL+a8ouWtlw==?=".to_owned();
    let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let answer = request(fake.port(), "POST /mcp", &headers, &body);
    assert_eq!(answer.last()["result"]["contents"][0]["text"], "漢字");
    let plain = ask_modern(fake.port(), 1, "resources/read", json!({"uri": "text://漢字"}));
    assert_eq!(plain.status, 400);
    assert_eq!(fake.violations(), ["Mcp-Name is not uri"]);
}

#[test]
fn a_client_that_leaves_has_cancelled() {
    let fake = HttpFake::start("everything --era modern");
    let call = json!({"name": "slow", "arguments": {"ms": 600_000, "every": 600_000}});
    let first = send_modern(fake.port(), 3, "tools/call", call.clone());
    let other = send_modern(fake.port(), 3, "tools/call", call);
    fake.wait(|fake| fake.count("tools/call") == 2);
    assert_eq!(fake.open_connections(), 2);
    drop(first);
    fake.wait(|fake| fake.notes().contains(&"left 3".to_owned()));
    fake.wait(|fake| fake.open_connections() == 1);
    drop(other);
    fake.wait(|fake| fake.open_connections() == 0);
    assert_eq!(fake.notes().iter().filter(|note| *note == "left 3").count(), 2);
}

#[test]
fn subscriptions_are_streams() {
    let fake = HttpFake::start("everything --era modern");
    let port = fake.port();
    let filter = json!({"notifications": {"toolsListChanged": true}});
    let mut one = send_modern(port, 7, "subscriptions/listen", filter.clone());
    let mut two = send_modern(port, 7, "subscriptions/listen", json!({"notifications": {}}));
    for peer in [&mut one, &mut two] {
        assert_eq!(peer.head().0, 200);
        let first = peer.message().unwrap();
        assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
        assert_eq!(first["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 7);
    }
    let grown = ask_modern(port, 8, "tools/call", json!({"name": "grow", "arguments": {"what": "tools"}}));
    assert_eq!(grown.messages().len(), 1, "{}", grown.body);
    assert_eq!(one.message().unwrap()["method"], "notifications/tools/list_changed");
    assert!(two.is_silent());
    drop(two);
    fake.wait(|fake| fake.notes().contains(&"left 7".to_owned()));
    ask_modern(port, 9, "tools/call", json!({"name": "end_listen", "arguments": {"how": "result"}}));
    assert_eq!(one.message().unwrap()["id"], 7);
    assert_eq!(one.event(), None);
}

#[test]
fn what_has_no_place_is_a_violation() {
    let fake = HttpFake::start("everything --era modern");
    let port = fake.port();
    assert_eq!(request(port, "GET /mcp", &[("Accept", "text/event-stream")], "").status, 405);
    assert_eq!(request(port, "DELETE /mcp", &[], "").status, 405);
    let cancelled = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    assert_eq!(request(port, "POST /mcp", &POST, cancelled).status, 202);
    assert_eq!(request(port, "POST /mcp", &POST, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).status, 202);
    assert_eq!(fake.violations().len(), 4, "{:?}", fake.violations());
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
    let refused = request(port, "POST /mcp", &POST, initialize);
    assert_eq!((refused.status, code(&refused)), (404, json!(-32601)));
    assert_eq!(refused.json()["error"]["data"]["supported"], json!(["2026-07-28"]));
}

#[test]
fn connections_are_kept_and_answers_told_apart() {
    let fake = HttpFake::start("everything");
    let mut peer = Peer::connect(fake.port());
    for id in 1..4 {
        let (headers, body) = modern(id, "tools/list", json!({}));
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        peer.send("POST /mcp", &headers, &body);
        assert_eq!(peer.answer().json()["id"], id);
    }
    assert_eq!(fake.connections(), 1);
    assert!(fake.requests().iter().all(|request| request.connection == 1));
}
