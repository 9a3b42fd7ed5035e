//! An answer as the chat API's own pieces of JSON.

use serde_json::{Value, json};

use super::script::Answer;

/// The pieces of an answer that comes as a stream: deltas, then why it stopped, then what it cost.
pub(super) fn pieces(answer: &Answer, model: &str) -> Vec<String> {
    let mut deltas = vec![json!({"role": "assistant", "content": null})];
    deltas.extend(split(&answer.thoughts, answer.split).map(|text| json!({"reasoning_content": text})));
    deltas.extend(split(&answer.text, answer.split).map(|text| json!({"content": text})));
    for (at, call) in answer.calls.iter().enumerate() {
        let function = json!({"name": call.name, "arguments": ""});
        deltas.push(
            json!({"tool_calls": [{"index": at, "id": call.id, "type": "function", "function": function}]}),
        );
    }
    // The pieces of several calls come mixed.
    let mut rest: Vec<_> = answer.calls.iter().map(|call| split(&call.arguments, answer.split)).collect();
    loop {
        let mut some = false;
        for (at, pieces) in rest.iter_mut().enumerate() {
            if let Some(text) = pieces.next() {
                some = true;
                deltas.push(json!({"tool_calls": [{"index": at, "function": {"arguments": text}}]}));
            }
        }
        if !some {
            break;
        }
    }
    let chunk = |choices: Value, usage: &Value| {
        json!({
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": model,
            "choices": choices,
            "usage": usage,
        })
    };
    let delta =
        |delta: Value| chunk(json!([{"index": 0, "delta": delta, "finish_reason": null}]), &Value::Null);
    let mut pieces: Vec<String> = deltas.into_iter().map(|value| delta(value).to_string()).collect();
    let last = json!([{"index": 0, "delta": {}, "finish_reason": finish(answer)}]);
    pieces.push(chunk(last, &Value::Null).to_string());
    pieces.push(chunk(json!([]), &usage(answer)).to_string());
    pieces.push("[DONE]".to_owned());
    pieces
}

/// An answer in one piece.
pub(super) fn whole(answer: &Answer, model: &str) -> String {
    let mut message = json!({"role": "assistant", "content": answer.text});
    if !answer.thoughts.is_empty() {
        message["reasoning_content"] = answer.thoughts.as_str().into();
    }
    let calls: Vec<Value> = answer
        .calls
        .iter()
        .map(|call| {
            let function = json!({"name": call.name, "arguments": call.arguments});
            json!({"id": call.id, "type": "function", "function": function})
        })
        .collect();
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    json!({
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish(answer)}],
        "usage": usage(answer),
    })
    .to_string()
}

fn finish(answer: &Answer) -> &'static str {
    if answer.calls.is_empty() { "stop" } else { "tool_calls" }
}

fn usage(answer: &Answer) -> Value {
    match &answer.usage {
        Value::Null => json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}),
        usage => usage.clone(),
    }
}

/// Pieces of so many characters.
fn split(text: &str, size: usize) -> impl Iterator<Item = String> {
    let characters: Vec<char> = text.chars().collect();
    let pieces: Vec<String> = characters.chunks(size).map(|piece| piece.iter().collect()).collect();
    pieces.into_iter()
}
