//! Holds a client to every rule that its headers can break.

use super::plan::{Knock, Passage, Plan};
use super::response::Response;
use crate::base::{LEGACY, MODERN};
use crate::options::Options;
use crate::out::Record;
use std::collections::HashMap;

/// Refuses what breaks a rule, and says so in the record; the messages themselves are held to theirs as well.
pub(super) fn strict(_: &Options, plan: &mut Plan) {
    plan.strict = true;
    plan.builders.push(crate::strict::strict);
}

/// The gate of the mode.
pub(super) fn gate(record: Record) -> impl FnMut(&Knock<'_>) -> Passage + Send + 'static {
    let mut revisions: HashMap<String, String> = HashMap::new();
    let mut asked = String::new();
    move |knock| {
        if knock.method == "initialize" {
            asked =
                knock.message.and_then(|message| message.param_text("protocolVersion")).unwrap_or_default();
        } else if let Some(session) = knock.request.header("mcp-session-id") {
            revisions.entry(session.to_owned()).or_insert_with(|| asked.clone());
        }
        let Some((status, fault)) = fault(knock, &revisions) else { return Passage::Open };
        let what = if knock.method.is_empty() { &knock.request.method } else { knock.method };
        record.note("violation:", format!("{what}: {fault}").as_bytes());
        Passage::Answer(Response::empty(status).with("Content-Type", "text/plain").body(fault))
    }
}

fn fault(knock: &Knock<'_>, revisions: &HashMap<String, String>) -> Option<(u16, String)> {
    let request = knock.request;
    let refuse = |status: u16, text: &str| Some((status, text.to_owned()));
    let accepts = |kind: &str| {
        let accept = request.header("accept").unwrap_or_default();
        accept.split(',').any(|one| one.split(';').next().unwrap_or_default().trim() == kind)
    };
    match request.method.as_str() {
        "POST" if request.header("content-type") != Some("application/json") => {
            return refuse(415, "Content-Type is not application/json");
        }
        "POST" if !accepts("application/json") || !accepts("text/event-stream") => {
            return refuse(406, "Accept does not list both types");
        }
        "GET" if !accepts("text/event-stream") || accepts("application/json") => {
            return refuse(406, "Accept is not text/event-stream");
        }
        _ => {}
    }
    for name in ["host", "content-type", "accept", "mcp-protocol-version", "mcp-session-id", "mcp-method"] {
        if request.values(name).count() > 1 {
            return refuse(400, &format!("{name} is there twice"));
        }
    }
    if request.header("host") != Some(&format!("127.0.0.1:{}", request.port)) {
        return refuse(400, "Host is not where the request came to");
    }
    let version = request.header("mcp-protocol-version");
    let session = request.header("mcp-session-id");
    let by_stream = request.path.contains("/sse") || request.path.contains("session=");
    match (knock.method, version) {
        ("initialize", Some(_)) => refuse(400, "MCP-Protocol-Version has no place on initialize"),
        ("initialize", _) if session.is_some() => refuse(400, "MCP-Session-Id has no place on initialize"),
        (_, Some(version)) if version != MODERN && !LEGACY.contains(&version) => {
            refuse(400, &format!("MCP-Protocol-Version is {version}"))
        }
        (_, Some(version)) => {
            let negotiated = session.and_then(|session| revisions.get(session));
            negotiated.filter(|known| *known != version).and_then(|known| {
                refuse(400, &format!("MCP-Protocol-Version is {version}, {known} was agreed on"))
            })
        }
        ("initialize", None) => None,
        (_, None) if by_stream => None,
        (_, None) => {
            let old = session.and_then(|session| revisions.get(session)).map(String::as_str);
            let needs_none = matches!(old, Some("2025-03-26" | "2024-11-05"));
            if needs_none { None } else { refuse(400, "MCP-Protocol-Version is missing") }
        }
    }
}
