//! Calls that become tasks, by the modern extension and as 2025-11-25 has them.

use crate::talk::{Talk, text};
use serde_json::{Value, json};

const DECLARED: &str = r#"{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;

fn modern(flags: &str) -> Talk {
    Talk::start(&format!("everything {flags}"), "2026-07-28", DECLARED)
}

fn legacy(flags: &str) -> Talk {
    Talk::start(&format!("everything {flags}"), "2025-11-25", r#"{"elicitation":{}}"#)
}

/// Calls a tool as a task of 2025-11-25.
fn begin(talk: &mut Talk, tool: &str) -> Value {
    let call = json!({"name": tool, "arguments": {"steps": 2}, "task": {"ttl": 5}});
    let made = talk.request("tools/call", call)["result"]["task"].take();
    assert_eq!((&made["status"], &made["ttl"]), (&json!("working"), &json!(5)));
    json!({"taskId": made["taskId"]})
}

/// Looks at a modern task until its status is another than `working`.
fn wait(talk: &mut Talk, task: &Value) -> Value {
    for _ in 0..10 {
        let seen = talk.request("tasks/get", task.clone())["result"].take();
        if seen["status"] != "working" {
            return seen;
        }
    }
    panic!("the task does not move")
}

#[test]
fn a_modern_call_becomes_a_task_and_its_interval_changes() {
    let mut talk = modern("--tasks optional --poll 7");
    let made = talk.call("job", json!({"steps": 2}));
    assert_eq!((&made["resultType"], &made["status"]), (&json!("task"), &json!("working")));
    assert_eq!((&made["pollIntervalMs"], &made["ttlMs"]), (&json!(7), &json!(60_000)));
    let task = json!({"taskId": made["taskId"]});
    let first = talk.request("tasks/get", task.clone())["result"].take();
    assert_eq!((&first["resultType"], &first["pollIntervalMs"]), (&json!("complete"), &json!(14)));
    let done = wait(&mut talk, &task);
    assert_eq!((&done["status"], text(&done["result"])), (&json!("completed"), "done after 2 steps"));
    for gone in ["tasks/list", "tasks/result"] {
        assert_eq!(talk.request(gone, task.clone())["error"]["code"], -32601);
    }
    let mut talk = modern("--tasks optional --get-as-task");
    let made = talk.call("job", json!({}));
    assert_eq!(talk.request("tasks/get", json!({"taskId": made["taskId"]}))["result"]["resultType"], "task");
}

#[test]
fn modern_tasks_fail_refuse_stop_or_are_lost() {
    let mut talk = modern("--tasks optional");
    let mut begin = |tool: &str| json!({"taskId": talk.call(tool, json!({"steps": 2}))["taskId"]});
    let [fail, refuse, stuck, stubborn, lost] =
        ["job_fail", "job_refuse", "job_stuck", "job_stubborn", "job_lost"].map(&mut begin);
    assert_eq!(wait(&mut talk, &fail)["error"]["code"], -32603);
    let refused = wait(&mut talk, &refuse);
    assert_eq!((&refused["status"], &refused["result"]["isError"]), (&json!("completed"), &json!(true)));
    for (task, status) in [(stuck, "cancelled"), (stubborn, "completed")] {
        assert_eq!(talk.request("tasks/cancel", task.clone())["result"]["resultType"], "complete");
        assert_eq!(wait(&mut talk, &task)["status"], status);
    }
    assert_eq!(talk.request("tasks/get", lost)["error"]["code"], -32602);
}

#[test]
fn a_modern_task_asks_and_takes_partial_answers_once() {
    let mut talk = modern("--tasks required");
    let task = json!({"taskId": talk.call("job_ask", json!({}))["taskId"]});
    let keys = |seen: &Value| seen["inputRequests"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let asked = wait(&mut talk, &task);
    assert_eq!(
        (&asked["status"], keys(&asked)),
        (&json!("input_required"), vec!["first".to_owned(), "second".to_owned()])
    );
    let update = |talk: &mut Talk, key: &str| {
        let answer = json!({key: {"action": "accept", "content": {"name": "Ann"}}});
        talk.request("tasks/update", json!({"taskId": task["taskId"], "inputResponses": answer}))
    };
    assert_eq!(update(&mut talk, "second")["result"]["resultType"], "complete");
    assert_eq!(keys(&wait(&mut talk, &task)), ["first", "second"]);
    assert_eq!(keys(&wait(&mut talk, &task)), ["first"]);
    assert_eq!(update(&mut talk, "second")["error"]["code"], -32602);
    update(&mut talk, "first");
    wait(&mut talk, &task);
    let done = wait(&mut talk, &task);
    assert!(text(&done["result"]).starts_with("second elicitation/create {"), "{done}");
}

#[test]
fn a_client_without_tasks_gets_a_result_or_an_error() {
    let mut talk = Talk::start("everything --tasks optional", "2026-07-28", "{}");
    assert_eq!(text(&talk.call("job", json!({}))), "done after 3 steps");
    let needed = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    let refused = |answer: Value| {
        assert_eq!(answer["error"]["code"], -32021, "{answer}");
        assert_eq!(answer["error"]["data"]["requiredCapabilities"], needed);
    };
    refused(talk.request("tasks/get", json!({"taskId": "x"})));
    refused(talk.request("subscriptions/listen", json!({"notifications": {"taskIds": ["x"]}})));
    let mut talk = Talk::start("everything --tasks required", "2026-07-28", "{}");
    refused(talk.request("tools/call", json!({"name": "job"})));
}

#[test]
fn a_modern_subscription_hears_of_its_tasks() {
    let mut talk = modern("--tasks optional");
    let id = talk.call("job", json!({"steps": 1}))["taskId"].take();
    talk.send("subscriptions/listen", json!({"notifications": {"taskIds": [id]}}));
    assert_eq!(talk.hear()["params"]["notifications"]["taskIds"], json!([id]));
    assert_eq!(text(&talk.call("advance", json!({"taskId": id}))), "completed");
    let told = talk.beside.pop().unwrap();
    assert_eq!(told["method"], "notifications/tasks");
    assert_eq!(
        (&told["params"]["status"], text(&told["params"]["result"])),
        (&json!("completed"), "done after 1 steps")
    );
}

#[test]
fn a_legacy_task_is_looked_at_listed_cancelled_and_has_a_result() {
    let mut talk = legacy("--tasks optional");
    assert!(talk.opened["capabilities"]["tasks"]["requests"]["tools"]["call"].is_object());
    let [job, fail, refuse, stuck] =
        ["job", "job_fail", "job_refuse", "job_stuck"].map(|tool| begin(&mut talk, tool));
    assert_eq!(talk.request("tasks/get", job.clone())["result"]["taskId"], job["taskId"]);
    let done = talk.request("tasks/result", job.clone())["result"].take();
    assert_eq!(done["_meta"]["io.modelcontextprotocol/related-task"], job);
    assert_eq!(text(&done), "done after 2 steps");
    assert_eq!(talk.request("tasks/result", fail)["error"]["code"], -32603);
    assert_eq!(talk.request("tasks/result", refuse.clone())["result"]["isError"], true);
    assert_eq!(talk.request("tasks/get", refuse)["result"]["status"], "failed");
    let waits = talk.send("tasks/result", stuck.clone());
    assert_eq!(talk.request("tasks/cancel", stuck.clone())["result"]["status"], "cancelled");
    talk.beside.retain(|message| message.get("method").is_none());
    let ended = talk.beside.pop().unwrap_or_else(|| talk.answer(&waits));
    assert_eq!(ended["error"]["message"], "the task was cancelled");
    assert_eq!(talk.request("tasks/cancel", stuck)["error"]["code"], -32602);
    let page = talk.request("tasks/list", json!({}))["result"].take();
    let next = talk.request("tasks/list", json!({"cursor": page["nextCursor"]}))["result"].take();
    assert_eq!(page["tasks"].as_array().unwrap().len() + next["tasks"].as_array().unwrap().len(), 4);
    assert!(next.get("nextCursor").is_none());
}

#[test]
fn a_legacy_task_asks_while_its_result_is_awaited() {
    let mut talk = legacy("--tasks required");
    let task = begin(&mut talk, "job_ask");
    talk.request("tasks/get", task.clone());
    assert_eq!(talk.request("tasks/get", task.clone())["result"]["status"], "input_required");
    talk.beside.clear();
    let id = talk.send("tasks/result", task.clone());
    for _ in 0..2 {
        let asked = talk.hear();
        assert_eq!(asked["params"]["_meta"]["io.modelcontextprotocol/related-task"], task);
        talk.respond(&asked["id"], &json!({"action": "decline"}));
    }
    let done = talk.answer(&id)["result"].take();
    assert_eq!(text(&done).lines().count(), 2, "{done}");
}

#[test]
fn a_task_must_fit_its_tool() {
    let mut talk = legacy("--tasks required");
    let call = |name: &str, task: bool| {
        if task { json!({"name": name, "task": {}}) } else { json!({"name": name}) }
    };
    assert_eq!(talk.request("tools/call", call("job", false))["error"]["code"], -32601);
    assert_eq!(talk.request("tools/call", call("echo", true))["error"]["code"], -32601);
    let mut talk = legacy("--tasks optional");
    assert_eq!(text(&talk.call("job", json!({}))), "done after 3 steps");
    let mut talk = legacy("");
    assert!(talk.opened["capabilities"].get("tasks").is_none());
    assert_eq!(talk.request("tasks/list", json!({}))["error"]["code"], -32601);
}
