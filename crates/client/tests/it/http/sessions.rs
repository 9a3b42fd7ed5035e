//! Sessions: who names them, and where they are named.

use codewhale_mcp_client::Options;
use serde_json::json;

use super::web::{Web, call, reply, said, text};
use super::wire::head;

/// The session that a client is in whose server answers `initialize` with this name.
async fn adopted(named: Option<&str>) -> Option<String> {
    let (connecting, mut web) = Web::connecting(Options::default());
    web.post("server/discover").await.empty(400);
    let initialize = web.post("initialize").await;
    let result = json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}});
    match named {
        Some(name) => initialize.result_in_session(name, result),
        None => initialize.result(result),
    }
    let initialized = web.post("notifications/initialized").await;
    let session = initialized.header("mcp-session-id").map(str::to_owned);
    initialized.empty(202);
    web.get().await.empty(405);
    let client = connecting.await.expect("the task ends").expect("a client");
    let calling = call(&client);
    let post = web.post("tools/call").await;
    assert_eq!(post.header("mcp-session-id").map(str::to_owned), session);
    // Only the answer to initialize opens a session.
    post.result_in_session("other", text("ok"));
    said(calling).await.expect("a result");
    let calling = call(&client);
    let post = web.post("tools/call").await;
    assert_eq!(post.header("mcp-session-id").map(str::to_owned), session);
    post.result(text("ok"));
    said(calling).await.expect("a result");
    session
}

#[tokio::test(start_paused = true)]
async fn a_session_is_taken_from_initialize_alone_and_only_if_it_can_be_named() {
    assert_eq!(adopted(None).await, None);
    for good in ["s-1", "!", "~x~", "1868a90c-0b1e-4d2f", &"a".repeat(300)] {
        assert_eq!(adopted(Some(good)).await.as_deref(), Some(good));
    }
    for bad in ["", " ", "a b", "a\tb", "ä", "a\u{7f}", "a\nb"] {
        assert_eq!(adopted(Some(bad)).await, None, "{bad:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_modern_server_that_was_taken_for_a_legacy_one_gets_no_session() {
    let mut options = Options::default();
    options.memory.era = Some(codewhale_mcp_protocol::Era::Legacy);
    let (connecting, mut web) = Web::connecting(options);
    let initialize = web.post("initialize").await;
    let error = json!({"code": -32022, "message": "no", "data": {"supported": ["2026-07-28"]}});
    let answer = json!({"jsonrpc": "2.0", "id": initialize.body["id"], "error": error});
    let (mut refusal, body) = head(200, Some("application/json"));
    refusal.session = Some(codewhale_mcp_redact::Secret::new("s-1".into()));
    initialize.answer(refusal);
    body.raw(&answer.to_string());
    drop(body);
    let probe = web.post("server/discover").await;
    assert_eq!(probe.header("mcp-session-id"), None);
    probe.result(json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}));
    let client = connecting.await.expect("the task ends").expect("a client");
    let calling = call(&client);
    let post = web.post("tools/call").await;
    assert_eq!(post.header("mcp-session-id"), None);
    let answer = reply(&post.body, text("ok"));
    post.json(200, &answer);
    said(calling).await.expect("a result");
    client.close().await;
    web.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_session_is_no_longer_known_only_where_there_is_one() {
    for revision in ["2025-06-18", "2026-07-28"] {
        let (connecting, mut web) = Web::connecting(Options::default());
        if revision == "2026-07-28" {
            web.shake_hands(revision, json!({"tools": {}})).await;
        } else {
            web.post("server/discover").await.empty(400);
            let result = json!({"protocolVersion": revision, "capabilities": {"tools": {}}});
            web.post("initialize").await.result(result);
            web.post("notifications/initialized").await.empty(202);
            web.get().await.empty(405);
        }
        let client = connecting.await.expect("the task ends").expect("a client");
        let calling = call(&client);
        web.post("tools/call").await.empty(404);
        let error = said(calling).await.expect_err("a plain error");
        assert_eq!(error.to_string(), "no answer to tools/call: the server answered with status 404");
        web.hears_nothing().await;
        client.close().await;
        web.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_to_initialize_that_breaks_off_is_taken_up_again_in_the_session_that_it_names() {
    let (connecting, mut web) = Web::connecting(Options::default());
    web.post("server/discover").await.empty(400);
    let initialize = web.post("initialize").await;
    let result = json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}});
    let answer = reply(&initialize.body, result);
    let (mut opens, stream) = head(200, Some("text/event-stream"));
    opens.session = Some(codewhale_mcp_redact::Secret::new("s-1".into()));
    initialize.answer(opens);
    stream.raw("id: 0\nretry: 300\ndata:\n\n");
    drop(stream);
    let get = web.get().await;
    assert_eq!(get.header("mcp-session-id"), Some("s-1"));
    assert_eq!(get.header("last-event-id"), Some("0"));
    assert_eq!(get.header("mcp-protocol-version"), None, "it is not known yet");
    get.events().say(&answer);
    let initialized = web.post("notifications/initialized").await;
    assert_eq!(initialized.header("mcp-session-id"), Some("s-1"));
    initialized.empty(202);
    connecting.await.expect("the task ends").expect("a client");
}
