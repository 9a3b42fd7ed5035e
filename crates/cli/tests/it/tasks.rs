//! Calls that become tasks, and the tasks of a server.

use codewhale_cli::Exit;
use serde_json::{Value, json};

use crate::world::{Machine, SECOND, answer, discovered, error};

const THIRD: u64 = 2 * (SECOND - 1) + 1;

fn machine(era: &str, support: &str) -> Machine {
    let machine = Machine::new();
    machine.with_fakes(&[("s", &["everything", "--era", era, "--tasks", support, "--poll", "10"])]);
    machine
}

/// A modern server with a task that stands like this each time it is looked at.
fn with_task(looks: &[Value]) -> Machine {
    let machine = Machine::new();
    let extensions = json!({"io.modelcontextprotocol/tasks": {}});
    let start = [discovered(json!({"extensions": extensions}))];
    // Two requests that wait for one another take the same place in turn.
    let looks: Vec<[Value; 1]> = looks
        .iter()
        .enumerate()
        .map(|(at, look)| [answer(1 + (at as u64 + 1) * (SECOND - 1), look.clone())])
        .collect();
    let mut answers: Vec<&[Value]> = vec![&start];
    answers.extend(looks.iter().map(|look| &look[..]));
    machine.with_canned("s", &answers);
    machine
}

fn task(status: &str, more: Value) -> Value {
    let mut task = json!({
        "taskId": "t-1", "status": status, "statusMessage": "step 1\u{1b}[2J", "createdAt": "2026-07-28T00:00:00Z",
        "lastUpdatedAt": "2026-07-28T00:00:01Z", "ttlMs": 60000, "pollIntervalMs": 1,
    });
    let more = more.as_object().expect("members").clone();
    task.as_object_mut().expect("an object").extend(more);
    task
}

