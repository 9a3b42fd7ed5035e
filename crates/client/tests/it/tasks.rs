//! Calls that a modern server makes tasks of.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Client, Refusal, Started};
use codewhale_mcp_protocol::{CallToolResult, TaskLifetime, TaskStatus};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::people::{People, accept, declaring, decline, directories, everything, people};
use crate::server::{Server, text};

const MODERN: &str = "2026-07-28";

async fn connected() -> (Client, Server, People) {
    let (options, people) = people(everything());
    let (client, server) = Server::connected(MODERN, options).await;
    (client, server, people)
}

fn call(client: &Client) -> JoinHandle<Result<CallToolResult, CallError>> {
    let client = client.clone();
    tokio::spawn(
        async move { client.call_tool("x", &json!({})).timeout(Duration::from_secs(60)).send().await },
    )
}

fn task(status: &str) -> Value {
    json!({
        "resultType": "complete", "taskId": "t-1", "status": status, "ttlMs": null, "pollIntervalMs": 2000,
        "createdAt": "2026-07-28T00:00:00Z", "lastUpdatedAt": "2026-07-28T00:00:00Z",
    })
}

fn with(mut object: Value, members: Value) -> Value {
    for (name, value) in members.as_object().expect("members") {
        object[name] = value.clone();
    }
    object
}

fn created() -> Value {
    with(task("working"), json!({"resultType": "task"}))
}

fn who() -> Value {
    json!({"method": "elicitation/create", "params": {"message": "who?", "requestedSchema": {"type": "object"}}})
}

impl Server {
    /// Makes a task of the next call.
    async fn make_task(&mut self) -> Value {
        let request = self.asked("tools/call").await;
        self.answer(&request, created()).await;
        request
    }

    /// Answers the next look at the task, and says how long it was waited for.
    async fn show(&mut self, task: Value) -> u128 {
        let begun = Instant::now();
        let request = self.asked("tasks/get").await;
        assert_eq!(request["params"]["taskId"], "t-1");
        self.answer(&request, task).await;
        begun.elapsed().as_millis()
    }

