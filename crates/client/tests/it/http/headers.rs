//! What stands in the headers of each request, in each era.

use std::collections::BTreeMap;

use codewhale_mcp_client::{Client, Options};
use codewhale_mcp_protocol::{Json, Members, SubscriptionFilter};
use serde_json::{Value, json};

use super::web::{Got, Web};

fn headers(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn modern(method: &str, name: Option<&str>) -> BTreeMap<String, String> {
    let mut all = headers(&[("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)]);
    all.extend(name.map(|name| ("mcp-name".to_owned(), name.to_owned())));
    all
}

/// What leaves when this is asked.
async fn asked<T>(web: &mut Web, method: &str, asking: impl Future<Output = T>) -> Got {
    tokio::select! {
        _ = asking => panic!("there is no answer yet"),
        got = web.post(method) => got,
    }
}

#[tokio::test(start_paused = true)]
async fn a_modern_request_says_its_revision_method_and_name_again() {
    let (connecting, mut web) = Web::connecting(Options::default());
    let probe = web.post("server/discover").await;
    assert_eq!(probe.headers, modern("server/discover", None));
    // A session that such a server names is none.
    let offer = json!({"resources": {}, "prompts": {}, "tools": {}, "completions": {}});
    probe.result_in_session("s-1", json!({"supportedVersions": ["2026-07-28"], "capabilities": offer}));
    let client = connecting.await.expect("the task ends").expect("a client");
    web.hears_nothing().await;

    let got = asked(&mut web, "tools/list", client.list_tools()).await;
    assert_eq!(got.headers, modern("tools/list", None));
    let got = asked(&mut web, "resources/list", client.list_resources()).await;
    assert_eq!(got.headers, modern("resources/list", None));
    for (name, written) in [
        ("echo", "echo"),
        ("us west", "us west"),
        ("", ""),
        ("查询", "=?base64?5p+l6K+i?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("\tx", "=?base64?CXg=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
    ] {
        let arguments = json!({"a": 1});
        let got = asked(&mut web, "tools/call", client.call_tool(name, &arguments).send()).await;
        assert_eq!(got.headers, modern("tools/call", Some(written)), "{name:?}");
        assert_eq!(got.body["params"]["name"], name, "the body has it as it is");
        assert_eq!(got.body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    }
    let got = asked(&mut web, "prompts/get", client.get_prompt("greet", &Members::default()).send()).await;
    assert_eq!(got.headers, modern("prompts/get", Some("greet")));
    let uri = "file:///a%20b/../c?q=1#f";
    let got = asked(&mut web, "resources/read", client.read_resource(uri).send()).await;
    assert_eq!(got.headers, modern("resources/read", Some(uri)), "to the letter");
    let filter = SubscriptionFilter { tools_list_changed: Some(true), ..SubscriptionFilter::default() };
    let got = asked(&mut web, "subscriptions/listen", client.subscribe(filter)).await;
    assert_eq!(got.headers, modern("subscriptions/listen", None));
    let task = client.task("t-1");
    let got = asked(&mut web, "tasks/get", task.status()).await;
    assert_eq!(got.headers, modern("tasks/get", Some("t-1")));
    let got = asked(&mut web, "tasks/cancel", task.cancel()).await;
    assert_eq!(got.headers, modern("tasks/cancel", Some("t-1")));
}

#[tokio::test(start_paused = true)]
async fn a_legacy_request_names_its_session_and_revision_but_for_initialize() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut all = headers(&[("mcp-session-id", "s-1")]);
        if revision != "2024-11-05" {
            all.insert("mcp-protocol-version".into(), revision.into());
        }
        let (connecting, mut web) = Web::connecting(Options::default());
        web.post("server/discover").await.empty(404);
        let initialize = web.post("initialize").await;
        assert_eq!(initialize.headers, BTreeMap::new());
        initialize
            .result_in_session("s-1", json!({"protocolVersion": revision, "capabilities": {"tools": {}}}));
        let initialized = web.post("notifications/initialized").await;
        assert_eq!(initialized.headers, all);
        initialized.empty(202);
        let client: Client = connecting.await.expect("the task ends").expect("a client");
        let get = web.get().await;
        assert_eq!(get.headers, all);
        let stream = get.events();
        let arguments = json!({});
        let got = asked(&mut web, "tools/call", client.call_tool("查询", &arguments).send()).await;
        assert_eq!(got.headers, all);
        let cancelled = web.post("notifications/cancelled").await;
        assert_eq!(cancelled.headers, all);
        cancelled.empty(202);
        stream.say(&json!({"jsonrpc": "2.0", "id": "p", "method": "ping"}));
        let pong = web.post("").await;
        assert_eq!(pong.headers, all);
        assert_eq!(pong.body, json!({"jsonrpc": "2.0", "id": "p", "result": {}}));
        pong.empty(202);
        let closing = tokio::spawn(async move { client.close().await });
        let delete = web.delete().await;
        assert_eq!(delete.headers, all);
        delete.empty(405);
        closing.await.expect("the task ends");
        web.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn members_of_meta_are_no_headers() {
    let (client, mut web) = Web::connected("2026-07-28", Options::default()).await;
    let arguments: Value = json!({"region": "eu"});
    let parent = Json::encode(&"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").unwrap();
    let call = client.call_tool("x", &arguments).meta("traceparent", &parent).send();
    let got = asked(&mut web, "tools/call", call).await;
    assert_eq!(got.headers, modern("tools/call", Some("x")), "nor are arguments that no tool asked for");
}
