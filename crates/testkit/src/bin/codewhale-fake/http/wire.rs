//! How the HTTP server answers: in JSON or events, with or without sessions, strictly or not.

use super::request::Request;
use super::response::Response;
use super::sse::Framing;
use crate::options::Options;

/// Flags of every HTTP mode that reaches the server.
pub(crate) const JSON_FLAGS: &str =
    "[--session] [--strict] --port N --get STATUS --notify-status STATUS --content-type TEXT";
/// The same and the shape of the events.
pub(crate) const SSE_FLAGS: &str = "[--session] [--strict] --port N --get STATUS --notify-status STATUS --content-type TEXT --eol lf|crlf|cr|mixed --cut whole|byte|crlf [--spread] [--unnamed] [--no-space] [--bom] [--comment] [--prime]";

/// What a gate does with a request.
pub(super) enum Passage {
    Open,
    Answer(Response),
    /// Nothing is answered, and the connection stays.
    Silence,
}

/// Stands before the server; counts what it must in its own state.
pub(super) type Gate = Box<dyn FnMut(&Request) -> Passage + Send>;

/// The settings of one run.
pub(crate) struct Wire {
    pub(super) port: u16,
    /// `Some` answers requests in events.
    pub(super) framing: Option<Framing>,
    /// Gives out a session id and wants it back.
    pub(super) session: bool,
    pub(super) gates: Vec<Gate>,
    /// The status of GET and DELETE.
    pub(super) get: u16,
    pub(super) notify: u16,
    pub(super) content_type: Option<String>,
}

impl Default for Wire {
    fn default() -> Wire {
        Wire {
            port: 0,
            framing: None,
            session: false,
            gates: Vec::new(),
            get: 405,
            notify: 202,
            content_type: None,
        }
    }
}

/// Answers are JSON bodies.
pub(crate) fn json(options: &Options, wire: &mut Wire) {
    let status =
        |name: &str, default: u16| options.text(name).and_then(|text| text.parse().ok()).unwrap_or(default);
    wire.port = status("port", 0);
    wire.session |= options.has("session");
    wire.get = status("get", wire.get);
    wire.notify = status("notify-status", wire.notify);
    wire.content_type = options.text("content-type");
    if options.has("strict") {
        wire.gates.push(Box::new(strict));
    }
}

/// Answers are streams of events.
pub(crate) fn sse(options: &Options, wire: &mut Wire) {
    json(options, wire);
    wire.framing = Some(Framing::new(options));
}

/// Refuses headers that a strict server refuses.
fn strict(request: &Request) -> Passage {
    if request.method != "POST" {
        return Passage::Open;
    }
    let accept = request.header("accept").unwrap_or_default();
    let initialize = String::from_utf8_lossy(&request.body).contains(r#""method":"initialize""#);
    let version = request.header("mcp-protocol-version").is_some();
    let status = if request.header("content-type") != Some("application/json") {
        415
    } else if !accept.contains("application/json") || !accept.contains("text/event-stream") {
        406
    } else if initialize == version {
        400
    } else {
        return Passage::Open;
    };
    Passage::Answer(Response::empty(status))
}
