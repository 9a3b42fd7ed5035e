//! Changes that a server tells of, however often.

use codewhale_mcp_client::Options;
use serde_json::json;

use crate::server::{Server, text};

#[tokio::test(start_paused = true)]
async fn a_burst_of_changes_asks_for_no_list_and_the_next_list_is_the_latest() {
    for revision in ["2025-06-18", "2026-07-28"] {
        let (client, mut server) = Server::connected(revision, Options::default()).await;
        let arguments = json!({});
        let (called, ()) = tokio::join!(client.call_tool("x", &arguments).send(), async {
            let request = server.asked("tools/call").await;
            for _ in 0..200 {
                server.notify("notifications/tools/list_changed", json!({})).await;
            }
            server.hears_nothing().await;
            server.answer(&request, text("ok")).await;
        });
        called.expect("a result");
        let (listed, ()) = tokio::join!(client.list_tools(), async {
            let request = server.asked("tools/list").await;
            let tools = json!([{"name": "new", "inputSchema": {"type": "object"}}]);
            server.answer(&request, json!({"tools": tools, "ttlMs": 60_000})).await;
            server.hears_nothing().await;
        });
        assert_eq!(listed.expect("a list").items[0].name, "new");
    }
}
