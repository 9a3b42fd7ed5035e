//! What servers say to a modern probe.

use super::client::{POST, Session, ask_modern};
use super::peer::request;
use codewhale_testkit::HttpFake;
use serde_json::json;

#[test]
fn legacy_servers_answer_a_probe_in_many_ways() {
    for (mode, status, code, body) in [
        ("probe-400-empty", 400, None, ""),
        ("probe-400-server", 400, Some(-32000), "not initialized"),
        ("probe-400-request", 400, Some(-32600), "Missing session ID"),
        ("probe-400-params", 400, Some(-32602), "initialize first"),
        ("probe-404-html", 404, None, "<html>"),
        ("probe-405", 405, None, ""),
        ("probe-406", 406, Some(-32000), "Not Acceptable"),
        ("probe-200-method", 200, Some(-32601), r#""id":4,"#),
        ("probe-404-method", 404, Some(-32601), r#""id":4,"#),
        ("probe-200-params", 200, Some(-32602), r#""id":4,"#),
        ("probe-200-result", 200, None, r#""id":4,"result":{}"#),
        ("probe-202", 202, None, ""),
    ] {
        let fake = HttpFake::start(mode);
        let answer = ask_modern(fake.port(), 4, "server/discover", json!({}));
        assert_eq!(answer.status, status, "{mode}");
        assert!(
            answer.body.contains(body) && answer.body.is_empty() == body.is_empty(),
            "{mode}: {answer:?}"
        );
        assert_eq!(answer.json()["error"]["code"].as_i64(), code, "{mode}");
        let mut session = Session::open(fake.port(), "2025-11-25");
        assert!(session.ask("tools/list", json!({})).last()["result"]["tools"].is_array(), "{mode}");
    }
}

#[test]
fn a_version_is_refused_once_and_listed() {
    for (mode, method) in
        [("version-refused-once", "server/discover"), ("version-refused-once --at tools/list", "tools/list")]
    {
        let fake = HttpFake::start(mode);
        let first = ask_modern(fake.port(), 1, method, json!({}));
        assert_eq!((first.status, &first.json()["error"]["code"]), (400, &json!(-32022)), "{mode}");
        let data = json!({"supported": ["2026-07-28"], "requested": "2026-07-28"});
        assert_eq!(first.json()["error"]["data"], data);
        assert!(ask_modern(fake.port(), 2, method, json!({})).json()["result"].is_object(), "{mode}");
    }
}

#[test]
fn a_version_is_refused_for_good() {
    for (mode, supported) in [
        ("version-unknown", json!(["2026-10-01"])),
        ("version-without-data", json!(null)),
        ("version-legacy-only", json!(["2025-11-25", "2025-06-18"])),
    ] {
        let fake = HttpFake::start(mode);
        for id in 1..3 {
            let answer = ask_modern(fake.port(), id, "server/discover", json!({}));
            assert_eq!((answer.status, &answer.json()["error"]["code"]), (400, &json!(-32022)), "{mode}");
            assert_eq!(answer.json()["error"]["data"]["supported"], supported, "{mode}");
        }
    }
    Session::open(HttpFake::start("version-legacy-only").port(), "2025-11-25");
}

#[test]
fn notifications_get_what_they_get() {
    for (mode, status, body) in [
        ("notified-200", 200, ""),
        ("notified-204", 204, ""),
        ("notified-json", 200, "null"),
        ("notified-500", 500, "<!DOCTYPE html>"),
    ] {
        let fake = HttpFake::start(mode);
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}});
        let opening = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let opened = request(fake.port(), "POST /mcp", &POST, &opening.to_string());
        let session = ("MCP-Session-Id", opened.header("mcp-session-id").unwrap());
        let told = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let answer = request(fake.port(), "POST /mcp", &[POST[0], POST[1], session], told);
        assert_eq!(answer.status, status, "{mode}");
        assert!(answer.body.starts_with(body) && answer.body.is_empty() == body.is_empty(), "{mode}");
        let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
        let listed = request(fake.port(), "POST /mcp", &[POST[0], POST[1], session], list);
        assert!(listed.last()["result"].is_object(), "{mode}: it was heard");
    }
}
