//! What headers of a modern request say again, held against its body (MCP 2026-07-28, basic/transports/streamable-http).

use codewhale_mcp_protocol::header::{METHOD, NAME, PROTOCOL_VERSION, decode_value};
use codewhale_mcp_protocol::{Json, SentHeader, ToolHeaders};
use http::HeaderMap;

use crate::Incoming;

/// Why a header and the body do not go together, in words.
pub(super) type Mismatch = String;

/// A header as it came.
pub(super) fn sent<'a>(headers: &'a HeaderMap, name: &str) -> Option<SentHeader<'a>> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    let text = first.to_str().ok().filter(|_| values.next().is_none());
    Some(text.map_or(SentHeader::Unreadable, |text| SentHeader::Text(text.trim_matches([' ', '\t']))))
}

/// The headers that every request has, and `Mcp-Name`. A body that says no revision or name is for others to refuse.
pub(super) fn check_standard(headers: &HeaderMap, message: &Incoming<'_>) -> Result<(), Mismatch> {
    let version = message.protocol_version();
    same(headers, PROTOCOL_VERSION, version.as_deref(), Encoding::Plain)?;
    same(headers, METHOD, message.method(), Encoding::Plain)?;
    match message.routing_name() {
        Some(name) => same(headers, NAME, Some(&name), Encoding::Marked),
        None => Ok(()),
    }
}

/// The headers of a tool's arguments, as its schema asks for them.
pub(super) fn check_arguments(
    headers: &HeaderMap,
    mirrored: &ToolHeaders,
    message: &Incoming<'_>,
) -> Result<(), Mismatch> {
    let arguments = message.arguments().map_or_else(Json::default, Json::from);
    mirrored.check(&arguments, |name| sent(headers, name)).map_err(|mismatch| mismatch.to_string())
}

/// How a header carries a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Plain,
    /// As base64 where it is marked so.
    Marked,
}

fn same(headers: &HeaderMap, name: &str, in_body: Option<&str>, encoding: Encoding) -> Result<(), Mismatch> {
    let in_header = match sent(headers, name) {
        Some(SentHeader::Text(text)) => text,
        Some(SentHeader::Unreadable) => return Err(format!("the header `{name}` cannot be read")),
        None => return Err(format!("the header `{name}` is missing")),
    };
    let in_header = match encoding {
        Encoding::Plain => in_header.into(),
        Encoding::Marked => {
            decode_value(in_header).map_err(|error| format!("the header `{name}`: {error}"))?
        }
    };
    match in_body {
        Some(in_body) if in_body != &*in_header => {
            Err(format!("the header `{name}` does not say what the body says"))
        }
        _ => Ok(()),
    }
}
