//! What a handler asks comes to the client as its era has it.

use std::sync::atomic::Ordering;

use codewhale_mcp_server::protocol::{ElicitMode, ElicitParams};
use codewhale_mcp_server::{Context, NoArguments, Server, tool};
use serde_json::{Value, json};

use crate::drive::{Client, modern, request};
use crate::fixture::server;

fn able() -> Value {
    json!({"elicitation": {}, "roots": {}, "sampling": {}})
}

fn name(name: &str) -> Value {
    json!({"action": "accept", "content": {"name": name}})
}

#[tokio::test]
async fn a_session_is_asked_by_requests() {
    for revision in ["2025-06-18", "2025-11-25"] {
        let (server, done) = server();
        let mut client = Client::judging(&server, revision);
        client.open(revision, able()).await;
        let first = client.ask(&request(9, "tools/call", json!({"name": "interview"}))).await;
        assert_eq!(
            (&first["method"], &first["params"]["message"]),
            (&json!("elicitation/create"), &json!("first?"))
        );
        client.send(&json!({"jsonrpc": "2.0", "id": first["id"], "result": name("A")})).await;
        let (second, third) = (client.next().await, client.next().await);
        assert_eq!(third["method"], "roots/list");
        client
            .send(&json!({"jsonrpc": "2.0", "id": third["id"], "result": {"roots": [{"uri": "file:///"}]}}))
            .await;
        client.send(&json!({"jsonrpc": "2.0", "id": second["id"], "result": name("B")})).await;
        let answer = client.next().await;
        assert_eq!(answer["result"]["content"][0]["text"], r#"1 "A" "B" 1"#);
        assert_eq!(done.prepared.load(Ordering::SeqCst), 1);
        client.close().await;
    }
}

#[tokio::test]
async fn an_address_to_visit_has_an_id_in_the_revision_that_wants_one() {
    let (server, _) = server();
    let able = json!({"elicitation": {"url": {}}});
    let mut client = Client::judging(&server, "2025-11-25");
    client.open("2025-11-25", able.clone()).await;
    let asked = client.ask(&request(1, "tools/call", json!({"name": "visit"}))).await;
    assert_eq!(asked["params"]["elicitationId"].as_str().map(str::is_empty), Some(false), "{asked}");
    client.close().await;
    let mut client = Client::judging(&server, "2026-07-28");
    let answer = client.ask(&modern(1, "tools/call", json!({"name": "visit"}), able)).await;
    let asked = &answer["result"]["inputRequests"]["visit"]["params"];
    assert_eq!(asked, &json!({"mode": "url", "message": "Sign in.", "url": "https://a.test/"}));
    client.close().await;
}

#[tokio::test]
async fn the_end_of_a_visit_is_told_in_the_revision_that_wants_to_know() {
    let visit = tool("visit", async |_: NoArguments, context: Context| {
        let params = ElicitParams {
            mode: Some(ElicitMode::Url),
            message: "Sign in.".into(),
            url: Some("https://a.test/".into()),
            elicitation_id: Some("visit-1".into()),
            ..ElicitParams::default()
        };
        context.elicit("visit", params).await?;
        context.elicitation_complete("visit-1").await;
        // Somebody may come back long after the answer.
        let later = context.clone();
        tokio::spawn(async move { later.elicitation_complete("visit-2").await });
        Ok("signed in")
    });
    let server = Server::builder("visits", "1.0.0").tool(visit).build().expect("one tool");
    let able = json!({"elicitation": {"url": {}}});
    let mut client = Client::judging(&server, "2025-11-25");
    client.open("2025-11-25", able.clone()).await;
    let asked = client.ask(&request(1, "tools/call", json!({"name": "visit"}))).await;
    assert_eq!(asked["params"]["elicitationId"], "visit-1");
    let accepted = json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept"}});
    let mut said = [client.ask(&accepted).await, client.next().await, client.next().await];
    said.sort_by_key(|said| said["params"]["elicitationId"].to_string());
    assert_eq!(said[0]["method"], "notifications/elicitation/complete");
    assert_eq!(said[0]["params"], json!({"elicitationId": "visit-1"}));
    assert_eq!(said[1]["params"], json!({"elicitationId": "visit-2"}));
    assert_eq!(said[2]["result"]["content"][0]["text"], "signed in");
    client.close().await;
    let mut client = Client::judging(&server, "2026-07-28");
    let accepted = json!({"name": "visit", "inputResponses": {"visit": {"action": "accept"}}});
    let answer = client.ask(&modern(1, "tools/call", accepted, able)).await;
    assert_eq!(answer["result"]["content"][0]["text"], "signed in", "and nothing before it: {answer}");
    assert_eq!(client.close().await, [json!(null); 0]);
}

#[tokio::test]
async fn a_session_that_refuses_is_told_to_the_model() {
    let (server, _) = server();
    let mut client = Client::judging(&server, "2025-11-25");
    client.open("2025-11-25", able()).await;
    let asked = client.ask(&request(1, "tools/call", json!({"name": "sample"}))).await;
    assert_eq!(
        (&asked["method"], &asked["params"]["maxTokens"]),
        (&json!("sampling/createMessage"), &json!(5))
    );
    let refusal = json!({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -1, "message": "no"}});
    let answer = client.ask(&refusal).await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert_eq!(answer["result"]["content"][0]["text"], "the client refuses: no (code -1)");
    client.close().await;
}

