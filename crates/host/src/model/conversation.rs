//! What was said so far, in the form of the chat API.

use serde_json::{Value, json};

use super::{ModelAnswer, ToolCall};

/// What was said so far. After every answer that wants calls, each call has a result before anything else is said.
#[derive(Debug, Clone, Default)]
pub(crate) struct Conversation {
    messages: Vec<Value>,
    /// Calls without a result, and the place behind their answer.
    open: Vec<ToolCall>,
}

impl Conversation {
    /// Everything, in order.
    pub(crate) fn messages(&self) -> &[Value] {
        &self.messages
    }

    /// A prompt. What the model thought before is not said to it again.
    pub(crate) fn prompt(&mut self, content: &Value) {
        self.close("the call was interrupted");
        for message in &mut self.messages {
            if let Some(members) = message.as_object_mut() {
                members.remove("reasoning_content");
            }
        }
        self.messages.push(json!({"role": "user", "content": content}));
    }

    /// An answer of the model.
    pub(crate) fn answer(&mut self, answer: &ModelAnswer) {
        let mut message = json!({"role": "assistant", "content": answer.text});
        if !answer.calls.is_empty() {
            let call = |call: &ToolCall| {
                json!({
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": arguments(&call.arguments)},
                })
            };
            message["tool_calls"] = answer.calls.iter().map(call).collect();
            // Within one prompt a model that thinks wants to be told what it thought.
            if !answer.thoughts.is_empty() {
                message["reasoning_content"] = answer.thoughts.as_str().into();
            }
        }
        self.messages.push(message);
        self.open.clone_from(&answer.calls);
    }

    /// What came of a call.
    pub(crate) fn result(&mut self, call: &str, text: &str) {
        self.open.retain(|open| open.id != call);
        self.messages.push(json!({"role": "tool", "tool_call_id": call, "content": text}));
    }

    /// Gives every call that has no result this one.
    pub(crate) fn close(&mut self, text: &str) {
        for call in std::mem::take(&mut self.open) {
            self.result(&call.id, text);
        }
    }
}

/// The API takes back only what is JSON.
fn arguments(text: &str) -> &str {
    match serde_json::from_str::<serde::de::IgnoredAny>(text) {
        Ok(_) => text,
        Err(_) => "{}",
    }
}
