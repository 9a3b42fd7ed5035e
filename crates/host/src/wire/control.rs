//! Requests that are no prompts: the caller's to us, and the caller's answers to ours.

use codewhale_mcp_protocol::Json;
use serde::Deserialize;
use serde::de::DeserializeOwned;

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
    /// Something known, without what it needs or with something that it is not.
    Unfit { subtype: String, why: String },
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

/// Every member that any request has.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Members {
    subtype: Option<Json>,
    server_name: Option<Json>,
    #[serde(rename = "serverName")]
    name_of_server: Option<Json>,
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
        let unfit = |subtype: &str, why: String| Self::Unfit { subtype: subtype.to_owned(), why };
        let members = match request {
            Some(request) if is_object(request) => request.decode::<Members>(),
            Some(_) => return unfit("control_request", "has a `request` that is no object".to_owned()),
            None => return unfit("control_request", "lacks `request`".to_owned()),
        };
        let members = match members {
            Ok(members) => members,
            Err(error) => return unfit("control_request", format!("cannot be read: {error}")),
        };
        let subtype: String = match needed("subtype", members.subtype.as_ref(), "a text") {
            Ok(subtype) => subtype,
            Err(why) => return unfit("control_request", why),
        };
        Self::of(&subtype, members).unwrap_or_else(|why| unfit(&subtype, why))
    }

    /// The request of this name; what is wrong with it otherwise.
    fn of(subtype: &str, members: Members) -> Result<Self, String> {
        let server = || {
            let (name, given) = match &members.name_of_server {
                Some(given) => ("serverName", Some(given)),
                None if members.server_name.is_some() => ("server_name", members.server_name.as_ref()),
                None => ("serverName", None),
            };
            needed(name, given, "a text")
        };
        Ok(match subtype {
            "initialize" => {
                let servers = members.sdk_mcp_servers.as_ref();
                Self::Initialize(Initialize {
                    servers: given("sdkMcpServers", servers, "an array of texts")?.unwrap_or_default(),
                    system_prompt: words("systemPrompt", members.system_prompt.as_ref())?,
                    append_system_prompt: words("appendSystemPrompt", members.append_system_prompt.as_ref())?,
                })
            }
            "interrupt" => Self::Interrupt,
            "mcp_status" => Self::McpStatus,
            "mcp_reconnect" => Self::McpReconnect { server: server()? },
            "mcp_toggle" => Self::McpToggle {
                server: server()?,
                enabled: needed("enabled", members.enabled.as_ref(), "true or false")?,
            },
            "mcp_message" => {
                let server = server()?;
                let message = members.message.ok_or("lacks `message`")?;
                if !is_object(&message) {
                    return Err("has a `message` that is no object".to_owned());
                }
                Self::McpMessage { server, message }
            }
            "set_permission_mode" => {
                Self::SetPermissionMode { mode: needed("mode", members.mode.as_ref(), "a text")? }
            }
            "set_model" => {
                Self::SetModel { model: given("model", members.model.as_ref(), "a text or null")? }
            }
            _ => Self::Unknown { subtype: subtype.to_owned() },
        })
    }
}

/// A member that may be missing; nothing else than what it has to be.
pub(crate) fn given<T: DeserializeOwned>(
    name: &str,
    member: Option<&Json>,
    expected: &str,
) -> Result<Option<T>, String> {
    let decode = |json: &Json| json.decode().map_err(|_| format!("has a `{name}` that is not {expected}"));
    member.map(decode).transpose()
}

fn needed<T: DeserializeOwned>(name: &str, member: Option<&Json>, expected: &str) -> Result<T, String> {
    given(name, member, expected)?.ok_or_else(|| format!("lacks `{name}`"))
}

/// A prompt: a text, or an array of its parts.
fn words(name: &str, member: Option<&Json>) -> Result<Option<String>, String> {
    match member.and_then(|json| json.decode::<Vec<String>>().ok()) {
        Some(parts) => Ok(Some(parts.join("\n\n"))),
        None => given(name, member, "a text"),
    }
}

/// Whether a value is an object.
pub(crate) fn is_object(json: &Json) -> bool {
    json.as_str().trim_ascii_start().starts_with('{')
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
            "error" => {
                let said = error.and_then(|error| error.decode().ok());
                Err(said.unwrap_or_else(|| "it failed".to_owned()))
            }
            _ => Ok(response.unwrap_or_default()),
        };
        Ok(Self { id, outcome })
    }
}
