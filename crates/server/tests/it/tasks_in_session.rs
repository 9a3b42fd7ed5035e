//! Tasks of 2025-11-25.

use std::time::Duration;

use serde_json::{Value, json};

use crate::drive::{Client, request};
use crate::fixture::server;

const REVISION: &str = "2025-11-25";
const RELATED: &str = "io.modelcontextprotocol/related-task";

/// Starts a task; other messages may come before what is asked for.
async fn start(client: &mut Client, tool: &str, arguments: Value, ttl: Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments, "task": {"ttl": ttl}});
    let answer = answer(client, &request("start", "tools/call", params)).await;
    answer["result"]["task"].clone()
}

/// Asks, and gives the answer; statuses that come before are passed over.
async fn answer(client: &mut Client, message: &Value) -> Value {
    client.send(message).await;
    until(client, |said| said["id"] == message["id"]).await
}

async fn until(client: &mut Client, wanted: impl Fn(&Value) -> bool) -> Value {
    loop {
        let said = client.next().await;
        if wanted(&said) {
            return said;
        }
    }
}

fn of_task(id: &Value, method: &str, task: &Value) -> Value {
    request(id.clone(), method, json!({"taskId": task["taskId"]}))
}

#[tokio::test(start_paused = true)]
async fn a_task_that_a_client_asks_for_keeps_its_result_for_as_long_as_it_likes() {
    let (server, _) = server();
    let mut client = Client::judging(&server, REVISION);
    let opened = client.open(REVISION, json!({})).await;
    let capability = json!({"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}});
    assert_eq!(opened["result"]["capabilities"]["tasks"], capability);
    for (wanted, given) in [(json!(20_000), 20_000), (json!(999_999), 60_000), (json!(0), 1000)] {
        let task = start(&mut client, "only_task", json!({"text": "x"}), wanted).await;
        assert_eq!((&task["ttl"], &task["pollInterval"]), (&json!(given), &json!(50)));
        let result = answer(&mut client, &of_task(&json!(1), "tasks/result", &task)).await;
        assert_eq!(result["result"]["content"][0]["text"], "x");
        assert_eq!(result["result"]["_meta"][RELATED]["taskId"], task["taskId"]);
        let stands = answer(&mut client, &of_task(&json!(2), "tasks/get", &task)).await;
        assert_eq!(stands["result"]["status"], "completed");
        let late = answer(&mut client, &of_task(&json!(3), "tasks/cancel", &task)).await;
        assert_eq!(late["error"]["code"], -32602, "it is over: {late}");
        tokio::time::advance(Duration::from_millis(given)).await;
        let gone = answer(&mut client, &of_task(&json!(4), "tasks/get", &task)).await;
        assert_eq!(gone["error"]["code"], -32602, "{gone}");
    }
    let task = start(&mut client, "only_task", json!({"text": "x", "times": 9}), json!(1000)).await;
    let told = until(&mut client, |said| said["params"]["status"] == "failed").await;
    assert_eq!(
        (&told["method"], &told["params"]["taskId"]),
        (&json!("notifications/tasks/status"), &task["taskId"])
    );
    let result = answer(&mut client, &of_task(&json!(5), "tasks/result", &task)).await;
    assert_eq!(result["result"]["isError"], true, "a result that says it is an error makes a failed task");
    client.close().await;
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_for_the_result_is_asked_what_the_task_wants_to_know() {
    let (server, _) = server();
    let mut client = Client::judging(&server, REVISION);
    client.open(REVISION, json!({"elicitation": {}, "roots": {}})).await;
    let task = start(&mut client, "interview_task", json!({}), json!(null)).await;
    let told = until(&mut client, |said| said["params"]["status"] == "input_required").await;
    assert_eq!(told["params"]["taskId"], task["taskId"]);
    client.send(&of_task(&json!(7), "tasks/result", &task)).await;
    let asked = |method: &'static str| move |said: &Value| said["method"] == method;
    let first = until(&mut client, asked("elicitation/create")).await;
    assert_eq!(first["params"]["_meta"][RELATED]["taskId"], task["taskId"]);
    // Another who waits is asked, too, and one answer is enough.
    client.send(&of_task(&json!(8), "tasks/result", &task)).await;
    let again = until(&mut client, asked("elicitation/create")).await;
    assert_ne!(again["id"], first["id"]);
    let name = |asked: &Value, name: &str| json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept", "content": {"name": name}}});
    client.send(&name(&again, "A")).await;
    // Both are asked both questions.
    let mut open = Vec::new();
    while open.len() < 4 {
        open.push(until(&mut client, |said| said.get("method").is_some() && said.get("id").is_some()).await);
    }
    for asked in &open {
        match asked["method"].as_str() {
            Some("roots/list") => {
                client.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": []}})).await;
            }
            _ => client.send(&name(asked, "B")).await,
        }
    }
    let mut answers = [0, 0];
    for answered in &mut answers {
        let answer = until(&mut client, |said| said["id"] == 7 || said["id"] == 8).await;
        assert_eq!(answer["result"]["content"][0]["text"], r#"1 "A" "B" 0"#, "{answer}");
        *answered = answer["id"].as_i64().unwrap_or_default();
    }
    answers.sort_unstable();
    assert_eq!(answers, [7, 8]);
    client.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_client_that_cannot_be_asked_waits_for_the_result_and_is_not_asked() {
    let (server, _) = server();
    let mut able = Client::judging(&server, REVISION);
    able.open(REVISION, json!({"elicitation": {}, "roots": {}})).await;
    let task = start(&mut able, "interview_task", json!({}), json!(null)).await;
    let mut unable = Client::judging(&server, REVISION);
    unable.open(REVISION, json!({})).await;
    unable.send(&of_task(&json!(7), "tasks/result", &task)).await;
    able.send(&of_task(&json!(8), "tasks/result", &task)).await;
    until(&mut able, |said| said["method"] == "elicitation/create").await;
    let pong = unable.ask(&request(9, "ping", json!({}))).await;
    assert_eq!(pong["id"], 9, "{pong}");
    answer(&mut able, &of_task(&json!(10), "tasks/cancel", &task)).await;
    assert_eq!(unable.next().await["id"], 7);
    unable.close().await;
    able.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_task_is_cancelled_and_whoever_waits_for_it_is_told() {
    let (server, _) = server();
    let mut client = Client::judging(&server, REVISION);
    client.open(REVISION, json!({"elicitation": {}, "roots": {}})).await;
    let task = start(&mut client, "interview_task", json!({}), json!(null)).await;
    client.send(&of_task(&json!(7), "tasks/result", &task)).await;
    let asked = until(&mut client, |said| said["method"] == "elicitation/create").await;
    let cancelled = answer(&mut client, &of_task(&json!(9), "tasks/cancel", &task)).await;
    assert_eq!(cancelled["result"]["status"], "cancelled");
    let mut said = Vec::new();
    while said.len() < 2 {
        said.push(until(&mut client, |said| said["method"] != "notifications/tasks/status").await);
    }
    let taken_back = said.iter().find(|said| said["method"] == "notifications/cancelled");
    assert_eq!(taken_back.map(|said| &said["params"]["requestId"]), Some(&asked["id"]), "{said:?}");
    let refused = said.iter().find(|said| said["id"] == 7);
    assert_eq!(refused.map(|said| &said["error"]["code"]), Some(&json!(-32602)), "{said:?}");
    client.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_session_lists_its_own_tasks_a_page_at_a_time() {
    let (server, _) = server();
    let mut other = Client::judging(&server, REVISION);
    other.open(REVISION, json!({})).await;
    start(&mut other, "only_task", json!({"text": "x"}), json!(null)).await;
    let mut client = Client::judging(&server, REVISION);
    client.open(REVISION, json!({})).await;
    let mut made = Vec::new();
    for _ in 0..101 {
        made.push(start(&mut client, "only_task", json!({"text": "x"}), json!(null)).await["taskId"].clone());
    }
    let page = answer(&mut client, &request(1, "tasks/list", json!({}))).await["result"].take();
    let next = request(2, "tasks/list", json!({"cursor": page["nextCursor"]}));
    let rest = answer(&mut client, &next).await["result"].take();
    assert_eq!(rest.get("nextCursor"), None);
    let tasks = |page: &Value| page["tasks"].as_array().cloned().unwrap_or_default();
    let mut listed: Vec<Value> =
        [tasks(&page), tasks(&rest)].concat().iter().map(|task| task["taskId"].clone()).collect();
    assert_eq!(tasks(&page).len(), 100);
    listed.sort_by_key(Value::to_string);
    made.sort_by_key(Value::to_string);
    assert_eq!(listed, made);
    let wrong = answer(&mut client, &request(3, "tasks/list", json!({"cursor": "7"}))).await;
    assert_eq!(wrong["error"]["code"], -32602);
    client.close().await;
    other.close().await;
}

#[tokio::test]
async fn tools_say_how_they_run_and_are_held_to_it() {
    let (server, _) = server();
    let mut client = Client::judging(&server, REVISION);
    client.open(REVISION, json!({})).await;
    let mut support = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let params = if cursor.is_null() { json!({}) } else { json!({"cursor": cursor}) };
        let page = answer(&mut client, &request(1, "tools/list", params)).await["result"].take();
        for tool in page["tools"].as_array().expect("a list") {
            if let Some(told) = tool["execution"]["taskSupport"].as_str() {
                support.push(format!("{} {told}", tool["name"].as_str().unwrap_or_default()));
            }
        }
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(support, ["interview_task optional", "only_task required"]);
    for (what, params, code) in [
        ("no task of this", json!({"name": "echo", "arguments": {"text": "x"}, "task": {}}), -32601),
        ("a task only", json!({"name": "only_task", "arguments": {"text": "x"}}), -32601),
        ("no form of a task", json!({"name": "only_task", "arguments": {"text": "x"}, "task": 5}), -32602),
        ("no time", json!({"name": "only_task", "arguments": {"text": "x"}, "task": {"ttl": "x"}}), -32602),
    ] {
        let answer = answer(&mut client, &request(1, "tools/call", params)).await;
        assert_eq!(answer["error"]["code"], code, "{what}: {answer}");
    }
    client.close().await;
}

#[tokio::test]
async fn earlier_revisions_have_no_tasks_and_wait_for_the_answer() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18"] {
        let (server, _) = server();
        let mut client = Client::judging(&server, revision);
        let opened = client.open(revision, json!({})).await;
        assert_eq!(opened["result"]["capabilities"].get("tasks"), None);
        let call = json!({"name": "only_task", "arguments": {"text": "x"}, "task": {}});
        let answer = client.ask(&request(1, "tools/call", call)).await;
        assert_eq!(answer["result"]["content"][0]["text"], "x");
        for method in ["tasks/get", "tasks/result", "tasks/list", "tasks/cancel"] {
            let answer = client.ask(&request(1, method, json!({"taskId": "x"}))).await;
            assert_eq!(answer["error"]["code"], -32601, "{revision} {method}");
        }
        client.close().await;
    }
}

#[tokio::test]
async fn a_task_of_one_era_is_not_there_in_the_other() {
    let (server, _) = server();
    let mut client = Client::of(&server);
    client.open(REVISION, json!({})).await;
    let task = start(&mut client, "only_task", json!({"text": "x"}), json!(null)).await;
    let able = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    let asked = crate::drive::modern(1, "tasks/get", json!({"taskId": task["taskId"]}), able);
    assert_eq!(answer(&mut client, &asked).await["error"]["code"], -32602);
    client.close().await;
}
