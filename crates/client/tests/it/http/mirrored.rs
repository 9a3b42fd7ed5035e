//! Arguments that a tool wants to see in headers, and a server that finds others there than it expected.

use codewhale_mcp_client::{CallError, Client, Event, Options};
use serde_json::{Value, json};

use super::web::{Got, Web, text};

/// A tool that wants this argument in this header.
fn tool(name: &str, argument: &str, header: &str) -> Value {
    let properties = json!({argument: {"type": "string", "x-mcp-header": header}, "count": {"type": "integer", "x-mcp-header": "Count"}});
    json!({"name": name, "inputSchema": {"type": "object", "properties": properties}})
}

async fn listed(client: &Client, web: &mut Web, tools: Value) -> Vec<String> {
    let (listed, ()) = tokio::join!(client.list_tools(), async {
        web.post("tools/list").await.result(json!({"tools": tools}));
    });
    listed.expect("a list").items.into_iter().map(|tool| tool.name).collect()
}

fn calling(client: &Client, arguments: Value) -> tokio::task::JoinHandle<Result<(), CallError>> {
    let client = client.clone();
    tokio::spawn(async move { client.call_tool("x", &arguments).send().await.map(drop) })
}

fn mirrored(got: &Got) -> Vec<(&str, &str)> {
    let all = got.headers.iter().filter(|(name, _)| name.starts_with("mcp-param-"));
    all.map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

#[tokio::test(start_paused = true)]
async fn arguments_stand_in_the_headers_that_the_latest_list_names() {
    let (client, mut web) = Web::connected("2026-07-28", Options::default()).await;
    let arguments = json!({"region": "grüß", "zone": " b", "count": 42, "other": "o"});
    // Nothing is known yet.
    let call = calling(&client, arguments.clone());
    let post = web.post("tools/call").await;
    assert!(mirrored(&post).is_empty());
    post.result(text("ok"));
    call.await.expect("the task ends").expect("a result");

    listed(&client, &mut web, json!([tool("x", "region", "Region"), tool("y", "zone", "Zone")])).await;
    let call = calling(&client, arguments.clone());
    let post = web.post("tools/call").await;
    assert_eq!(mirrored(&post), [("mcp-param-count", "42"), ("mcp-param-region", "=?base64?Z3LDvMOf?=")]);
    assert_eq!(post.body["params"]["arguments"], arguments);
    post.result(text("ok"));
    call.await.expect("the task ends").expect("a result");

    listed(&client, &mut web, json!([tool("x", "zone", "Method")])).await;
    let call = calling(&client, arguments);
    let post = web.post("tools/call").await;
    assert_eq!(mirrored(&post), [("mcp-param-count", "42"), ("mcp-param-method", "=?base64?IGI=?=")]);
    assert_eq!(post.header("mcp-method"), Some("tools/call"));
    post.result(text("ok"));
    call.await.expect("the task ends").expect("a result");

    listed(&client, &mut web, json!([{"name": "x", "inputSchema": {"type": "object"}}])).await;
    let call = calling(&client, json!({"zone": null}));
    let post = web.post("tools/call").await;
    assert!(mirrored(&post).is_empty());
    post.result(text("ok"));
    call.await.expect("the task ends").expect("a result");
}

#[tokio::test(start_paused = true)]
async fn an_argument_that_is_missing_has_no_header_and_one_of_another_type_does_not_leave() {
    let (client, mut web) = Web::connected("2026-07-28", Options::default()).await;
    listed(&client, &mut web, json!([tool("x", "region", "Region")])).await;
    for arguments in [json!({}), json!({"region": null}), json!({"region": null, "count": null})] {
        let call = calling(&client, arguments);
        let post = web.post("tools/call").await;
        assert!(mirrored(&post).is_empty());
        post.result(text("ok"));
        call.await.expect("the task ends").expect("a result");
    }
    for arguments in
        [json!({"region": 1}), json!({"count": "1"}), json!({"count": 9_007_199_254_740_993_u64})]
    {
        let refused = calling(&client, arguments).await.expect("the task ends");
        assert!(matches!(refused, Err(CallError::CallerArgumentInvalid { .. })), "{refused:?}");
    }
    web.hears_nothing().await;
    // What did not leave takes no room.
    let call = calling(&client, json!({"region": "", "count": 1}));
    let post = web.post("tools/call").await;
    assert_eq!(mirrored(&post), [("mcp-param-count", "1"), ("mcp-param-region", "")]);
    post.result(text("ok"));
    call.await.expect("the task ends").expect("a result");
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_cannot_be_called_is_left_out_and_told_of() {
    let (client, mut web) = Web::connected("2026-07-28", Options::default()).await;
    let mut events = client.events();
    let tools = json!([
        tool("a", "q", "Q"),
        tool("bad", "q", "not a token"),
        tool("b", "q", "Q"),
        tool("worse", "q", "count")
    ]);
    assert_eq!(listed(&client, &mut web, tools.clone()).await, ["a", "b"]);
    for expected in ["bad", "worse"] {
        let Some(Event::ToolLeftOut { name, .. }) = events.next().await else { panic!("an event") };
        assert_eq!(&*name, expected);
    }
    // In the legacy era the keyword means nothing.
    let (client, mut web) = Web::connected("2025-11-25", Options::default()).await;
    assert_eq!(listed(&client, &mut web, tools).await, ["a", "bad", "b", "worse"]);
    let call = calling(&client, json!({"q": 1}));
    let post = web.post("tools/call").await;
    assert!(mirrored(&post).is_empty());
    post.result(text("ok"));
    call.await.expect("the task ends").expect("a result");
}

fn mismatch(got: Got, with_id: bool) {
    let error = json!({"code": -32020, "message": "Mcp-Param-Region is missing"});
    match with_id {
        true => got.refuse(400, error),
        false => got.json(400, &json!({"jsonrpc": "2.0", "id": null, "error": error})),
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_misses_a_header_is_asked_for_its_list_again_whatever_is_kept_of_it() {
    for with_id in [true, false] {
        let (client, mut web) = Web::connected("2026-07-28", Options::default()).await;
        let (kept, ()) = tokio::join!(client.list_tools(), async {
            let result = json!({"tools": [tool("x", "zone", "Zone")], "ttlMs": 3_600_000});
            web.post("tools/list").await.result(result);
        });
        kept.expect("a list");
        client.list_tools().await.expect("the one that is kept");
        let call = calling(&client, json!({"region": "eu", "zone": "b"}));
        let post = web.post("tools/call").await;
        assert_eq!(mirrored(&post), [("mcp-param-zone", "b")]);
        let first = post.body["id"].clone();
        mismatch(post, with_id);
        web.post("tools/list")
            .await
            .result(json!({"tools": [tool("x", "region", "Region")], "ttlMs": 3_600_000}));
        let post = web.post("tools/call").await;
        assert_eq!(mirrored(&post), [("mcp-param-region", "eu")]);
        assert_ne!(post.body["id"], first);
        post.result(text("ok"));
        call.await.expect("the task ends").expect("a result");

        // A second refusal is told, and so is the first when there is no list.
        let call = calling(&client, json!({"region": "eu"}));
        mismatch(web.post("tools/call").await, with_id);
        web.post("tools/list").await.result(json!({"tools": [tool("x", "region", "Region")]}));
        mismatch(web.post("tools/call").await, with_id);
        let error = call.await.expect("the task ends").expect_err("no result");
        assert!(matches!(&error, CallError::ServerError { error, .. } if error.code == -32020), "{error}");
        let call = calling(&client, json!({"region": "eu"}));
        mismatch(web.post("tools/call").await, with_id);
        web.post("tools/list").await.empty(500);
        let error = call.await.expect("the task ends").expect_err("no result");
        assert!(matches!(&error, CallError::ServerError { error, .. } if error.code == -32020), "{error}");
        web.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn such_an_error_of_anything_else_is_an_error() {
    let (client, mut web) = Web::connected("2026-07-28", Options::default()).await;
    let (read, ()) = tokio::join!(client.read_resource("r:1").send(), async {
        mismatch(web.post("resources/read").await, true);
    });
    assert!(matches!(read, Err(CallError::ServerError { .. })), "{read:?}");
    web.hears_nothing().await;
}
