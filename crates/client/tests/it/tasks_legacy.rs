//! The tasks of 2025-11-25.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Client, Options, Started};
use codewhale_mcp_protocol::{CallToolResult, Tool};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::people::{decline, everything, people};
use crate::server::{Server, text};

const REVISION: &str = "2025-11-25";

fn able() -> Value {
    json!({"tools": {}, "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}})
}

async fn connected() -> (Client, Server) {
    Server::offering(REVISION, able(), Options::default()).await
}

fn tool(support: Option<&str>) -> Tool {
    let mut tool = json!({"name": "x", "inputSchema": {"type": "object"}});
    if let Some(support) = support {
        tool["execution"] = json!({"taskSupport": support});
    }
    serde_json::from_value(tool).expect("a tool")
}

fn call(client: &Client) -> JoinHandle<Result<CallToolResult, CallError>> {
    let client = client.clone();
    tokio::spawn(async move { client.call_listed_tool(&tool(Some("required")), &json!({"a": 1})).await })
}

fn task(status: &str) -> Value {
    json!({
        "taskId": "t-1", "status": status, "ttl": null, "pollInterval": 2000,
        "createdAt": "2025-11-25T00:00:00Z", "lastUpdatedAt": "2025-11-25T00:00:00Z",
    })
}

impl Server {
    async fn make_legacy_task(&mut self) -> Value {
        let request = self.asked("tools/call").await;
        self.answer(&request, json!({"task": task("working")})).await;
        request
    }

    async fn show_legacy(&mut self, status: &str) -> u128 {
        let begun = Instant::now();
        let request = self.asked("tasks/get").await;
        assert_eq!(request["params"]["taskId"], "t-1");
        assert_eq!(
            request["params"]["_meta"].as_object().map(serde_json::Map::len),
            Some(1),
            "a token alone"
        );
        self.answer(&request, task(status)).await;
        begun.elapsed().as_millis() / 10 * 10
    }
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_must_be_a_task_is_called_as_one_and_its_result_fetched() {
    let (client, mut server) = connected().await;
    let call = call(&client);
    let request = server.make_legacy_task().await;
    assert_eq!(request["params"]["task"], json!({}));
    assert_eq!(request["params"]["arguments"], json!({"a": 1}));
    assert_eq!(server.show_legacy("working").await, 2000);
    assert_eq!(server.show_legacy("completed").await, 2000);
    let request = server.asked("tasks/result").await;
    assert_eq!(request["params"]["taskId"], "t-1");
    let mut result = text("done");
    result["_meta"] = json!({"io.modelcontextprotocol/related-task": {"taskId": "t-1"}});
    server.answer(&request, result).await;
    let result = call.await.expect("the task ends").expect("a result");
    assert_eq!(result.content[0].text.as_deref(), Some("done"));
    assert_eq!(result.meta.and_then(|meta| meta.related_task()).as_deref(), Some("t-1"));
    server.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_failed_task_says_why_in_its_result() {
    for is_error in [true, false] {
        let (client, mut server) = connected().await;
        let call = call(&client);
        server.make_legacy_task().await;
        server.show_legacy("failed").await;
        let request = server.asked("tasks/result").await;
        if is_error {
            server.refuse(&request, json!({"code": -32603, "message": "broken"})).await;
        } else {
            server.answer(&request, json!({"content": [], "isError": true})).await;
        }
        let result = call.await.expect("the task ends");
        match result {
            Ok(result) => assert!(result.is_error && !is_error),
            Err(CallError::ServerError { error, .. }) => assert!(error.code == -32603 && is_error),
            Err(other) => panic!("{other}"),
        }
        server.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_that_its_server_cancelled_has_no_result() {
    let (client, mut server) = connected().await;
    let call = call(&client);
    server.make_legacy_task().await;
    server.show_legacy("cancelled").await;
    let error = call.await.expect("the task ends").expect_err("it was cancelled");
    assert!(matches!(&error, CallError::TaskCancelled { id, .. } if id == "t-1"), "{error}");
    server.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_task_that_needs_input_is_asked_for_its_result_at_once() {
    let (options, mut people) = people(everything());
    let (client, mut server) = Server::offering(REVISION, able(), options).await;
    let call = call(&client);
    server.make_legacy_task().await;
    server.show_legacy("input_required").await;
    let request = server.asked("tasks/result").await;
    let meta = json!({"io.modelcontextprotocol/related-task": {"taskId": "t-1"}});
    let params = json!({"message": "who?", "requestedSchema": {"type": "object"}, "_meta": meta});
    server.ask(1, "elicitation/create", params).await;
    people.elicited().await.1.send(decline()).unwrap();
    assert_eq!(server.next().await["result"], json!({"action": "decline", "_meta": meta}));
    server.answer(&request, text("done")).await;
    call.await.expect("the task ends").expect("a result");
}

#[tokio::test(start_paused = true)]
async fn a_call_is_made_a_task_only_where_it_has_to_be() {
    let no_calls = json!({"tools": {}, "tasks": {"requests": {"tools": {}}}});
    let cases = [
        (REVISION, able(), Some("required"), true),
        (REVISION, able(), Some("optional"), false),
        (REVISION, able(), Some("forbidden"), false),
        (REVISION, able(), Some("sometimes"), false),
        (REVISION, able(), None, false),
        (REVISION, json!({"tools": {}}), Some("required"), false),
        (REVISION, json!({"tools": {}, "tasks": {"list": {}}}), Some("required"), false),
        (REVISION, no_calls, Some("required"), false),
        ("2025-06-18", able(), Some("required"), false),
        ("2026-07-28", able(), Some("required"), false),
    ];
    for (revision, capabilities, support, expected) in cases {
        let (client, mut server) = Server::offering(revision, capabilities, Options::default()).await;
        assert_eq!(client.must_be_a_task(&tool(support)), expected, "{revision} {support:?}");
        if expected {
            continue;
        }
        let (tool, arguments) = (tool(support), json!({}));
        let (called, ()) = tokio::join!(client.call_listed_tool(&tool, &arguments), async {
            let request = server.asked("tools/call").await;
            assert_eq!(request["params"].get("task"), None);
            server.answer(&request, text("ok")).await;
        });
        called.expect("a result");
    }
}

#[tokio::test(start_paused = true)]
async fn a_caller_may_wish_for_a_task_and_say_how_long_to_keep_it() {
    let (client, mut server) = connected().await;
    let arguments = json!({});
    let keep = Some(Duration::from_secs(60));
    let (started, request) =
        tokio::join!(client.call_tool_as_task("x", &arguments, keep), server.make_legacy_task());
    assert_eq!(request["params"]["task"], json!({"ttl": 60_000}));
    let Started::Task(_, handle) = started.expect("an answer") else { panic!("a task") };
    drop(handle);
    server.hears_nothing().await;

    // Where the server cannot, the wish is not sent.
    for (revision, capabilities) in [(REVISION, json!({"tools": {}})), ("2025-06-18", able())] {
        let (client, mut server) = Server::offering(revision, capabilities, Options::default()).await;
        let (started, ()) = tokio::join!(client.call_tool_as_task("x", &arguments, keep), async {
            let request = server.asked("tools/call").await;
            assert_eq!(request["params"].get("task"), None);
            server.answer(&request, text("ok")).await;
        });
        assert!(matches!(started.expect("an answer"), Started::Done(_)));
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_that_its_caller_gives_up_is_cancelled_where_that_is_possible() {
    for cancel in [true, false] {
        let mut capabilities = able();
        if !cancel {
            capabilities["tasks"].as_object_mut().expect("tasks").remove("cancel");
        }
        let (client, mut server) = Server::offering(REVISION, capabilities, Options::default()).await;
        let call = call(&client);
        server.make_legacy_task().await;
        server.hears_nothing().await;
        call.abort();
        if cancel {
            let request = server.asked("tasks/cancel").await;
            assert_eq!(request["params"]["taskId"], "t-1");
            server.answer(&request, task("cancelled")).await;
        } else {
            let error = client.task("t-1").cancel().await.expect_err("it cannot");
            assert!(matches!(error, CallError::ServerLacks { capability: "tasks.cancel" }), "{error}");
        }
        server.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_has_the_time_of_a_call() {
    let mut options = Options::default();
    options.execute_timeout = Duration::from_secs(60);
    let (client, mut server) = Server::offering(REVISION, able(), options).await;
    let begun = Instant::now();
    let call = call(&client);
    server.make_legacy_task().await;
    let polls = async {
        loop {
            let request = server.next().await;
            if request["method"] == "tasks/cancel" {
                return;
            }
            assert_eq!(request["method"], "tasks/get");
            server.answer(&request, task("working")).await;
        }
    };
    let ((), result) = tokio::join!(polls, call);
    let error = result.expect("the task ends").expect_err("it took too long");
    assert!(matches!(error, CallError::ServerTimedOut { after, .. } if after.as_secs() == 60), "{error}");
    assert_eq!(begun.elapsed().as_secs(), 60);
}

#[tokio::test(start_paused = true)]
async fn the_list_of_tasks_has_pages_and_is_asked_for_where_there_is_one() {
    let (client, mut server) = connected().await;
    let (tasks, ()) = tokio::join!(client.list_tasks(), async {
        let request = server.asked("tasks/list").await;
        server.answer(&request, json!({"tasks": [task("working")], "nextCursor": "2"})).await;
        let request = server.asked("tasks/list").await;
        assert_eq!(request["params"]["cursor"], "2");
        server.answer(&request, json!({"tasks": []})).await;
    });
    assert_eq!(tasks.expect("a list").items[0].task_id, "t-1");
    for capabilities in [json!({"tasks": {"cancel": {}}}), json!({}), json!({"tasks": 5})] {
        let (client, mut server) = Server::offering(REVISION, capabilities, Options::default()).await;
        let error = client.list_tasks().await.expect_err("there is none");
        assert!(matches!(error, CallError::ServerLacks { capability: "tasks.list" }), "{error}");
        server.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_server_says_of_a_task_by_itself_is_an_event_and_ends_nothing() {
    let (client, mut server) = connected().await;
    let mut events = client.events();
    let call = call(&client);
    server.make_legacy_task().await;
    server.notify("notifications/tasks/status", task("completed")).await;
    let event = events.next().await.expect("an event");
    assert!(
        matches!(&event, codewhale_mcp_client::Event::Notification { method, .. } if &**method == "notifications/tasks/status"),
        "{event:?}"
    );
    assert_eq!(server.show_legacy("working").await, 2000, "it is looked at all the same");
    call.abort();
}
