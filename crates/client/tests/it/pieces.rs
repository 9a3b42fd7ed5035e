//! Messages that come in pieces of any size.

use codewhale_mcp_client::{Event, Options};
use serde_json::json;
use tokio::task::yield_now;

use crate::server::{Server, text};

#[tokio::test(start_paused = true)]
async fn messages_come_whole_whatever_the_pieces_are() {
    let long = "x".repeat(140_000);
    for size in [1, 7, 1_000, 65_535, 65_536, 65_537, 1_000_000] {
        let (client, mut server) = Server::connected("2025-06-18", Options::default()).await;
        let mut events = client.events();
        let arguments = json!({});
        let answers = async {
            let (one, other) = (server.next().await, server.next().await);
            let answer = |request: &serde_json::Value, result| json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
            let changed = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
            let bytes = format!(
                "{changed}\r\n{}\n\n \t{changed}\n{}\n",
                answer(&one, text(&long)),
                answer(&other, text("short")),
            );
            for piece in bytes.as_bytes().chunks(size) {
                server.write(piece).await;
                yield_now().await;
            }
        };
        let (one, other, ()) = tokio::join!(
            client.call_tool("one", &arguments).send(),
            client.call_tool("other", &arguments).send(),
            answers
        );
        let said = |result: Result<codewhale_mcp_protocol::CallToolResult, _>| {
            let result =
                result.unwrap_or_else(|fault: codewhale_mcp_client::CallError| panic!("{size}: {fault}"));
            result.content[0].text.clone().unwrap_or_default()
        };
        assert!(said(one) == long, "{size}");
        assert_eq!(said(other), "short", "{size}");
        for _ in 0..2 {
            assert!(matches!(events.ready(), Some(Event::ToolsChanged)), "{size}");
        }
        assert!(events.ready().is_none(), "{size}");
    }
}
