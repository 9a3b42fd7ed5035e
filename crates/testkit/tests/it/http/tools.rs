//! Tools that ask for headers, and names that no header can hold.

use super::client::{ask_modern, modern};
use super::peer::{Answer, request};
use codewhale_testkit::HttpFake;
use serde_json::{Value, json};

fn call(fake: &HttpFake, name: &str, arguments: &Value, more: &[(&str, &str)]) -> Answer {
    let (headers, body) = modern(1, "tools/call", json!({"name": name, "arguments": arguments}));
    let headers = headers.iter().map(|(name, value)| (*name, value.as_str())).chain(more.iter().copied());
    request(fake.port(), "POST /mcp", &headers.collect::<Vec<_>>(), &body)
}

#[test]
fn annotated_arguments_are_wanted_in_headers() {
    let fake = HttpFake::start("param-headers");
    let arguments = json!({"region": "us-west1", "count": 42.0, "dry": true, "plain": "x"});
    let right = [("Mcp-Param-Region", "us-west1"), ("Mcp-Param-Count", "42"), ("mcp-param-dry-run", "true")];
    assert_eq!(call(&fake, "flat", &arguments, &right).status, 200);
    assert_eq!(call(&fake, "flat", &json!({"region": null}), &[]).status, 200);
    let wrapped = [("Mcp-Param-Region", "=?base64?SGVsbG8sIOS4lueVjA==?=")];
    assert_eq!(call(&fake, "flat", &json!({"region": "Hello, 世界"}), &wrapped).status, 200);
    assert_eq!(call(&fake, "flat", &json!({"region": ""}), &[("Mcp-Param-Region", "")]).status, 200);
    let deep = json!({"where": {"zone": {"id": "z"}}, "method": "m"});
    let named = [("Mcp-Param-Zone_Id", "z"), ("Mcp-Param-Method", "m")];
    assert_eq!(call(&fake, "nested", &deep, &named).status, 200);
    assert_eq!(call(&fake, "lookalike", &json!({"x-mcp-header": "a", "mode": "b"}), &[]).status, 200);
    for (arguments, headers) in [
        (json!({"region": "a"}), vec![]),
        (json!({"region": "a"}), vec![("Mcp-Param-Region", "b")]),
        (json!({}), vec![("Mcp-Param-Region", "b")]),
        (json!({"count": 1}), vec![("Mcp-Param-Count", "1.0")]),
        (json!({"dry": true}), vec![("Mcp-Param-Dry-Run", "True")]),
        (json!({"region": " a"}), vec![("Mcp-Param-Region", "a")]),
    ] {
        let refused = call(&fake, "flat", &arguments, &headers);
        assert_eq!((refused.status, &refused.json()["error"]["code"]), (400, &json!(-32020)), "{arguments}");
    }
    assert_eq!(call(&fake, "bad_empty", &json!({}), &[]).status, 400);
    assert_eq!(fake.violations(), Vec::<String>::new());
}

#[test]
fn a_third_of_the_annotated_tools_are_valid() {
    let fake = HttpFake::start("param-headers");
    let listed = ask_modern(fake.port(), 1, "tools/list", json!({})).json();
    let tools = listed["result"]["tools"].as_array().unwrap();
    let annotated = tools.iter().filter(|tool| tool["inputSchema"].to_string().contains("x-mcp-header"));
    let (bad, good): (Vec<_>, Vec<_>) =
        annotated.partition(|tool| tool["name"].as_str().unwrap().starts_with("bad_"));
    assert_eq!((good.len(), bad.len()), (3, 24));
}

#[test]
fn headers_change_until_the_list_is_fetched_again() {
    let fake = HttpFake::start("stale-headers");
    let region = json!({"region": "eu"});
    let fetch = || {
        let listed = ask_modern(fake.port(), 1, "tools/list", json!({})).json();
        let moved = &listed["result"]["tools"][0];
        assert_eq!(moved["name"], "moved");
        moved["inputSchema"]["properties"]["region"]["x-mcp-header"].as_str().unwrap().to_owned()
    };
    assert_eq!(fetch(), "Region-1");
    let refused = call(&fake, "moved", &region, &[("Mcp-Param-Region-1", "eu")]);
    assert_eq!((refused.status, &refused.json()["error"]["code"]), (400, &json!(-32020)));
    assert_eq!(fetch(), "Region-2");
    let moved = call(&fake, "moved", &region, &[("Mcp-Param-Region-2", "eu")]);
    assert_eq!(moved.json()["result"]["content"][0]["text"], "moved");
    let fake = HttpFake::start("stale-headers --always");
    for id in 1..4 {
        ask_modern(fake.port(), id, "tools/list", json!({}));
        assert_eq!(call(&fake, "moved", &region, &[("Mcp-Param-Region-2", "eu")]).status, 400);
    }
}

#[test]
fn names_need_wrapping() {
    let fake = HttpFake::start("wrapped-names");
    for (name, wrapped) in [
        ("查询", "=?base64?5p+l6K+i?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("two\nlines", "=?base64?dHdvCmxpbmVz?="),
        ("in the middle", "in the middle"),
    ] {
        let (mut headers, body) = modern(1, "tools/call", json!({"name": name, "arguments": {"a": 1}}));
        headers.retain(|(header, _)| *header != "Mcp-Name");
        let mut headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        headers.push(("Mcp-Name", wrapped));
        let answer = request(fake.port(), "POST /mcp", &headers, &body);
        assert_eq!(answer.last()["result"]["structuredContent"]["arguments"], json!({"a": 1}), "{name}");
    }
}

#[test]
fn modes_of_stdio_servers_can_be_added() {
    let fake = HttpFake::start("paged+events-crlf --items 10 --pages 2");
    let listed = ask_modern(fake.port(), 1, "tools/list", json!({})).last();
    assert!(listed["result"]["nextCursor"].is_string(), "{listed}");
}
