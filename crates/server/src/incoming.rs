//! A message of a client, read once: its envelope, and of its params what decides where it goes.

use std::borrow::Cow;

use codewhale_mcp_protocol::{
    ErrorObject, Members, Message, NotAMessage, RequestId, batch, code, method, read_json,
};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::peek::{Peeked, peek};
use crate::wire;

/// A message of a client, read once. It borrows the text.
#[derive(Debug)]
pub struct Incoming<'a> {
    pub(crate) body: Body<'a>,
}

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "most messages are requests, and none is kept")]
pub(crate) enum Body<'a> {
    Request { id: &'a str, key: RequestId, method: Cow<'a, str>, params: Params<'a> },
    Notification { method: Cow<'a, str>, params: Option<&'a RawValue> },
    Result { id: &'a RawValue, result: &'a RawValue },
    Error { id: Option<&'a RawValue>, error: &'a RawValue },
    Batch(Vec<&'a RawValue>),
}

/// What kind of message something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum IncomingKind {
    /// It wants an answer.
    Request,
    /// It wants none.
    Notification,
    /// It is an answer to a request of ours (legacy).
    Response,
    /// Several messages in one (2025-03-26).
    Batch,
}

/// A text is no message. [`Self::answer`] is what its sender is told.
#[derive(Debug)]
pub struct Unreadable {
    id: Option<String>,
    error: ErrorObject,
}

impl Unreadable {
    pub(crate) fn new(id: Option<String>, code: i64, message: impl Into<String>) -> Self {
        Self { id, error: ErrorObject { code, message: message.into(), ..ErrorObject::default() } }
    }

    pub(crate) fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The error.
    #[must_use]
    pub fn error(&self) -> &ErrorObject {
        &self.error
    }

    /// The answer, whole: under the message's id where that could be read, otherwise without one.
    #[must_use]
    pub fn answer(&self) -> Vec<u8> {
        let mut out = Vec::new();
        wire::error(self.id.as_deref(), &self.error, &mut out);
        out
    }
}

impl<'a> Incoming<'a> {
    /// Reads a text.
    ///
    /// # Errors
    /// When it is not JSON (`-32700`), or no message (`-32600`).
    pub fn parse(text: &'a [u8]) -> Result<Self, Unreadable> {
        let text = text.trim_ascii();
        if text.first() == Some(&b'[') {
            return match batch(text) {
                Some(elements) if elements.is_empty() => {
                    Err(Unreadable::new(None, code::INVALID_REQUEST, "a batch is empty"))
                }
                Some(elements) => Ok(Self { body: Body::Batch(elements) }),
                None => {
                    Err(Unreadable::new(None, code::PARSE_ERROR, "not JSON, or a batch of too many messages"))
                }
            };
        }
        if let Some(request) = std::str::from_utf8(text).ok().and_then(usual) {
            return Ok(request);
        }
        let message = Message::parse(text).map_err(|fault| unreadable(text, fault))?;
        Ok(Self {
            body: match message {
                Message::Request { id, method, params } => {
                    let id = id.get();
                    let refused = |code, message: String| Unreadable::new(Some(id.to_owned()), code, message);
                    let key = key(id).ok_or_else(|| {
                        let message = "an id is neither a string nor an integer";
                        Unreadable::new(None, code::INVALID_REQUEST, message)
                    })?;
                    // JSON-RPC allows an array, MCP does not.
                    if params.is_some_and(|params| !params.get().starts_with('{')) {
                        return Err(refused(code::INVALID_REQUEST, "params are no object".into()));
                    }
                    let params =
                        params.map_or_else(|| Ok(Params::default()), |params| Params::read(params.get()));
                    let params = params.map_err(|error| refused(code::INVALID_PARAMS, error))?;
                    Body::Request { id, key, method, params }
                }
                Message::Notification { .. } if names_id(text) => {
                    return Err(Unreadable::new(None, code::INVALID_REQUEST, "an id is null"));
                }
                Message::Notification { method, params } => Body::Notification { method, params },
                Message::Result { id, result } => Body::Result { id, result },
                Message::Error { id, error } => Body::Error { id, error },
            },
        })
    }

    /// What kind of message it is.
    #[must_use]
    pub fn kind(&self) -> IncomingKind {
        match &self.body {
            Body::Request { .. } => IncomingKind::Request,
            Body::Notification { .. } => IncomingKind::Notification,
            Body::Result { .. } | Body::Error { .. } => IncomingKind::Response,
            Body::Batch(_) => IncomingKind::Batch,
        }
    }

    /// The method of a request or a notification.
    #[must_use]
    pub fn method(&self) -> Option<&str> {
        match &self.body {
            Body::Request { method, .. } | Body::Notification { method, .. } => Some(method),
            _ => None,
        }
    }

    /// Whether it is a request of the modern era: it says so in its `_meta`, or asks for what no other era has (MCP
    /// 2026-07-28, basic/versioning).
    #[must_use]
    pub fn is_modern(&self) -> bool {
        match &self.body {
            Body::Request { method, params, .. } => {
                params.meta.protocol_version.is_some()
                    || params.meta.client_capabilities.is_some()
                    || matches!(&**method, method::DISCOVER | method::LISTEN | method::TASKS_UPDATE)
            }
            _ => false,
        }
    }

