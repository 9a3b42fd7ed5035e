//! Lists that have pages, and lists that do not end.

use codewhale_mcp_client::{CallError, ListLimits, ListWarning, Listed, Options};
use codewhale_mcp_protocol::Tool;
use serde_json::{Value, json};

use crate::server::Server;

fn page(names: &[&str], next: Option<&str>) -> Value {
    let tools: Vec<_> =
        names.iter().map(|name| json!({"name": name, "inputSchema": {"type": "object"}})).collect();
    json!({"tools": tools, "nextCursor": next})
}

/// Lists all tools while the server answers with these pages; the cursors that were asked for, too.
async fn list(pages: Vec<Value>, limits: ListLimits) -> (Result<Listed<Tool>, CallError>, Vec<Value>) {
    let mut options = Options::default();
    options.list = limits;
    let (client, mut server) = Server::connected("2025-06-18", options).await;
    let mut cursors = Vec::new();
    let answers = async {
        for page in pages {
            let request = server.next().await;
            cursors.push(request["params"]["cursor"].clone());
            server.answer(&request, page).await;
        }
        std::future::pending::<()>().await;
    };
    let result = tokio::select! {
        result = client.list_tools() => result,
        () = answers => unreachable!("the server waits for ever"),
    };
    (result, cursors)
}

fn names(tools: &Listed<Tool>) -> Vec<&str> {
    tools.items.iter().map(|tool| tool.name.as_str()).collect()
}

#[tokio::test(start_paused = true)]
async fn pages_are_followed_to_the_end() {
    let pages = vec![page(&["a", "b"], Some("2")), page(&["c"], Some("")), page(&["d"], None)];
    let (result, cursors) = list(pages, ListLimits::default()).await;
    assert_eq!(names(&result.expect("a list")), ["a", "b", "c", "d"]);
    assert_eq!(cursors, [Value::Null, json!("2"), json!("")]);
}

#[tokio::test(start_paused = true)]
async fn an_empty_cursor_at_the_end_costs_one_request_and_no_tool_twice() {
    let pages = vec![page(&["a", "b"], Some("")), page(&["a", "b"], Some(""))];
    let (result, cursors) = list(pages, ListLimits::default()).await;
    let tools = result.expect("a list");
    assert_eq!(names(&tools), ["a", "b"]);
    assert_eq!(tools.warning, Some(ListWarning::EmptyCursorAtEnd));
    assert_eq!(cursors.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_list_without_an_end_is_an_error() {
    let circle = vec![page(&["a"], Some("A")), page(&["b"], Some("B")), page(&["c"], Some("A"))];
    let (result, _) = list(circle, ListLimits::default()).await;
    assert!(matches!(result, Err(CallError::ServerRepeatsCursor { pages: 3, cursor, .. }) if cursor == "A"));

    let endless = |count: usize| (0..count).map(|at| page(&["x"], Some(&at.to_string()))).collect();
    let (result, _) = list(endless(3), ListLimits { pages: 3, items: 100 }).await;
    assert!(matches!(result, Err(CallError::ServerListTooLong { limit: 3, what: "pages", .. })));
    let (result, _) = list(endless(3), ListLimits { pages: 100, items: 2 }).await;
    assert!(matches!(result, Err(CallError::ServerListTooLong { limit: 2, what: "items", .. })));
}

#[tokio::test(start_paused = true)]
async fn a_page_that_fails_fails_the_list() {
    let pages = vec![page(&["a"], Some("2")), json!({"tools": 5})];
    let (result, _) = list(pages, ListLimits::default()).await;
    assert!(matches!(result, Err(CallError::ServerReplyInvalid { .. })));
}

/// A page as servers write it: the cursor at its end.
fn written(request: &Value, tools: &str, end: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{{\"tools\":[{tools}],{end}}}}}\n", request["id"])
}

#[tokio::test(start_paused = true)]
async fn a_page_that_is_asked_for_ahead_is_asked_for_once() {
    let (client, mut server) = Server::connected("2025-06-18", Options::default()).await;
    let list = tokio::spawn({
        let client = client.clone();
        async move { client.list_tools().await }
    });
    for (cursor, name, end) in [
        (Value::Null, "a", r#""nextCursor":"2""#),
        (json!("2"), "b", r#""nextCursor":"3","ttlMs":0"#),
        (json!("3"), "c", r#""x":0"#),
    ] {
        let request = server.asked("tools/list").await;
        assert_eq!(request["params"]["cursor"], cursor);
        server.write(written(&request, &format!(r#"{{"name":"{name}"}}"#), end).as_bytes()).await;
    }
    assert_eq!(names(&list.await.expect("the task ends").expect("a list")), ["a", "b", "c"]);
    server.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_page_that_was_guessed_wrongly_is_not_waited_for() {
    let (client, mut server) = Server::connected("2025-06-18", Options::default()).await;
    let list = tokio::spawn(async move { client.list_tools().await });
    let first = server.asked("tools/list").await;
    let end = r#""nextCursor":"guess","nextCursor" : "2""#;
    server.write(written(&first, r#"{"name":"a"}"#, end).as_bytes()).await;
    let second = server.asked("tools/list").await;
    assert_eq!(second["params"]["cursor"], "2");
    server.write(written(&second, r#"{"name":"b"}"#, r#""nextCursor":null"#).as_bytes()).await;
    assert_eq!(names(&list.await.expect("the task ends").expect("a list")), ["a", "b"]);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_left_of_a_request_whose_list_has_failed() {
    let (client, mut server) = Server::connected("2025-06-18", Options::default()).await;
    let list = tokio::spawn({
        let client = client.clone();
        async move { client.list_tools().await }
    });
    let first = server.asked("tools/list").await;
    server.write(written(&first, "5", r#""nextCursor":"2""#).replace("[5]", "5").as_bytes()).await;
    assert!(matches!(list.await.expect("the task ends"), Err(CallError::ServerReplyInvalid { .. })));
    server.hears_nothing().await;
    let call = tokio::spawn(async move { client.ping().await });
    let ping = server.asked("ping").await;
    server.answer(&ping, json!({})).await;
    call.await.expect("the task ends").expect("an answer");
}

#[tokio::test(start_paused = true)]
async fn one_odd_entry_hides_no_other() {
    let tools = json!({"tools": [
        {"name": "good", "inputSchema": {"type": "object"}},
        7,
        {"title": "without a name"},
        {"name": "hinted", "annotations": {"destructiveHint": 1, "readOnlyHint": true, "idempotentHint": null}},
        {"name": "half \u{fffd}"}
    ]});
    let text = tools.to_string().replace('\u{fffd}', "\\ud83d");
    let (client, mut server) = Server::connected("2025-06-18", Options::default()).await;
    let list = tokio::spawn(async move { client.list_tools().await });
    let request = server.asked("tools/list").await;
    server
        .write(format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{text}}}\n", request["id"]).as_bytes())
        .await;
    let tools = list.await.expect("the task ends").expect("a list");
    assert_eq!(names(&tools), ["good", "hinted", "half \u{fffd}"]);
    assert_eq!(tools.warning, Some(ListWarning::LeftOut { left_out: 2 }));
    let hints = tools.items[1].annotations.as_ref().expect("it has hints");
    assert_eq!(
        (hints.destructive_hint, hints.read_only_hint),
        (None, Some(true)),
        "what is no flag was not said"
    );
}