    async fn told_to_cancel(&mut self) {
        let request = self.asked("tasks/cancel").await;
        assert_eq!(request["params"]["taskId"], "t-1");
        self.answer(&request, json!({"resultType": "complete"})).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_becomes_a_task_is_waited_for_as_often_as_its_server_says() {
    let (client, mut server, _people) = connected().await;
    let call = call(&client);
    let request = server.make_task().await;
    let extensions = &request["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"]["extensions"];
    assert_eq!(*extensions, json!({"io.modelcontextprotocol/tasks": {}}));
    assert_eq!(request["params"].get("task"), None, "the server decides alone");
    let mut waits = Vec::new();
    waits.push(server.show(task("working")).await);
    waits.push(server.show(with(task("working"), json!({"pollIntervalMs": 500}))).await);
    waits.push(server.show(with(task("working"), json!({"pollIntervalMs": 0}))).await);
    // A word that is not known is no end.
    let mut unsaid = task("resting");
    unsaid.as_object_mut().expect("a task").remove("pollIntervalMs");
    waits.push(server.show(unsaid).await);
    waits.push(server.show(with(task("completed"), json!({"result": text("done")}))).await);
    let waits: Vec<_> = waits.iter().map(|wait| wait / 10 * 10).collect();
    assert_eq!(waits, [2000, 2000, 500, 50, 1000]);
    let result = call.await.expect("the task ends").expect("a result");
    assert_eq!(result.content[0].text.as_deref(), Some("done"));
    server.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_look_at_a_task_may_say_task_where_complete_is_meant() {
    let (client, mut server, _people) = connected().await;
    let call = call(&client);
    server.make_task().await;
    server.show(with(task("working"), json!({"resultType": "task"}))).await;
    let done = json!({"resultType": "task", "result": text("done")});
    server.show(with(task("completed"), done)).await;
    call.await.expect("the task ends").expect("a result");
}

#[tokio::test(start_paused = true)]
async fn a_task_ends_with_a_result_an_error_or_neither() {
    let check = async |end: Value, expected: Result<bool, &str>| {
        let (client, mut server, _people) = connected().await;
        let call = call(&client);
        server.make_task().await;
        server.show(end).await;
        let result = call.await.expect("the task ends");
        let result = result.map(|result| result.is_error).map_err(|error| error.to_string());
        assert_eq!(result, expected.map_err(str::to_owned));
        server.hears_nothing().await;
    };
    let failed_tool = json!({"content": [], "isError": true});
    check(with(task("completed"), json!({ "result": failed_tool })), Ok(true)).await;
    let error = json!({"error": {"code": -32603, "message": "broken"}});
    let expected = "the server answered tasks/get with an error: broken (code -32603)";
    check(with(task("failed"), error), Err(expected)).await;
    check(task("cancelled"), Err("the task \"t-1\" was cancelled")).await;
    let why = json!({"statusMessage": "no time"});
    check(with(task("cancelled"), why), Err("the task \"t-1\" was cancelled: no time")).await;
    let lacks =
        |name: &str| format!("the server's answer to tasks/get cannot be used: the task has no {name}");
    check(task("completed"), Err(&lacks("result"))).await;
    check(task("failed"), Err(&lacks("error"))).await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_no_longer_knows_the_task_fails_the_call() {
    let (client, mut server, _people) = connected().await;
    let call = call(&client);
    server.make_task().await;
    let request = server.asked("tasks/get").await;
    server.refuse(&request, json!({"code": -32602, "message": "unknown task"})).await;
    let error = call.await.expect("the task ends").expect_err("refused");
    assert!(matches!(error, CallError::ServerError { method: "tasks/get", .. }), "{error}");
}

#[tokio::test(start_paused = true)]
async fn each_thing_a_task_wants_to_know_is_answered_once() {
    let (client, mut server, mut people) = connected().await;
    let call = call(&client);
    server.make_task().await;
    let asks = |requests: Value| with(task("input_required"), json!({ "inputRequests": requests }));
    server.show(asks(json!({"a": who()}))).await;
    people.elicited().await.1.send(accept(json!({"name": "Ada"}))).unwrap();
    let update = server.asked("tasks/update").await;
    assert_eq!(update["params"]["taskId"], "t-1");
    assert_eq!(
        update["params"]["inputResponses"],
        json!({"a": {"action": "accept", "content": {"name": "Ada"}}})
    );
    server.answer(&update, json!({"resultType": "complete"})).await;
    // The server has not taken it in yet, and wants to know more.
    server.show(asks(json!({"a": who()}))).await;
    server.show(asks(json!({"a": who(), "b": {"method": "roots/list"}}))).await;
    people.roots().await.send(directories(json!([]))).unwrap();
    let update = server.asked("tasks/update").await;
    assert_eq!(update["params"]["inputResponses"], json!({"b": {"roots": []}}));
    server.answer(&update, json!({})).await;
    people.are_not_asked();
    server.show(with(task("completed"), json!({"result": text("done")}))).await;
    call.await.expect("the task ends").expect("a result");
}

#[tokio::test(start_paused = true)]
async fn a_task_whose_question_is_refused_is_cancelled() {
    let check = async |asked: Value, capabilities: Value, is_asked: bool| {
        let (options, mut people) = people(capabilities);
        let (client, mut server) = Server::connected(MODERN, options).await;
        let call = call(&client);
        server.make_task().await;
        server.show(with(task("input_required"), json!({ "inputRequests": asked }))).await;
        if is_asked {
            people.elicited().await.1.send(Err(Refusal::rejected("no"))).unwrap();
        }
        server.told_to_cancel().await;
        people.are_not_asked();
        call.await.expect("the task ends").expect_err("refused")
    };
    let error = check(json!({"a": who()}), everything(), true).await;
    assert!(matches!(error, CallError::InputRefused { .. }), "{error}");
    let undeclared = json!({"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}});
    let error = check(json!({"a": who(), "b": {"method": "roots/list"}}), undeclared, false).await;
    assert!(matches!(error, CallError::InputRefused { .. }), "{error}");
    let error = check(json!({"a": who(), "b": {"method": "tools/list"}}), everything(), false).await;
    assert!(matches!(error, CallError::ServerReplyInvalid { .. }), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_task_over_its_deadline_is_cancelled_as_a_task() {
    let (client, mut server, _people) = connected().await;
    let begun = Instant::now();
    let call = call(&client);
    server.make_task().await;
    let polls = async {
        loop {
            let request = server.next().await;
            if request["method"] == "tasks/cancel" {
                return request;
            }
            assert_eq!(request["method"], "tasks/get", "never notifications/cancelled");
            server.answer(&request, task("working")).await;
        }
    };
    let (cancel, result) = tokio::join!(polls, call);
    assert_eq!(cancel["params"]["taskId"], "t-1");
    let error = result.expect("the task ends").expect_err("it took too long");
    assert!(
        matches!(error, CallError::ServerTimedOut { method: "tools/call", after } if after.as_secs() == 60),
        "{error}"
    );
    assert_eq!(begun.elapsed().as_secs(), 60);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_of_a_task_does_not_run_while_a_person_is_asked() {
    let (client, mut server, mut people) = connected().await;
    let call = call(&client);
    server.make_task().await;
    server.show(with(task("input_required"), json!({"inputRequests": {"a": who()}}))).await;
    let (_, person) = people.elicited().await;
    tokio::time::sleep(Duration::from_secs(3600)).await;
    assert!(!call.is_finished(), "a person may take an hour");
    person.send(decline()).unwrap();
    let update = server.asked("tasks/update").await;
    server.answer(&update, json!({})).await;
    server.show(with(task("completed"), json!({"result": text("done")}))).await;
    call.await.expect("the task ends").expect("a result");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_cancels_its_task() {
    let (client, mut server, _people) = connected().await;
    let call = call(&client);
    server.make_task().await;
    server.hears_nothing().await;
    call.abort();
    server.told_to_cancel().await;
    server.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn input_may_be_needed_before_there_is_a_task() {
    let (client, mut server, mut people) = connected().await;
    let call = call(&client);
    let request = server.asked("tools/call").await;
    let needs = json!({"resultType": "input_required", "inputRequests": {"a": who()}, "requestState": "s"});
    server.answer(&request, needs).await;
    people.elicited().await.1.send(decline()).unwrap();
    let again = server.make_task().await;
    assert_eq!(again["params"]["requestState"], "s");
    server.show(with(task("completed"), json!({"result": text("done")}))).await;
    call.await.expect("the task ends").expect("a result");
}

#[tokio::test(start_paused = true)]
async fn a_task_that_nobody_offered_or_of_another_request_is_no_answer() {
    let unknown = "it has the unknown resultType \"task\"";
    for declared in [json!({}), json!({"extensions": {"example.com/tasks": {}}})] {
        let (client, mut server) = Server::connected(MODERN, declaring(declared)).await;
        let call = call(&client);
        server.make_task().await;
        let error = call.await.expect("the task ends").expect_err("not a result").to_string();
        assert!(error.ends_with(unknown), "{error}");
        let arguments = json!({});
        let (started, _) = tokio::join!(client.call_tool_as_task("x", &arguments, None), server.make_task());
        let error = started.expect_err("not a result").to_string();
        assert!(error.ends_with(unknown), "{error}");
    }
    let (client, mut server, _people) = connected().await;
    let (read, ()) = tokio::join!(client.read_resource("a:1").send(), async {
        let request = server.asked("resources/read").await;
        server.answer(&request, created()).await;
    });
    assert!(read.expect_err("not a result").to_string().ends_with(unknown));
    // And a task has to be one.
    let call = call(&client);
    let request = server.asked("tools/call").await;
    server.answer(&request, json!({"resultType": "task", "content": []})).await;
    let error = call.await.expect("the task ends").expect_err("not a result");
    assert!(matches!(error, CallError::ServerReplyInvalid { .. }), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_task_can_be_held_left_and_taken_up_again() {
    let (client, mut server, _people) = connected().await;
    let arguments = json!({});
    let (started, request) =
        tokio::join!(client.call_tool_as_task("x", &arguments, None), server.make_task());
    assert_eq!(request["params"].get("task"), None);
    let Started::Task(seen, handle) = started.expect("an answer") else { panic!("a task") };
    assert_eq!((seen.status, handle.id()), (TaskStatus::Working, "t-1"));
    let (status, _) =
        tokio::join!(handle.status(), server.show(with(task("working"), json!({"ttlMs": 5000}))));
    assert_eq!(status.expect("a task").lifetime(), TaskLifetime::Limited(Duration::from_secs(5)));
    drop(handle);
    server.hears_nothing().await;

    let (result, _) = tokio::join!(
        client.task("t-1").result(),
        server.show(with(task("completed"), json!({"result": text("done")})))
    );
    assert_eq!(result.expect("a result").content[0].text.as_deref(), Some("done"));
    let (cancelled, ()) = tokio::join!(client.task("t-1").cancel(), server.told_to_cancel());
    cancelled.expect("an answer");
    drop(client.task("t-1").cancelled_on_drop());
    server.told_to_cancel().await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_could_become_a_task_may_be_answered_at_once() {
    let (client, mut server, _people) = connected().await;
    let arguments = json!({});
    let (started, ()) = tokio::join!(client.call_tool_as_task("x", &arguments, None), async {
        let request = server.asked("tools/call").await;
        server.answer(&request, text("at once")).await;
    });
    let Started::Done(result) = started.expect("an answer") else { panic!("a result") };
    assert_eq!(result.content[0].text.as_deref(), Some("at once"));
}

#[tokio::test(start_paused = true)]
async fn there_is_no_list_of_tasks_in_the_modern_era() {
    let (client, mut server, _people) = connected().await;
    let error = client.list_tasks().await.expect_err("there is none");
    assert!(matches!(error, CallError::ServerLacks { capability: "tasks.list" }), "{error}");
    server.hears_nothing().await;
}
