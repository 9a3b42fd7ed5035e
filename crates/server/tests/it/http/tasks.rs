//! Tasks of 2025-11-25: whose they are, and on which stream they ask.

use codewhale_mcp_server::http::Options;
use serde_json::{Value, json};

use super::authorized::{guarded, with_token};
use super::sessions::{begin, begin_as, within};
use super::wire::{Wire, ask};
use super::world::World;

const REVISION: &str = "2025-11-25";

fn message(id: u64, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn later(id: u64) -> Value {
    message(id, "tools/call", &json!({ "name": "ask_later", "task": {} }))
}

#[tokio::test]
async fn what_a_task_wants_to_know_is_asked_on_the_stream_of_whoever_waits_for_it() {
    let world = World::start(Options::default()).await;
    let name = begin(&world, REVISION).await;
    let made = ask(world.address, &within(&name, REVISION, &later(1))).await.json();
    let id = json!({ "taskId": made["result"]["task"]["taskId"] });
    let mut wire = Wire::open(world.address).await;
    wire.send(&within(&name, REVISION, &message(2, "tasks/result", &id))).await;
    let primed = wire.event_after_head().await;
    assert_eq!(primed.data.as_deref(), Some(""));
    let question = wire.event().await.expect("it asks").message();
    assert_eq!(question["params"]["_meta"]["io.modelcontextprotocol/related-task"], id);
    let result = json!({ "action": "accept", "content": { "name": "Ada" } });
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": result });
    assert_eq!(ask(world.address, &within(&name, REVISION, &answer)).await.head.status, 202);
    let answer = wire.event().await.expect("it answers").message();
    assert_eq!((&answer["id"], &answer["result"]["content"][0]["text"]), (&json!(2), &json!("Ada")));
}

#[tokio::test]
async fn a_task_is_there_for_its_principal_in_any_session_and_for_nobody_else() {
    let world = guarded().await;
    let begun = begin_as(&world, REVISION, Some("ada")).await;
    let made = ask(world.address, &with_token(within(&begun, REVISION, &later(1)), "ada")).await.json();
    let id = json!({ "taskId": made["result"]["task"]["taskId"] });
    for (who, listed, code) in [("ada", 1, 0), ("bob", 0, -32602)] {
        let session = begin_as(&world, REVISION, Some(who)).await;
        let asked = async |method: &str, params: &Value| {
            let request = within(&session, REVISION, &message(2, method, params));
            ask(world.address, &with_token(request, who)).await
        };
        let list = asked("tasks/list", &json!({})).await.json();
        assert_eq!(list["result"]["tasks"].as_array().map(Vec::len), Some(listed), "{who}: {list}");
        for method in ["tasks/get", "tasks/cancel"] {
            let answer = asked(method, &id).await;
            assert_eq!(answer.code(), code, "{who} {method}: {}", answer.body);
        }
    }
}

#[tokio::test]
async fn where_nobody_is_authorized_a_session_lists_its_own_tasks() {
    let world = World::start(Options::default()).await;
    let (one, other) = (begin(&world, REVISION).await, begin(&world, REVISION).await);
    ask(world.address, &within(&one, REVISION, &later(1))).await;
    for (session, listed) in [(one, 1), (other, 0)] {
        let list = within(&session, REVISION, &message(2, "tasks/list", &json!({})));
        let list = ask(world.address, &list).await.json();
        assert_eq!(list["result"]["tasks"].as_array().map(Vec::len), Some(listed), "{list}");
    }
}
