//! Beginnings, in both eras.

use codewhale_mcp_server::{Context, Failure, NoArguments, Server, tool};
use serde_json::{Value, json};

use crate::drive::{Client, modern, request};

async fn hello(_: NoArguments, _: Context) -> Result<&'static str, Failure> {
    Ok("hello")
}

fn server() -> Server {
    let builder = Server::builder("test", "1").tool(tool("hello", hello).description("Says hello."));
    builder.build().expect("a tool of its own name")
}

#[tokio::test]
async fn a_session_is_held_in_the_clients_revision_or_our_newest() {
    for (asked, held) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let mut client = Client::of(&server());
        let answer = client.open(asked, json!({})).await;
        assert_eq!(answer["result"]["protocolVersion"], held, "{asked}: {answer}");
        let answer = client.ask(&request("a", "tools/call", json!({"name": "hello"}))).await;
        assert_eq!(
            answer,
            json!({"jsonrpc": "2.0", "id": "a",
            "result": {"content": [{"type": "text", "text": "hello"}]}})
        );
        assert_eq!(client.close().await, [Value::Null; 0]);
    }
}

#[tokio::test]
async fn a_modern_request_stands_alone_beside_a_session() {
    let mut client = Client::of(&server());
    for _ in 0..2 {
        let answer = client.ask(&modern(1, "tools/call", json!({"name": "hello"}), json!({}))).await;
        assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
        assert_eq!(answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "test");
        client.open("2025-06-18", json!({})).await;
    }
}
