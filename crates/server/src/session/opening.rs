//! The legacy handshake, as a decision (MCP 2025-11-25, basic/lifecycle).

use codewhale_mcp_protocol::{
    Era, ErrorObject, InitializeParams, InitializeResult, Json, Revision, ServerCapabilities,
    UnsupportedProtocolVersionData, code,
};

use crate::Server;

/// What a session begins with.
#[derive(Debug)]
pub(crate) struct Opening {
    pub(crate) revision: Revision,
    pub(crate) client: InitializeParams,
    pub(crate) result: InitializeResult,
}

/// What `initialize` comes to: the revision the client would like if we speak it, otherwise our newest legacy one.
pub(crate) fn opening(server: &Server, params: Option<&str>) -> Result<Opening, ErrorObject> {
    let invalid = |message: String| ErrorObject { code: code::INVALID_PARAMS, message, ..Default::default() };
    let params = params.ok_or_else(|| invalid("initialize has no params".into()))?;
    let client: InitializeParams =
        serde_json::from_str(params).map_err(|error| invalid(error.to_string()))?;
    let legacy = || server.revisions().iter().copied().filter(|revision| revision.era() == Era::Legacy);
    let Some(newest) = legacy().max() else { return Err(modern_only(server, &client.protocol_version)) };
    let wanted = Revision::parse(&client.protocol_version);
    let revision = legacy().find(|ours| Some(*ours) == wanted).unwrap_or(newest);
    let description = server.description();
    let result = InitializeResult {
        protocol_version: revision.as_str().to_owned(),
        capabilities: capabilities(description.capabilities.clone(), revision),
        server_info: Some(description.implementation_in(revision)),
        instructions: description.instructions.clone(),
        ..InitializeResult::default()
    };
    Ok(Opening { revision, client, result })
}

/// What of our capabilities a revision has. One has tasks of its own, the extension belongs to the modern era.
fn capabilities(ours: ServerCapabilities, revision: Revision) -> ServerCapabilities {
    ServerCapabilities {
        completions: ours.completions.filter(|_| revision >= Revision::V2025_03_26),
        tasks: ours.tasks.filter(|_| revision == Revision::V2025_11_25),
        extensions: ours.extensions.and_then(without_tasks),
        ..ours
    }
}

fn without_tasks(extensions: Json) -> Option<Json> {
    let members: codewhale_mcp_protocol::Members<Json> = extensions.decode().ok()?;
    let tasks = codewhale_mcp_protocol::TASKS_EXTENSION;
    let rest: codewhale_mcp_protocol::Members<Json> =
        members.into_iter().filter(|(name, _)| **name != *tasks).collect();
    if rest.is_empty() { None } else { Json::encode(&rest).ok() }
}

/// What `initialize` comes to where there are no sessions, whatever it would like.
#[cfg(feature = "http")]
pub(crate) fn no_sessions(server: &Server, params: Option<&str>) -> ErrorObject {
    let client = params.and_then(|params| serde_json::from_str::<InitializeParams>(params).ok());
    modern_only(server, &client.map(|client| client.protocol_version).unwrap_or_default())
}

/// A server without legacy revisions says which ones it has (MCP 2026-07-28, basic/versioning).
fn modern_only(server: &Server, requested: &str) -> ErrorObject {
    unsupported(server, requested, "this server has no sessions: every request names its revision in _meta")
}

/// A revision that we do not speak (`-32022`).
pub(crate) fn unsupported(server: &Server, requested: &str, message: &str) -> ErrorObject {
    let modern = server.revisions().iter().filter(|revision| revision.era() == Era::Modern);
    let data = UnsupportedProtocolVersionData {
        supported: modern.map(|revision| revision.as_str().to_owned()).collect(),
        requested: Some(requested.to_owned()),
        ..UnsupportedProtocolVersionData::default()
    };
    ErrorObject {
        code: code::UNSUPPORTED_PROTOCOL_VERSION,
        message: message.to_owned(),
        data: Json::encode(&data).ok(),
        ..ErrorObject::default()
    }
}
