//! Requests that are no prompts: the caller's to us, and the caller's answers to ours.

use codewhale_mcp_protocol::Json;
use serde::Deserialize;

/// What the caller wants.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Request {
    /// It introduces itself.
    Initialize(Initialize),
    /// The turn is to end.
    Interrupt,
    /// How the servers are.
    McpStatus,
    /// A server in the caller's process says something of its own accord.
    McpMessage { server: String, message: Json },
    /// A server is to be connected anew.
    McpReconnect { server: String },
    /// A server is to be switched on or off.
    McpToggle { server: String, enabled: bool },
    /// Other tools are to run unasked.
    SetPermissionMode { mode: String },
    /// Another model is to be asked; the one of the settings if `None`.
    SetModel { model: Option<String> },
    /// Something that is not known here, by its name.
    Unknown { subtype: String },
    /// Something known, without what it needs.
    Incomplete { subtype: String, lacks: &'static str },
}

/// What a caller says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Initialize {
    /// The servers that live in its process.
    pub(crate) servers: Vec<String>,
    pub(crate) system_prompt: Option<String>,
    pub(crate) append_system_prompt: Option<String>,
}

/// What the caller answers to a request of ours.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    /// Which request.
    pub(crate) id: String,
    /// What came of it, or why nothing did.
    pub(crate) outcome: Result<Json, String>,
}

/// Every member that any request has; those that do not have their form count as absent.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Members {
    subtype: Option<Json>,
    #[serde(alias = "serverName")]
    server_name: Option<Json>,
    message: Option<Json>,
    enabled: Option<Json>,
    mode: Option<Json>,
    model: Option<Json>,
    #[serde(rename = "sdkMcpServers")]
    sdk_mcp_servers: Option<Json>,
    #[serde(rename = "systemPrompt")]
    system_prompt: Option<Json>,
    #[serde(rename = "appendSystemPrompt")]
    append_system_prompt: Option<Json>,
}

impl Request {
    pub(super) fn read(request: Option<&Json>) -> Self {
        let members: Members = request.and_then(|request| request.decode().ok()).unwrap_or_default();
        let subtype = text(&members.subtype).unwrap_or_default();
        let server = text(&members.server_name);
        let lacks = |lacks| Self::Incomplete { subtype: subtype.clone(), lacks };
        match (subtype.as_str(), server) {
            ("initialize", _) => Self::Initialize(Initialize {
                servers: members.sdk_mcp_servers.and_then(|names| names.decode().ok()).unwrap_or_default(),
                system_prompt: text(&members.system_prompt),
                append_system_prompt: text(&members.append_system_prompt),
            }),
            ("interrupt", _) => Self::Interrupt,
            ("mcp_status", _) => Self::McpStatus,
            ("mcp_reconnect", Some(server)) => Self::McpReconnect { server },
            ("mcp_toggle", Some(server)) => match members.enabled.and_then(|flag| flag.decode().ok()) {
                Some(enabled) => Self::McpToggle { server, enabled },
                None => lacks("enabled"),
            },
            ("mcp_message", Some(server)) => match members.message {
                Some(message) => Self::McpMessage { server, message },
                None => lacks("message"),
            },
            ("mcp_reconnect" | "mcp_toggle" | "mcp_message", None) => lacks("serverName"),
            ("set_permission_mode", _) => match text(&members.mode) {
                Some(mode) => Self::SetPermissionMode { mode },
                None => lacks("mode"),
            },
            ("set_model", _) => Self::SetModel { model: text(&members.model) },
            _ => Self::Unknown { subtype },
        }
    }
}

fn text(json: &Option<Json>) -> Option<String> {
    json.as_ref()?.decode().ok()
}

#[derive(Deserialize)]
struct Response {
    subtype: String,
    request_id: String,
    response: Option<Json>,
    error: Option<Json>,
}

impl Answer {
    pub(super) fn read(response: &Json) -> Result<Self, serde_json::Error> {
        let Response { subtype, request_id: id, response, error } = response.decode()?;
        let outcome = match subtype.as_str() {
            "error" => Err(text(&error).unwrap_or_else(|| "it failed".to_owned())),
            _ => Ok(response.unwrap_or_default()),
        };
        Ok(Self { id, outcome })
    }
}
