//! The names of MCP's HTTP headers, and how values stand in them (MCP 2026-07-28, basic/transports/streamable-http).
//!
//! Names are compared without regard to case, values exactly.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use thiserror::Error;

/// The revision that a request is written in. Legacy: not on `initialize` itself.
pub const PROTOCOL_VERSION: &str = "MCP-Protocol-Version";
/// Modern: the method of the message in the body.
pub const METHOD: &str = "Mcp-Method";
/// Modern: the name of the tool or prompt, the address of the resource, or the id of the task that is asked for.
pub const NAME: &str = "Mcp-Name";
/// Modern: what the header of an argument begins with, see [`ToolHeaders`](crate::ToolHeaders).
pub const PARAM_PREFIX: &str = "Mcp-Param-";
/// Legacy: which session a request belongs to (spelled `Mcp-Session-Id` before 2025-11-25).
pub const SESSION_ID: &str = "MCP-Session-Id";
/// Legacy: behind which event an interrupted stream goes on.
pub const LAST_EVENT_ID: &str = "Last-Event-ID";

const OPENING: &str = "=?base64?";
const CLOSING: &str = "?=";

/// A header value that looks encoded and is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidValue {
    /// What stands between the marks is no base64 in the standard alphabet with padding.
    #[error("a header value is marked as base64 and is not")]
    NotBase64,
    /// The bytes are no text.
    #[error("a header value is base64 of bytes that are not UTF-8")]
    NotUtf8,
}

/// A text as the value of `Mcp-Name` or `Mcp-Param-…`: as it is, or `=?base64?…?=` where HTTP would not carry it
/// unchanged. No control character ever comes out of this, so no text can end its header.
///
/// ```
/// use codewhale_mcp_protocol::header::{decode_value, encode_value};
///
/// assert_eq!(encode_value("us-west1"), "us-west1");
/// assert_eq!(encode_value("line1\nline2"), "=?base64?bGluZTEKbGluZTI=?=");
/// assert_eq!(decode_value("=?base64?bGluZTEKbGluZTI=?=")?, "line1\nline2");
/// # Ok::<(), codewhale_mcp_protocol::header::InvalidValue>(())
/// ```
#[must_use]
pub fn encode_value(text: &str) -> Cow<'_, str> {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let is_padded = text.starts_with(' ') || text.ends_with(' ');
    let looks_encoded = text.starts_with(OPENING) && text.ends_with(CLOSING);
    if is_plain && !is_padded && !looks_encoded {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{OPENING}{}{CLOSING}", STANDARD.encode(text)))
}

/// The text that a value of `Mcp-Name` or `Mcp-Param-…` stands for. The marks count in lower case only.
///
/// # Errors
/// When the value is marked as encoded and is not.
pub fn decode_value(value: &str) -> Result<Cow<'_, str>, InvalidValue> {
    let encoded = value.strip_prefix(OPENING).and_then(|rest| rest.strip_suffix(CLOSING));
    let Some(encoded) = encoded else { return Ok(Cow::Borrowed(value)) };
    let bytes = STANDARD.decode(encoded).map_err(|_| InvalidValue::NotBase64)?;
    String::from_utf8(bytes).map(Cow::Owned).map_err(|_| InvalidValue::NotUtf8)
}

/// Whether a value may be the id of a session: one or more visible ASCII characters (MCP 2025-11-25,
/// basic/transports).
#[must_use]
pub fn is_session_id(value: &[u8]) -> bool {
    !value.is_empty() && value.iter().all(u8::is_ascii_graphic)
}