#[tokio::test]
async fn a_modern_request_comes_back_with_the_answers() {
    let (server, done) = server();
    let mut client = Client::judging(&server, "2026-07-28");
    let call = |params: Value| {
        let mut all = params;
        all["name"] = json!("interview");
        modern(1, "tools/call", all, able())
    };
    let first = client.ask(&call(json!({}))).await["result"].take();
    assert_eq!(first["resultType"], "input_required");
    assert_eq!(first["inputRequests"]["first"]["method"], "elicitation/create");
    assert_eq!(first["inputRequests"].as_object().map(serde_json::Map::len), Some(1));
    assert_eq!(first.get("ttlMs"), None);

    let answers = json!({"first": name("A"), "unknown": {}});
    let second =
        client.ask(&call(json!({"inputResponses": answers, "requestState": first["requestState"]}))).await;
    let second = &second["result"];
    let asked: Vec<&String> = second["inputRequests"].as_object().expect("questions").keys().collect();
    assert_eq!(asked, ["second", "third"]);
    assert_ne!(second["requestState"], first["requestState"]);

    // One of two answers is not enough, and is not lost.
    let half = json!({"third": {"roots": []}});
    let third =
        client.ask(&call(json!({"inputResponses": half, "requestState": second["requestState"]}))).await;
    let third = &third["result"];
    assert_eq!(third["inputRequests"].as_object().map(serde_json::Map::len), Some(1));

    let rest = json!({"second": name("B")});
    let last =
        client.ask(&call(json!({"inputResponses": rest, "requestState": third["requestState"]}))).await;
    assert_eq!(last["result"]["content"][0]["text"], r#"1 "A" "B" 0"#, "{last}");
    assert_eq!(done.prepared.load(Ordering::SeqCst), 1, "what happens once happens in the first round");
    client.close().await;
}

#[tokio::test]
async fn state_that_was_changed_or_belongs_to_another_request_is_refused() {
    let (server, _) = server();
    let mut client = Client::judging(&server, "2026-07-28");
    let call = |name: &str, state: &Value| {
        let params = json!({"name": name, "requestState": state, "inputResponses": {}});
        modern(1, "tools/call", params, able())
    };
    let first = client.ask(&modern(1, "tools/call", json!({"name": "interview"}), able())).await;
    let state = first["result"]["requestState"].as_str().expect("a state").to_owned();
    let mut changed = state.clone().into_bytes();
    changed[3] ^= 1;
    let changed = String::from_utf8(changed).expect("a letter became another");
    for (name, state) in [
        ("interview", json!(changed)),
        ("interview", json!(state[..state.len() - 4])),
        ("interview", json!("")),
        ("interview", json!(7)),
        ("sample", json!(state)),
    ] {
        let answer = client.ask(&call(name, &state)).await;
        assert_eq!(answer["error"]["code"], -32602, "{name} {state}: {answer}");
    }
    let answer = client.ask(&call("interview", &json!(state))).await;
    assert_eq!(answer["result"]["resultType"], "input_required", "{answer}");
    client.close().await;
}

#[tokio::test]
async fn what_the_client_does_not_declare_is_not_asked() {
    let (server, _) = server();
    let mut client = Client::judging(&server, "2026-07-28");
    for (tool, declared, required) in [
        ("interview", json!({}), json!({"elicitation": {"form": {}}})),
        ("interview", json!({"elicitation": {"url": {}}}), json!({"elicitation": {"form": {}}})),
        ("sample", json!({"elicitation": {}}), json!({"sampling": {}})),
    ] {
        let answer = client.ask(&modern(1, "tools/call", json!({"name": tool}), declared)).await;
        assert_eq!(answer["error"]["code"], -32021, "{answer}");
        assert_eq!(answer["error"]["data"]["requiredCapabilities"], required);
    }
    // What one request declares is not true of the next.
    let answer = client.ask(&modern(1, "tools/call", json!({"name": "interview"}), able())).await;
    assert_eq!(answer["result"]["resultType"], "input_required");
    let answer = client.ask(&modern(1, "tools/call", json!({"name": "interview"}), json!({}))).await;
    assert_eq!(answer["error"]["code"], -32021);
    // A session cannot ask in a form that its revision does not have.
    for (revision, declared) in [("2025-11-25", json!({})), ("2025-03-26", able())] {
        let mut client = Client::judging(&server, revision);
        client.open(revision, declared).await;
        let answer = client.ask(&request(1, "tools/call", json!({"name": "interview"}))).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
}
