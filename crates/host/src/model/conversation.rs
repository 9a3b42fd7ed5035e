//! What was said so far, in the form of the chat API.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::{ModelAnswer, ToolCall};
use crate::wire::Prompt;

/// A conversation has no room for another prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("with this prompt the conversation would have more than {room} bytes, so it was left out")]
pub(crate) struct TooLong {
    room: usize,
}

/// What was said so far. After every answer that wants calls, each call has a result before anything else is said.
#[derive(Debug, Clone, Default)]
pub(crate) struct Conversation {
    messages: Vec<Value>,
    /// Of what was said, about.
    bytes: usize,
    /// Calls without a result, and the place behind their answer.
    open: Vec<ToolCall>,
}

/// A conversation of a session. A turn that breaks off leaves it as it is. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct Conversing(Arc<Mutex<Conversation>>);

impl Conversing {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Conversation> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Conversation {
    /// Everything, in order.
    pub(crate) fn messages(&self) -> &[Value] {
        &self.messages
    }

    /// A prompt. What the model thought before is not said to it again.
    ///
    /// # Errors
    /// [`TooLong`] where it would come to more than so many bytes; nothing has been said then.
    pub(crate) fn prompt(&mut self, prompt: Prompt, room: usize) -> Result<(), TooLong> {
        let bytes = prompt.bytes();
        if self.bytes.saturating_add(bytes) > room {
            return Err(TooLong { room });
        }
        self.bytes += bytes;
        self.close("the call was interrupted");
        for message in &mut self.messages {
            if let Some(members) = message.as_object_mut() {
                members.remove("reasoning_content");
            }
        }
        self.messages.push(json!({"role": "user", "content": prompt.content}));
        Ok(())
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
        let of_calls: usize = answer.calls.iter().map(|call| call.name.len() + call.arguments.len()).sum();
        self.bytes += answer.text.len() + of_calls;
        self.messages.push(message);
        self.open.clone_from(&answer.calls);
    }

    /// What came of a call.
    pub(crate) fn result(&mut self, call: &str, text: &str) {
        self.open.retain(|open| open.id != call);
        self.bytes += text.len();
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
