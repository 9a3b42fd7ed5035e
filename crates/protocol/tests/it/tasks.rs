//! Tasks in their two forms, input in rounds, and how long things stay true.

use std::time::Duration;

use codewhale_mcp_protocol::{
    CacheScope, Cacheable, CallToolParams, DiscoverResult, Input, InputRequiredResult, Json, ListToolsResult,
    NestedCreateTaskResult, ResultType, ServerCapabilities, ServerInputInvalid, Task, TaskLifetime,
    TaskStatus, UpdateTaskParams, method,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn same_again<T: DeserializeOwned + Serialize>(text: &str) -> T {
    let value: T = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&value).unwrap(), text);
    value
}

#[test]
fn a_modern_task_is_flat() {
    let created: Task = same_again(
        r#"{"resultType":"task","taskId":"a","status":"working","createdAt":"2026-08-01T00:00:00Z","lastUpdatedAt":"2026-08-01T00:00:00Z","ttlMs":60000,"pollIntervalMs":500}"#,
    );
    assert_eq!(created.result_type, Some(ResultType::Task));
    assert_eq!(created.lifetime(), TaskLifetime::Limited(Duration::from_secs(60)));
    assert_eq!(created.poll_interval(), Some(Duration::from_millis(500)));
    for detailed in [
        r#"{"resultType":"complete","taskId":"a","status":"completed","ttlMs":null,"result":{"content":[],"n":1e30}}"#,
        r#"{"taskId":"a","status":"failed","ttlMs":1,"error":{"code":-32603,"message":"m","x":1},"_meta":{"io.modelcontextprotocol/subscriptionId":"s"}}"#,
        r#"{"taskId":"a","status":"input_required","ttlMs":1,"inputRequests":{"k":{"method":"roots/list"}}}"#,
        r#"{"taskId":"a","status":"paused"}"#,
    ] {
        let task: Task = same_again(detailed);
        assert_eq!(
            task.status.is_terminal(),
            matches!(task.status, TaskStatus::Completed | TaskStatus::Failed)
        );
    }
    let update: UpdateTaskParams =
        same_again(r#"{"taskId":"a","inputResponses":{"k":{"roots":[]},"l":{"action":"decline"}}}"#);
    assert_eq!(update.input_responses.len(), 2);
}

#[test]
fn a_task_of_2025_11_25_is_nested() {
    let created: NestedCreateTaskResult = same_again(
        r#"{"task":{"taskId":"a","status":"working","ttl":null,"pollInterval":1.0},"_meta":{"io.modelcontextprotocol/model-immediate-response":"wait"}}"#,
    );
    assert_eq!(created.task.lifetime(), TaskLifetime::Unlimited);
    assert_eq!(created.task.poll_interval(), Some(Duration::from_millis(1)));
    let members = created.meta.unwrap().read().unwrap();
    assert_eq!(members.model_immediate_response.as_deref(), Some("wait"));
}

#[test]
fn an_unlimited_life_is_not_an_unknown_one() {
    let life = |text: &str| same_again::<Task>(text).lifetime();
    assert_eq!(life(r#"{"taskId":"a","status":"working"}"#), TaskLifetime::Unknown);
    assert_eq!(life(r#"{"taskId":"a","status":"working","ttl":null}"#), TaskLifetime::Unlimited);
    assert_eq!(life(r#"{"taskId":"a","status":"working","ttlMs":null}"#), TaskLifetime::Unlimited);
    let odd = life(r#"{"taskId":"a","status":"working","ttlMs":-5}"#);
    assert_eq!(odd, TaskLifetime::Limited(Duration::ZERO));
}

#[test]
fn which_requests_become_tasks_is_said_by_their_methods() {
    let text = r#"{"tasks":{"list":{},"requests":{"tools":{"call":{}},"sampling":{}}}}"#;
    let tasks = same_again::<ServerCapabilities>(text).tasks().unwrap();
    assert!(tasks.allows(method::TOOLS_CALL));
    assert!(!tasks.allows(method::SAMPLING_CREATE_MESSAGE) && !tasks.allows(method::ELICITATION_CREATE));
    assert!(!tasks.allows(method::TOOLS_LIST));
}

#[test]
fn input_is_asked_for_by_method_and_the_servers_note_goes_back_as_it_came() {
    let text = r#"{"resultType":"input_required","inputRequests":{"b":{"method":"elicitation/create","params":{"message":"m"}},"a":{"method":"roots/list"},"s":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}},"odd":{"method":"tools/list"},"bad":{"method":"elicitation/create"}},"requestState":"\u0061\ud800\/"}"#;
    let result: InputRequiredResult = same_again(text);
    let requests = result.input_requests.unwrap();
    assert_eq!(requests.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["b", "a", "s", "odd", "bad"]);
    let input = |name: &str| requests.member(name).unwrap().input();
    assert!(matches!(input("a"), Ok(Input::ListRoots(_))));
    assert!(matches!(input("b"), Ok(Input::Elicit(params)) if params.message == "m"));
    assert!(matches!(input("s"), Ok(Input::CreateMessage(params)) if params.messages.is_empty()));
    assert!(
        matches!(input("odd"), Err(ServerInputInvalid::UnknownMethod { method }) if method == "tools/list")
    );
    assert!(matches!(input("bad"), Err(ServerInputInvalid::NoParams { .. })));
    let again =
        CallToolParams { name: "t".into(), request_state: result.request_state, ..Default::default() };
    assert_eq!(serde_json::to_string(&again).unwrap(), r#"{"name":"t","requestState":"\u0061\ud800\/"}"#);
}

#[test]
fn how_long_a_result_stays_true() {
    let page = |ttl: &str| -> ListToolsResult {
        serde_json::from_str(&format!(r#"{{"tools":[],"ttlMs":{ttl},"cacheScope":"public"}}"#)).unwrap()
    };
    for (ttl, millis) in [
        ("300000", 300_000),
        ("1.0", 1),
        ("0", 0),
        ("-1", 0),
        ("-0.5", 0),
        ("null", 0),
        ("\"1\"", 0),
        ("[]", 0),
        ("18446744073709551615", u64::MAX),
        ("1e300", u64::MAX),
    ] {
        assert_eq!(page(ttl).ttl(), Duration::from_millis(millis), "{ttl}");
    }
    assert_eq!(page("1").scope(), CacheScope::Public);
    let silent = DiscoverResult { ttl_ms: Json::from_text("5").ok(), ..DiscoverResult::default() };
    assert_eq!((silent.ttl(), silent.scope()), (Duration::from_millis(5), CacheScope::Private));
}
