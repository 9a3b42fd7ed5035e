//! What a line of the input says.

use codewhale_mcp_protocol::Json;
use serde::Deserialize;

use super::{Answer, Prompt, Request};

/// A message of the input.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Incoming {
    /// A prompt.
    User(Prompt),
    /// The caller wants something of us.
    Request { id: String, request: Request },
    /// The caller answers what we wanted.
    Answer(Answer),
    /// Nothing that matters here, such as a sign of life.
    Nothing,
}

/// A line that says nothing to us.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error("it is no JSON object: {0}")]
    NoObject(#[source] serde_json::Error),
    #[error("it has no `type`")]
    NoType,
    #[error("there is no message of type `{0}`")]
    UnknownType(String),
    #[error("it is no message of type `{kind}`: {reason}")]
    BadMessage { kind: &'static str, reason: String },
}

impl Unreadable {
    pub(super) fn bad(kind: &'static str, reason: impl ToString) -> Self {
        Self::BadMessage { kind, reason: reason.to_string() }
    }
}

#[derive(Deserialize)]
struct Envelope {
    r#type: Option<Json>,
    message: Option<Json>,
    uuid: Option<Json>,
    request_id: Option<Json>,
    request: Option<Json>,
    response: Option<Json>,
}

impl Incoming {
    pub(crate) fn read(line: &[u8]) -> Result<Self, Unreadable> {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let envelope: Envelope = serde_json::from_slice(line).map_err(Unreadable::NoObject)?;
        // An array of as many members is read as one, too.
        if !line.trim_ascii_start().starts_with(b"{") {
            return Err(Unreadable::NoType);
        }
        let text = |json: Option<Json>| json.and_then(|json| json.decode::<String>().ok());
        match text(envelope.r#type).ok_or(Unreadable::NoType)?.as_str() {
            "user" => {
                let message = envelope.message.ok_or_else(|| Unreadable::bad("user", "no `message`"))?;
                let prompt = Prompt::read(&message).map_err(|reason| Unreadable::bad("user", reason))?;
                Ok(Self::User(Prompt { uuid: text(envelope.uuid), ..prompt }))
            }
            "control_request" => {
                let bad = |reason| Unreadable::bad("control_request", reason);
                let id = text(envelope.request_id).ok_or_else(|| bad("no `request_id`"))?;
                let request = Request::read(envelope.request.as_ref());
                Ok(Self::Request { id, request })
            }
            "control_response" => {
                let response =
                    envelope.response.ok_or_else(|| Unreadable::bad("control_response", "no `response`"))?;
                let answer = Answer::read(&response);
                answer.map(Self::Answer).map_err(|reason| Unreadable::bad("control_response", reason))
            }
            "keep_alive" | "control_cancel_request" | "update_environment_variables" => Ok(Self::Nothing),
            other => Err(Unreadable::UnknownType(other.to_owned())),
        }
    }
}
