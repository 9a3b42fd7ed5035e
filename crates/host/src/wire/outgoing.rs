//! The messages of the output, each a line.

use std::time::Duration;

use codewhale_mcp_protocol::Json;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Stamp, uuid};
use crate::model::Usage;

/// Makes the messages of one session.
#[derive(Debug, Clone)]
pub(crate) struct Messages {
    pub(crate) stamp: Stamp,
}

/// What `system/init` says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Init {
    pub(crate) cwd: String,
    pub(crate) tools: Vec<String>,
    pub(crate) servers: Vec<Value>,
    pub(crate) model: Option<String>,
    pub(crate) mode: &'static str,
}

/// A message of the model, as it is told.
#[derive(Debug, Clone)]
pub(crate) struct Said<'a> {
    pub(crate) id: &'a str,
    pub(crate) model: &'a str,
    /// Blocks of text, of thoughts and of calls.
    pub(crate) content: &'a [Json],
    pub(crate) stop_reason: Option<&'a str>,
    pub(crate) usage: Usage,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallEnd {
    Done,
    Failed,
}

/// How a prompt ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ending {
    /// `success`, `error_during_execution` or `error_max_turns`.
    pub(crate) subtype: &'static str,
    /// Why it is no success, or the caller's wish that it be none.
    pub(crate) errors: Vec<String>,
    /// The last words of the model, or why there are none.
    pub(crate) result: String,
    pub(crate) stop_reason: Option<String>,
    /// `completed`, `interrupted`, `max_turns` or `error`.
    pub(crate) terminal_reason: &'static str,
    /// How often the model was asked.
    pub(crate) turns: u32,
    /// Of which the model took so much.
    pub(crate) api: Duration,
    pub(crate) usage: Usage,
    /// Calls that were not allowed.
    pub(crate) denials: Vec<Value>,
}

impl Messages {
    pub(crate) fn init(&self, init: &Init) -> String {
        self.own(&json!({
            "type": "system",
            "subtype": "init",
            "cwd": init.cwd,
            "tools": init.tools,
            "mcp_servers": init.servers,
            "model": init.model,
            "permissionMode": init.mode,
            "slash_commands": [],
            "apiKeySource": "none",
            "codewhale_version": env!("CARGO_PKG_VERSION"),
        }))
    }

    pub(crate) fn assistant(&self, said: &Said<'_>) -> String {
        #[derive(Serialize)]
        struct Assistant<'a> {
            r#type: &'static str,
            message: Message<'a>,
            parent_tool_use_id: (),
        }
        #[derive(Serialize)]
        struct Message<'a> {
            id: &'a str,
            r#type: &'static str,
            role: &'static str,
            model: &'a str,
            content: &'a [Json],
            stop_reason: Option<&'a str>,
            stop_sequence: (),
            usage: Value,
        }
        let message = Message {
            id: said.id,
            r#type: "message",
            role: "assistant",
            model: said.model,
            content: said.content,
            stop_reason: said.stop_reason,
            stop_sequence: (),
            usage: said.usage.told(),
        };
        self.own(&Assistant { r#type: "assistant", message, parent_tool_use_id: () })
    }

    /// What came of a call, as a message of the user.
    pub(crate) fn tool_result(&self, call: &str, content: &Json, end: CallEnd) -> String {
        #[derive(Serialize)]
        struct User<'a> {
            r#type: &'static str,
            message: Message<'a>,
            parent_tool_use_id: (),
        }
        #[derive(Serialize)]
        struct Message<'a> {
            role: &'static str,
            content: [ToolResult<'a>; 1],
        }
        #[derive(Serialize)]
        struct ToolResult<'a> {
            r#type: &'static str,
            tool_use_id: &'a str,
            content: &'a Json,
            is_error: bool,
        }
        let is_error = end == CallEnd::Failed;
        let content = [ToolResult { r#type: "tool_result", tool_use_id: call, content, is_error }];
        let message = Message { role: "user", content };
        self.own(&User { r#type: "user", message, parent_tool_use_id: () })
    }

    /// A piece of a message of the model.
    pub(crate) fn stream_event(&self, event: Value) -> String {
        self.own(&json!({"type": "stream_event", "event": event, "parent_tool_use_id": null}))
    }

    pub(crate) fn result(&self, ending: &Ending, took: Duration) -> String {
        self.own(&json!({
            "type": "result",
            "subtype": ending.subtype,
            "is_error": !ending.errors.is_empty(),
            "duration_ms": millis(took),
            "duration_api_ms": millis(ending.api),
            "num_turns": ending.turns,
            "result": ending.result,
            "errors": ending.errors,
            "stop_reason": ending.stop_reason,
            "terminal_reason": ending.terminal_reason,
            "usage": ending.usage.told(),
            "permission_denials": ending.denials,
        }))
    }

    /// The input said something that makes no sense.
    pub(crate) fn error(&self, error: &str) -> String {
        self.own(&json!({"type": "error", "error": error}))
    }

    /// The session takes up work or rests. For an SDK that asked for it, and for nobody behind it.
    pub(crate) fn session_state(&self, state: &str) -> String {
        self.own(&json!({
            "type": "system",
            "subtype": "session_state_changed",
            "state": state,
            "sdk_host_only": true,
        }))
    }

    /// We want something of the caller.
    pub(crate) fn request(&self, id: &str, request: &impl Serialize) -> String {
        #[derive(Serialize)]
        struct Envelope<'a, R> {
            r#type: &'static str,
            request_id: &'a str,
            request: &'a R,
        }
        encode(&Envelope { r#type: "control_request", request_id: id, request })
    }

    /// We do not want it any more.
    pub(crate) fn cancel_request(&self, id: &str) -> String {
        json!({"type": "control_cancel_request", "request_id": id}).to_string()
    }

    /// What the caller wanted is done.
    pub(crate) fn done(&self, id: &str, response: &Value) -> String {
        let response = json!({"subtype": "success", "request_id": id, "response": response});
        json!({"type": "control_response", "response": response}).to_string()
    }

    /// What the caller wanted is not done.
    pub(crate) fn refused(&self, id: &str, error: &str) -> String {
        let response = json!({"subtype": "error", "request_id": id, "error": error});
        json!({"type": "control_response", "response": response}).to_string()
    }

    fn own(&self, message: &impl Serialize) -> String {
        let mut text = encode(message);
        text.pop();
        let (id, session) = (encode(&uuid()), encode(&self.stamp.session_id));
        text.push_str(&format!(",\"uuid\":{id},\"session_id\":{session}}}"));
        text
    }
}

fn encode(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("messages have string keys")
}

pub(crate) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
