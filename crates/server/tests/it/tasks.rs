//! The tasks extension.

use std::time::Duration;

use serde_json::{Value, json};

use crate::drive::{Client, modern};
use crate::fixture::server;

fn able() -> Value {
    json!({"extensions": {"io.modelcontextprotocol/tasks": {}}, "elicitation": {}, "roots": {}})
}

async fn start(client: &mut Client, tool: &str, arguments: Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    let answer = client.ask(&modern(1, "tools/call", params, able())).await;
    assert_eq!(answer["result"]["resultType"], "task", "{answer}");
    answer["result"].clone()
}

async fn task(client: &mut Client, method: &str, mut params: Value, id: &Value) -> Value {
    params["taskId"] = id.clone();
    client.ask(&modern("t", method, params, able())).await
}

/// Asks until the task stands so.
async fn until(client: &mut Client, id: &Value, status: &str) -> Value {
    loop {
        let answer = task(client, "tasks/get", json!({}), id).await;
        assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
        if answer["result"]["status"] == status {
            return answer["result"].clone();
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_goes_on_after_its_answer_and_keeps_its_result() {
    let (server, _) = server();
    let mut client = Client::judging(&server, "2026-07-28");
    let made = start(&mut client, "only_task", json!({"text": "x"})).await;
    assert_eq!((&made["ttlMs"], &made["pollIntervalMs"]), (&json!(60_000), &json!(50)));
    assert_eq!(made["taskId"].as_str().map(str::len), Some(32));
    let done = until(&mut client, &made["taskId"], "completed").await;
    assert_eq!(done["result"]["content"][0]["text"], "x");
    let refused = start(&mut client, "only_task", json!({"text": "x", "times": 9})).await;
    let done = until(&mut client, &refused["taskId"], "completed").await;
    assert_eq!(done["result"]["isError"], true);
    tokio::time::advance(Duration::from_secs(61)).await;
    let gone = task(&mut client, "tasks/get", json!({}), &made["taskId"]).await;
    assert_eq!(gone["error"]["code"], -32602);
}

#[tokio::test(start_paused = true)]
async fn a_task_asks_as_part_of_its_state() {
    let (server, _) = server();
    let mut client = Client::judging(&server, "2026-07-28");
    let made = start(&mut client, "interview_task", json!({})).await;
    let id = &made["taskId"];
    let open = until(&mut client, id, "input_required").await;
    assert_eq!(open["inputRequests"]["first"]["method"], "elicitation/create");
    let name = |name: &str| json!({"action": "accept", "content": {"name": name}});
    let update = json!({"inputResponses": {"first": name("A"), "unknown": {}}});
    let answer = task(&mut client, "tasks/update", update, id).await;
    assert_eq!(answer["result"]["resultType"], "complete");
    loop {
        let open = until(&mut client, id, "input_required").await;
        if open["inputRequests"].as_object().map(serde_json::Map::len) == Some(2) {
            break;
        }
    }
    task(&mut client, "tasks/update", json!({"inputResponses": {"third": {"roots": []}}}), id).await;
    let open = until(&mut client, id, "input_required").await;
    assert_eq!(open["inputRequests"].as_object().map(serde_json::Map::len), Some(1));
    task(&mut client, "tasks/update", json!({"inputResponses": {"second": name("B")}}), id).await;
    let done = until(&mut client, id, "completed").await;
    assert_eq!(done["result"]["content"][0]["text"], r#"1 "A" "B" 0"#);
}

#[tokio::test(start_paused = true)]
async fn a_task_is_cancelled_and_heard_of() {
    let (server, _) = server();
    let mut client = Client::judging(&server, "2026-07-28");
    let made = start(&mut client, "interview_task", json!({})).await;
    until(&mut client, &made["taskId"], "input_required").await;
    let wishes = json!({"notifications": {"taskIds": [made["taskId"], "unknown"]}});
    let told = client.ask(&modern("l", "subscriptions/listen", wishes, able())).await;
    assert_eq!(told["params"]["notifications"], json!({"taskIds": [made["taskId"]]}));
    let params = json!({"taskId": made["taskId"]});
    client.send(&modern("c", "tasks/cancel", params, able())).await;
    let mut said = [client.next().await, client.next().await];
    said.sort_by_key(|message| message.get("id").is_some());
    assert_eq!(
        (&said[0]["method"], &said[0]["params"]["status"]),
        (&json!("notifications/tasks"), &json!("cancelled"))
    );
    assert_eq!(said[0]["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "l");
    assert_eq!(said[1]["id"], "c");
    until(&mut client, &made["taskId"], "cancelled").await;
}

#[tokio::test]
async fn who_does_not_declare_tasks_gets_none() {
    let (server, _) = server();
    let mut client = Client::judging(&server, "2026-07-28");
    let required = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    for (method, params) in [
        ("tools/call", json!({"name": "only_task", "arguments": {"text": "x"}})),
        ("tasks/get", json!({"taskId": "x"})),
        ("tasks/update", json!({"taskId": "x", "inputResponses": {}})),
        ("tasks/cancel", json!({"taskId": "x"})),
    ] {
        let answer = client.ask(&modern(1, method, params.clone(), json!({}))).await;
        assert_eq!(answer["error"]["code"], -32021, "{answer}");
        assert_eq!(answer["error"]["data"]["requiredCapabilities"], required);
        if method != "tools/call" {
            let answer = client.ask(&modern(1, method, params, able())).await;
            assert_eq!(answer["error"]["code"], -32602, "there is no such task: {answer}");
        }
    }
    let able_to_answer = json!({"elicitation": {}, "roots": {}});
    let answer =
        client.ask(&modern(1, "tools/call", json!({"name": "interview_task"}), able_to_answer)).await;
    assert_eq!(answer["result"]["resultType"], "input_required", "without tasks it asks at once");
}
