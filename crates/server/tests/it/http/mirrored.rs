//! What a modern request says in its head has to be what its body says.

use codewhale_mcp_server::http::Options;
use serde_json::{Value, json};

use super::wire::{Request, ask};
use super::world::World;

const MISMATCH: i64 = -32020;

#[tokio::test]
async fn the_standard_headers_say_what_the_body_says() {
    let world = World::start(Options::default()).await;
    let list = || Request::modern(1, "tools/list", json!({}));
    let call = || Request::call(1, "echo", json!({ "text": "hi" }));
    let rows = [
        ("all of them", call(), 200, 0),
        ("a name that is encoded", call().with("Mcp-Name", "=?base64?ZWNobw==?="), 200, 0),
        ("white space around a value", call().with("Mcp-Name", "  echo\t"), 200, 0),
        (
            "another case of a header's name",
            list().without("Mcp-Method").with("MCP-METHOD", "tools/list"),
            200,
            0,
        ),
        ("no method", list().without("Mcp-Method"), 400, MISMATCH),
        ("another method", list().with("Mcp-Method", "prompts/list"), 400, MISMATCH),
        ("another case of the method", list().with("Mcp-Method", "TOOLS/LIST"), 400, MISMATCH),
        ("the method twice", list().and("Mcp-Method", "tools/list"), 400, MISMATCH),
        ("no name", call().without("Mcp-Name"), 400, MISMATCH),
        ("another name", call().with("Mcp-Name", "other"), 400, MISMATCH),
        ("a name that is encoded wrongly", call().with("Mcp-Name", "=?base64?ZWNobw?="), 400, MISMATCH),
        ("no revision", list().without("MCP-Protocol-Version"), 400, MISMATCH),
        ("another revision", list().with("MCP-Protocol-Version", "2025-11-25"), 400, MISMATCH),
        ("no revision in the body", list().body(bare("tools/list", json!({}))), 400, -32602),
        ("a name where none is due", list().with("Mcp-Name", "echo"), 200, 0),
        ("a session, which means nothing", call().with("MCP-Session-Id", "none"), 200, 0),
        ("an event, which means nothing", call().with("Last-Event-ID", "1-1"), 200, 0),
        ("a method that is not there", Request::modern(1, "no/such", json!({})), 404, -32601),
        ("a method of the other era", Request::modern(1, "ping", json!({})), 404, -32601),
    ];
    for (what, request, status, code) in rows {
        let answer = ask(world.address, &request).await;
        assert_eq!((answer.head.status, answer.code()), (status, code), "{what}: {answer:?}");
        assert_eq!(answer.json()["id"], 1, "{what}");
    }
}

#[tokio::test]
async fn a_revision_that_is_not_spoken_is_refused_with_those_that_are() {
    let world = World::start(Options::default()).await;
    let params = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2099-01-01" } });
    let request = Request::modern("a", "server/discover", params).with("MCP-Protocol-Version", "2099-01-01");
    let answer = ask(world.address, &request).await;
    assert_eq!((answer.head.status, answer.code()), (400, -32022));
    let data = &answer.json()["error"]["data"];
    assert_eq!(data, &json!({ "supported": ["2026-07-28"], "requested": "2099-01-01" }));
    assert_eq!(answer.json()["id"], "a");
}

#[tokio::test]
async fn the_headers_of_arguments_say_what_the_arguments_say() {
    let world = World::start(Options::default()).await;
    let call = |arguments: Value| Request::call(1, "regional", arguments);
    let region = || call(json!({ "region": "us-west1" }));
    let rows = [
        ("the same", region().with("Mcp-Param-Region", "us-west1"), 200, 0),
        ("the same, encoded", region().with("Mcp-Param-Region", "=?base64?dXMtd2VzdDE=?="), 200, 0),
        ("none for none", call(json!({})), 200, 0),
        ("another one that nobody knows", call(json!({})).with("Mcp-Param-Other", "x"), 200, 0),
        ("missing", region(), 400, MISMATCH),
        ("another value", region().with("Mcp-Param-Region", "us-east1"), 400, MISMATCH),
        ("without an argument", call(json!({})).with("Mcp-Param-Region", "us-west1"), 400, MISMATCH),
        ("wrong base64", region().with("Mcp-Param-Region", "=?base64?dXMtd2VzdDE?="), 400, MISMATCH),
    ];
    for (what, request, status, code) in rows {
        let answer = ask(world.address, &request).await;
        assert_eq!((answer.head.status, answer.code()), (status, code), "{what}: {answer:?}");
    }
}

/// A request without `_meta`.
fn bare(method: &str, params: Value) -> Vec<u8> {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    serde_json::to_vec(&message).expect("a value is JSON")
}
