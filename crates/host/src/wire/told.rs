//! The messages about servers.

use serde_json::{Value, json};

use super::{Stamp, uuid};
use crate::window::{Event, State};

/// A `system/mcp_status` message.
pub(crate) fn mcp_status(stamp: &Stamp, event: &Event) -> String {
    let mut message = match event {
        Event::Start { servers } => {
            json!({"event": "start", "servers": servers, "total_count": servers.len()})
        }
        Event::Server { name, state, completed, total } => {
            let mut message = json!({
                "event": "server",
                "name": name,
                "state": state.as_str(),
                "completed": completed,
                "total": total,
            });
            if let State::Failed(error) = state {
                message["error"] = error.as_str().into();
            }
            message
        }
        Event::Finish { failed, timed_out } => {
            json!({"event": "finish", "failed": failed, "timed_out": timed_out})
        }
    };
    message["type"] = "system".into();
    message["subtype"] = "mcp_status".into();
    message["uuid"] = uuid().into();
    message["__timestamp"] = stamp.now().into();
    message.to_string()
}

/// A server as it is told on request.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ToldServer {
    pub(crate) name: String,
    /// `connected`, `pending`, `needs-auth`, `failed` or `disabled`.
    pub(crate) status: &'static str,
    /// Our own word, which says more.
    pub(crate) state: String,
    /// Why it cannot be used.
    pub(crate) error: Option<String>,
    /// What it says of itself.
    pub(crate) info: Option<Value>,
    pub(crate) scope: String,
    /// `stdio`, `http`, `sse` or `sdk`.
    pub(crate) transport: &'static str,
    /// Tools as the model sees them.
    pub(crate) tools: Vec<Value>,
}

impl ToldServer {
    /// A line of `system/init`.
    pub(crate) fn short(&self) -> Value {
        json!({"name": self.name, "status": self.status})
    }

    /// An entry of the answer to `mcp_status`.
    pub(crate) fn long(&self) -> Value {
        let mut told = json!({
            "name": self.name,
            "status": self.status,
            "state": self.state,
            "scope": self.scope,
            "config": {"type": self.transport},
            "tools": self.tools,
        });
        if let Some(error) = &self.error {
            told["error"] = error.as_str().into();
        }
        if let Some(info) = &self.info {
            told["serverInfo"] = info.clone();
        }
        told
    }
}
