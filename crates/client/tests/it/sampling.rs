//! What a legacy server asks the client's model.

use codewhale_mcp_client::Refusal;
use serde_json::{Value, json};

use crate::asks::{LEGACY, connected, result, sampling};
use crate::people::{everything, says};

#[tokio::test(start_paused = true)]
async fn a_model_is_asked_and_a_person_may_refuse() {
    for revision in LEGACY {
        let (_client, mut server, mut people) = connected(revision, everything()).await;
        server.ask(1, "sampling/createMessage", sampling()).await;
        let (params, model) = people.sampled().await;
        assert_eq!(params.max_tokens.and_then(|most| most.as_u64()), Some(7));
        assert_eq!(params.messages[0].content.as_slice()[0].text.as_deref(), Some("2+2?"));
        model.send(says(json!({"type": "text", "text": "4"}))).unwrap();
        let said = json!({"role": "assistant", "content": {"type": "text", "text": "4"}, "model": "m", "stopReason": "endTurn"});
        assert_eq!(server.next().await, result(1, said));

        server.ask(2, "sampling/createMessage", sampling()).await;
        people.sampled().await.1.send(Err(Refusal::rejected("User rejected"))).unwrap();
        let refused = json!({"code": -1, "message": "User rejected"});
        assert_eq!(server.next().await, json!({"jsonrpc": "2.0", "id": 2, "error": refused}));
    }
}

#[tokio::test(start_paused = true)]
async fn a_model_answers_in_one_block_before_2025_11_25() {
    let block = |text: &str| json!({"type": "text", "text": text});
    for revision in LEGACY {
        let (_client, mut server, mut people) = connected(revision, everything()).await;
        server.ask(1, "sampling/createMessage", sampling()).await;
        people.sampled().await.1.send(says(json!([block("4")]))).unwrap();
        let many = revision == "2025-11-25";
        let expected = if many { json!([block("4")]) } else { block("4") };
        assert_eq!(server.next().await["result"]["content"], expected, "{revision}");

        server.ask(2, "sampling/createMessage", sampling()).await;
        people.sampled().await.1.send(says(json!([block("4"), block("5")]))).unwrap();
        let answer = server.next().await;
        if many {
            assert_eq!(answer["result"]["content"], json!([block("4"), block("5")]));
        } else {
            assert_eq!(answer["error"]["code"], -32603, "{answer}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn tools_are_handed_to_a_model_where_that_was_declared() {
    let (_client, mut server, mut people) = connected("2025-11-25", everything()).await;
    let mut params = sampling();
    params["tools"] = json!([{"name": "add", "inputSchema": {"type": "object"}}]);
    server.ask(1, "sampling/createMessage", params).await;
    let (params, model) = people.sampled().await;
    assert_eq!(params.tools.expect("tools")[0].name, "add");
    let call = json!({"type": "tool_use", "id": "u", "name": "add", "input": {"a": 1}});
    model.send(says(json!([call]))).unwrap();
    assert_eq!(server.next().await["result"]["content"], json!([call]));
}

#[tokio::test(start_paused = true)]
async fn a_model_is_not_asked_about_calls_of_tools_that_lack_their_results() {
    let text = json!({"type": "text", "text": "t"});
    let wants = |id: &str| json!({"type": "tool_use", "id": id, "name": "add", "input": {}});
    let result = |id: &str| json!({"type": "tool_result", "toolUseId": id, "content": []});
    let user = |content: Value| json!({"role": "user", "content": content});
    let assistant = |content: Value| json!({"role": "assistant", "content": content});
    let whole = [
        json!([]),
        json!([
            user(text.clone()),
            assistant(json!([text, wants("1"), wants("2")])),
            user(json!([result("2"), result("1")]))
        ]),
        json!([
            assistant(wants("1")),
            user(result("1")),
            assistant(wants("2")),
            user(result("2")),
            user(text.clone())
        ]),
    ];
    let broken = [
        json!([user(json!([result("1")]))]),
        json!([assistant(wants("1")), user(json!([result("1"), text]))]),
        json!([assistant(json!([wants("1"), wants("2")])), user(json!([result("1")]))]),
        json!([assistant(wants("1")), user(json!([result("2")]))]),
        json!([assistant(wants("1")), user(text.clone()), user(json!([result("1")]))]),
        json!([user(text.clone()), assistant(wants("1"))]),
    ];
    let (_client, mut server, mut people) = connected("2025-11-25", everything()).await;
    let mut ask = async |messages: Value| {
        let params = json!({"messages": messages, "maxTokens": 7, "tools": []});
        server.ask(1, "sampling/createMessage", params).await;
        tokio::select! {
            (_, model) = people.sampled() => {
                model.send(says(json!({"type": "text", "text": "4"}))).unwrap();
                assert_eq!(server.next().await["result"]["model"], "m");
                None
            }
            answer = server.next() => Some(answer),
        }
    };
    for messages in whole {
        assert_eq!(ask(messages.clone()).await, None, "{messages}");
    }
    for messages in broken {
        let answer = ask(messages.clone()).await.expect("an answer");
        assert_eq!(answer["error"]["code"], -32602, "{messages}");
    }
}
