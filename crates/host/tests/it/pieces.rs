//! Answers in the pieces that servers of the chat API send, odd ones among them.

use codewhale_testkit::ModelFake;
use serde_json::{Value, json};

use crate::world::{Plan, Trial};

fn delta(delta: Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn end() -> Value {
    json!({"choices": [{"delta": {}, "finish_reason": "stop"}]})
}

/// Everything that a session says of an answer that comes in these events.
async fn said(events: &[Value]) -> Vec<Value> {
    let model = ModelFake::start(&json!([{"events": events}, {"text": "done"}]).to_string());
    let trial = Trial::start(Plan { flags: "-y --include-partial-messages", ..Plan::asking(&model) });
    trial.prompt("hi").await;
    trial.end().await
}

/// The blocks of the first answer.
async fn blocks(events: &[Value]) -> Vec<Value> {
    let said = said(events).await;
    let answer = said.iter().find(|message| message["type"] == "assistant");
    let answer = answer.unwrap_or_else(|| panic!("{events:?}: {said:#?}"));
    answer["message"]["content"].as_array().unwrap().clone()
}

#[tokio::test]
async fn what_is_missing_or_null_is_left_out() {
    let rows: [&[Value]; 9] = [
        &[json!({"choices": null}), json!({}), json!({"choices": []}), json!({"choices": [null]})],
        &[json!({"choices": [{"delta": null}]}), json!({"choices": [{}]})],
        &[delta(json!({"content": null, "tool_calls": null, "reasoning_content": null, "reasoning": null}))],
        &[delta(json!({"tool_calls": [null]})), delta(json!({"role": "assistant", "extra": {"deep": []}}))],
        &[json!({"choices": null, "usage": {"prompt_tokens": "many"}, "model": 5, "error": null})],
        &[json!({"choices": [{"delta": {"content": ""}, "finish_reason": ""}]})],
        &[json!("")],
        &[json!({"prompt_filter_results": [], "choices": []})],
        &[],
    ];
    for odd in rows {
        let whole = [odd, &[delta(json!({"content": "fine"})), end()]].concat();
        assert_eq!(blocks(&whole).await, [json!({"type": "text", "text": "fine"})], "{odd:?}");
    }
}

#[tokio::test]
async fn an_empty_reason_does_not_make_an_answer_whole() {
    let said = said(&[json!({"choices": [{"delta": {"content": "half"}, "finish_reason": ""}]})]).await;
    assert_eq!(said.last().unwrap()["errors"][0], "the model's answer ended too early");
}

#[tokio::test]
async fn a_character_that_is_split_between_pieces_is_whole_again() {
    // An array would be taken for JSON of its own: these are texts, so that the halves stay as they are.
    let content = |text: &str| json!(format!(r#"{{"choices": [{{"delta": {{"content": "{text}"}}}}]}}"#));
    let thought = |text: &str| json!(format!(r#"{{"choices": [{{"delta": {{"reasoning": "{text}"}}}}]}}"#));
    let events = [thought(r"\ud83d"), content(r"a\ud83d"), thought(r"\udc0b"), content(r"\ude00b"), end()];
    let wanted = [
        json!({"type": "thinking", "thinking": "🐋", "signature": ""}),
        json!({"type": "text", "text": "a😀b"}),
    ];
    assert_eq!(blocks(&events).await, wanted);
    let lone = [content(r"a\ud83d"), end()];
    assert_eq!(blocks(&lone).await, [json!({"type": "text", "text": "a\u{fffd}"})]);
    let parts = json!([{"type": "text", "text": "in"}, {"type": "text", "text": " parts"}]);
    assert_eq!(
        blocks(&[delta(json!({"content": parts})), end()]).await,
        [json!({"type": "text", "text": "in parts"})]
    );
}

/// A piece of a call.
fn call(index: Value, id: Value, name: Value, arguments: &str) -> Value {
    let function = json!({"name": name, "arguments": arguments});
    let mut call = json!({"index": index, "id": id, "function": function});
    call.as_object_mut().unwrap().retain(|_, member| !member.is_null());
    delta(json!({"tool_calls": [call]}))
}

#[tokio::test]
async fn calls_come_out_whole_however_they_are_split() {
    let (query, other) = (r#"{"query":"x"}"#, r#"{"query":"y"}"#);
    let none = || Value::Null;
    let find = || json!("tool_search");
    let rows: [(&str, Vec<Value>, Value); 9] = [
        (
            "as usual",
            vec![call(json!(0), json!("a"), find(), ""), call(json!(0), none(), none(), query)],
            json!(["x"]),
        ),
        (
            "the name behind the id",
            vec![call(json!(0), json!("a"), none(), ""), call(json!(0), none(), find(), query)],
            json!(["x"]),
        ),
        (
            "the name behind the arguments",
            vec![
                call(json!(0), json!("a"), none(), r#"{"query""#),
                call(json!(0), none(), find(), r#":"x"}"#),
            ],
            json!(["x"]),
        ),
        (
            "the id last",
            vec![call(json!(0), none(), none(), query), call(json!(0), json!("a"), find(), "")],
            json!(["x"]),
        ),
        (
            "the name in every piece",
            vec![
                call(json!(0), json!("a"), find(), r#"{"query""#),
                call(json!(0), json!("a"), find(), r#":"x"}"#),
            ],
            json!(["x"]),
        ),
        (
            "another id in every piece",
            vec![
                call(json!(0), json!("a"), find(), r#"{"query""#),
                call(json!(0), json!("b"), none(), r#":"x"}"#),
            ],
            json!(["x"]),
        ),
        (
            "the same number",
            vec![call(json!(0), json!("a"), find(), query), call(json!(0), json!("b"), find(), other)],
            json!(["x", "y"]),
        ),
        (
            "no number",
            vec![call(none(), json!("a"), find(), query), call(none(), json!("b"), find(), other)],
            json!(["x", "y"]),
        ),
        (
            "neither number nor id",
            vec![call(none(), none(), find(), query), call(none(), none(), find(), other)],
            json!(["x", "y"]),
        ),
    ];
    for (case, mut events, wanted) in rows {
        events.push(end());
        let said = said(&events).await;
        let answer = said.iter().find(|message| message["type"] == "assistant").unwrap();
        let blocks = answer["message"]["content"].as_array().unwrap();
        assert!(blocks.iter().all(|block| block["name"] == "tool_search"), "{case}: {blocks:?}");
        let queries: Value = blocks.iter().map(|block| block["input"]["query"].clone()).collect();
        assert_eq!(queries, wanted, "{case}");
        // What is told on the way makes the same calls.
        let events =
            || said.iter().take_while(|message| message["type"] != "assistant").map(|it| &it["event"]);
        let starts: Vec<&Value> = events()
            .map(|event| &event["content_block"])
            .filter(|block| block["type"] == "tool_use")
            .collect();
        let ids = |blocks: &mut dyn Iterator<Item = &Value>| -> Vec<Value> {
            blocks.map(|block| block["id"].clone()).collect()
        };
        assert_eq!(ids(&mut starts.iter().copied()), ids(&mut blocks.iter()), "{case}");
        assert!(starts.iter().all(|block| block["name"] == "tool_search"), "{case}");
        let told: String = events().filter_map(|event| event["delta"]["partial_json"].as_str()).collect();
        assert_eq!(
            told,
            if wanted.as_array().unwrap().len() == 1 { query.to_owned() } else { [query, other].concat() },
            "{case}"
        );
    }
}