#[test]
fn a_tool_that_has_to_be_a_task_is_called_as_one_and_waited_for() {
    for (era, support) in
        [("legacy", "required"), ("legacy", "optional"), ("modern", "required"), ("modern", "optional")]
    {
        let machine = machine(era, support);
        machine.run(&["mcp", "call", "s", "job", "steps=2"]).ends(Exit::Ok).prints("done after 2 steps");
        machine.run(&["mcp", "call", "s", "job_refuse"]).ends(Exit::ToolFailed).prints("denied");
    }
    for era in ["legacy", "modern"] {
        let machine = machine(era, "required");
        machine.write(&machine.work().join("a.json"), r#"{"name": "Ada"}"#);
        let ran = machine.run(&["mcp", "call", "s", "job_ask", "--answers", "a.json"]).ends(Exit::Ok);
        assert_eq!(ran.stdout.matches("\"Ada\"").count(), 2, "{ran}");
        machine.run(&["mcp", "call", "s", "job_fail"]).ends(Exit::Failed).says("the job broke");
        let stuck = ["mcp", "call", "s", "job_stuck", "--timeout", "0.5"];
        machine.run(&stuck).ends(Exit::TimedOut).says("within 0.5 s");
    }
}

#[test]
fn a_call_can_be_left_as_a_task_and_says_how_it_is_taken_up_again() {
    for era in ["legacy", "modern"] {
        let machine = machine(era, "optional");
        let ran = machine.run(&["mcp", "call", "s", "job", "--task"]).ends(Exit::Ok);
        let id = ran.stdout.trim().to_owned();
        assert!(id.starts_with("task/"), "{ran}");
        ran.says(&format!("codewhale mcp tasks s {id} --wait")).says("only if the server keeps it");
        let json = machine.json(&["mcp", "call", "s", "job", "--task"]);
        assert_eq!(
            (&json["server"], &json["tool"], &json["task"]["status"]),
            (&json!("s"), &json!("job"), &json!("working"))
        );
        machine.run(&["mcp", "call", "s", "echo", "text=hi", "--task"]).ends(Exit::Ok).prints("hi");
    }
    let no_tasks = Machine::new();
    no_tasks.with_fakes(&[("s", &["plain"])]);
    let ran = no_tasks.run(&["mcp", "call", "s", "echo", "text=hi", "--task"]).ends(Exit::Ok).prints("hi");
    ran.says("makes no tasks of calls");
}

#[test]
fn a_task_is_shown_as_it_stands() {
    let machine = with_task(&[task("working", json!({}))]);
    let ran = machine.run(&["mcp", "tasks", "s", "t-1"]).ends(Exit::Ok).hides("\u{1b}");
    let ran =
        ran.prints("task          t-1").prints("status        working").prints("kept          for 60 s");
    ran.prints("step 1\\u{1b}[2J").prints("2026-07-28T00:00:00Z");
    let json = machine.json(&["mcp", "tasks", "s", "t-1"]);
    assert_eq!((&json["server"], &json["task"]["taskId"]), (&json!("s"), &json!("t-1")));
}

#[test]
fn a_task_is_waited_for_and_its_result_is_that_of_a_call() {
    let result = |is_error: bool| json!({"result": {"content": [{"type": "text", "text": "it is done"}], "isError": is_error}});
    let looks = |is_error| {
        [task("working", json!({})), task("working", json!({})), task("completed", result(is_error))]
    };
    let wait = ["mcp", "tasks", "s", "t-1", "--wait"];
    with_task(&looks(false)).run(&wait).ends(Exit::Ok).prints("it is done");
    with_task(&looks(true))
        .run(&wait)
        .ends(Exit::ToolFailed)
        .prints("it is done")
        .says("ended with an error");
    let json = with_task(&looks(false)).json(&wait);
    assert_eq!((&json["task_id"], &json["is_error"]), (&json!("t-1"), &json!(false)));
    assert_eq!(json["result"]["content"][0]["text"], "it is done");
    with_task(&[task("cancelled", json!({}))]).run(&wait).ends(Exit::Failed).says("was cancelled");
    let broken = json!({"error": {"code": -32603, "message": "it broke"}});
    with_task(&[task("failed", broken)]).run(&wait).ends(Exit::Failed).says("it broke");
}

#[test]
fn a_task_is_cancelled_and_shown_as_it_stands_then() {
    let cancel = ["mcp", "tasks", "s", "t-1", "--cancel"];
    let machine = with_task(&[json!({}), task("cancelled", json!({}))]);
    machine.run(&cancel).ends(Exit::Ok).prints("cancelled");
    // It may end otherwise all the same.
    with_task(&[json!({}), task("completed", json!({}))]).run(&cancel).ends(Exit::Ok).prints("completed");
    let machine = Machine::new();
    let extensions = json!({"io.modelcontextprotocol/tasks": {}});
    let start = [discovered(json!({"extensions": extensions}))];
    machine.with_canned("s", &[&start, &[answer(SECOND, json!({}))], &[error(THIRD, -32602)]]);
    machine.run(&cancel).ends(Exit::Ok).says("knows the task no more");
    assert_eq!(machine.json(&cancel)["task"], Value::Null);
}

#[test]
fn tasks_are_listed_where_there_is_such_a_list() {
    let legacy = machine("legacy", "optional");
    legacy.run(&["mcp", "tasks", "s"]).ends(Exit::Ok).says("s has no tasks");
    assert_eq!(legacy.json(&["mcp", "tasks", "s"])["tasks"], json!([]));
    let ran = machine("modern", "optional").run(&["mcp", "tasks", "s"]).ends(Exit::Failed);
    ran.says("does not offer tasks.list");
    for (era, id) in [("legacy", "nope"), ("modern", "nope")] {
        let machine = machine(era, "optional");
        for wish in [&[][..], &["--wait"], &["--cancel"]] {
            let ran = machine.run(&[&["mcp", "tasks", "s", id], wish].concat()).ends(Exit::Failed);
            ran.says("-32602").says("may forget its tasks");
        }
    }
    legacy.run(&["mcp", "tasks", "s", "--wait"]).ends(Exit::Usage).says("name the task");
    legacy.run(&["mcp", "tasks", "s", "a", "--wait", "--cancel"]).ends(Exit::Usage);

    let machine = Machine::new();
    let shaken = json!({
        "protocolVersion": "2025-11-25", "capabilities": {"tasks": {"list": {}}},
        "serverInfo": {"name": "s", "version": "1"},
    });
    let page = |id: &str, next: Option<&str>| json!({"tasks": [{"taskId": id, "status": "working", "createdAt": "2026-07-28T00:00:00Z", "ttl": null}], "nextCursor": next});
    machine.with_canned(
        "s",
        &[
            &[error(1, -32601)],
            &[answer(SECOND, shaken)],
            &[],
            &[answer(THIRD, page("one", Some("2")))],
            &[answer(THIRD + SECOND - 1, page("two", None))],
        ],
    );
    machine.run(&["mcp", "tasks", "s"]).ends(Exit::Ok).prints("one   working").prints("two   working");
}