    /// The revision that a modern request names in its `_meta`, if that is a string.
    #[must_use]
    pub fn protocol_version(&self) -> Option<Cow<'a, str>> {
        text(self.params()?.meta.protocol_version)
    }

    /// What `Mcp-Name` has to say: the name of the tool or prompt, the resource's address, the task's id; `None` for
    /// methods that have none (MCP 2026-07-28, basic/transports/streamable-http).
    #[must_use]
    pub fn routing_name(&self) -> Option<Cow<'a, str>> {
        let params = self.params()?;
        match self.method()? {
            method::TOOLS_CALL | method::PROMPTS_GET => text(params.name),
            method::RESOURCES_READ => text(params.uri),
            method::TASKS_GET | method::TASKS_UPDATE | method::TASKS_CANCEL => text(params.task_id),
            _ => None,
        }
    }

    /// The arguments of a call, as they came.
    #[must_use]
    pub fn arguments(&self) -> Option<&'a RawValue> {
        self.params()?.arguments
    }

    /// An answer that refuses this request, whole.
    #[must_use]
    pub fn refuse(&self, error: &ErrorObject) -> Vec<u8> {
        let id = match &self.body {
            Body::Request { id, .. } => Some(*id),
            _ => None,
        };
        let mut out = Vec::new();
        wire::error(id, error, &mut out);
        out
    }

    /// Whether it wants an answer, or one of a batch does.
    #[cfg(feature = "http")]
    pub(crate) fn asks(&self) -> bool {
        match &self.body {
            Body::Request { .. } => true,
            Body::Batch(elements) => {
                let asks = |element: &&RawValue| {
                    Incoming::parse(element.get().as_bytes())
                        .is_ok_and(|one| one.kind() == IncomingKind::Request)
                };
                elements.iter().any(asks)
            }
            _ => false,
        }
    }

    /// The params of a request, as they came.
    #[cfg(feature = "http")]
    pub(crate) fn params_as_they_came(&self) -> Option<&'a str> {
        self.params()?.raw
    }

    fn params(&self) -> Option<&Params<'a>> {
        match &self.body {
            Body::Request { params, .. } => Some(params),
            _ => None,
        }
    }
}

/// A string's text; nothing if it is no string.
pub(crate) fn text(raw: Option<&RawValue>) -> Option<Cow<'_, str>> {
    unquoted(raw?.get())
}

fn unquoted(raw: &str) -> Option<Cow<'_, str>> {
    let plain = raw.strip_prefix('"')?.strip_suffix('"')?;
    match plain.contains('\\') {
        false => Some(Cow::Borrowed(plain)),
        true => serde_json::from_str(raw).ok().map(Cow::Owned),
    }
}

/// The id of a request, told from others by its type too; nothing if it is none.
fn key(id: &str) -> Option<RequestId> {
    match unquoted(id) {
        Some(text) => Some(RequestId::String(text.into_owned())),
        None => id.parse().ok().map(RequestId::Integer),
    }
}

/// A request whose members stand in a usual order.
fn usual(text: &str) -> Option<Incoming<'_>> {
    let Peeked { id, method, params } = peek(text)?;
    let (key, params) = (key(id)?, Params::read(params).ok()?);
    Some(Incoming { body: Body::Request { id, key, method: Cow::Borrowed(method), params } })
}

fn unreadable(text: &[u8], fault: NotAMessage) -> Unreadable {
    let code = match &fault {
        // JSON that is no message is an invalid request (JSON-RPC 2.0, section 5.1).
        NotAMessage::Unreadable(_) if serde_json::from_slice::<&RawValue>(text).is_err() => code::PARSE_ERROR,
        _ => code::INVALID_REQUEST,
    };
    let id = match &fault {
        NotAMessage::InvalidId => None,
        _ => readable_id(text),
    };
    Unreadable::new(id, code, fault.to_string())
}

/// Whether what has no id has one that is `null`, which no request may have (MCP 2026-07-28, basic/index).
fn names_id(text: &[u8]) -> bool {
    let members = serde_json::from_slice::<Members<IgnoredAny>>(text);
    members.is_ok_and(|members| members.member("id").is_some())
}

/// The id of what is no message otherwise.
fn readable_id(text: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Id<'a> {
        #[serde(borrow, default)]
        id: Option<&'a RawValue>,
    }
    let id = serde_json::from_slice::<Id<'_>>(text).ok()?.id?;
    key(id.get()).map(|_| id.get().to_owned())
}

/// The members of params that any method has, as they came.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Params<'a> {
    #[serde(skip)]
    pub(crate) raw: Option<&'a str>,
    #[serde(borrow, default)]
    pub(crate) name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) uri: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) arguments: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) cursor: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "taskId")]
    pub(crate) task_id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) task: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "inputResponses")]
    pub(crate) input_responses: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "requestState")]
    pub(crate) request_state: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "_meta")]
    pub(crate) raw_meta: Option<&'a RawValue>,
    #[serde(skip)]
    pub(crate) meta: RequestMeta<'a>,
}

impl<'a> Params<'a> {
    fn read(raw: &'a str) -> Result<Self, String> {
        let mut params: Self = read_json(raw).map_err(|error| error.to_string())?;
        params.raw = Some(raw);
        if let Some(meta) = params.raw_meta {
            params.meta = read_json(meta.get()).map_err(|error| format!("_meta: {error}"))?;
        }
        Ok(params)
    }
}

/// The members of a request's `_meta` that decide how it is answered, as they came.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct RequestMeta<'a> {
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    pub(crate) protocol_version: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientCapabilities")]
    pub(crate) client_capabilities: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/logLevel")]
    pub(crate) log_level: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "progressToken")]
    pub(crate) progress_token: Option<&'a RawValue>,
}

impl<'a> RequestMeta<'a> {
    /// The token for notifications of progress; what is neither a string nor an integer is none (MCP 2026-07-28,
    /// basic/patterns/progress).
    pub(crate) fn progress_token(&self) -> Option<&'a RawValue> {
        self.progress_token.filter(|token| key(token.get()).is_some())
    }
}
