//! What the headers of an answer say.

use std::borrow::Cow;
use std::time::{Duration, SystemTime};

use codewhale_mcp_redact::Secret;
use http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::Media;

/// `MCP-Session-Id` (MCP 2025-11-25, basic/transports).
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

/// The longest wait that a server can ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);

pub(super) fn media(headers: &HeaderMap) -> Media {
    match headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes) {
        // Most servers write it so.
        Some(b"application/json") => Media::Json,
        Some(b"text/event-stream") => Media::EventStream,
        _ => Media::of(text(headers, &header::CONTENT_TYPE).as_deref()),
    }
}

/// The session's name, as it came.
pub(super) fn session(headers: &HeaderMap) -> Option<Secret<String>> {
    text(headers, &SESSION).map(|name| Secret::new(name.into_owned()))
}

/// Seconds, or a date (RFC 9110, section 10.2.3), which is compared with the server's own clock where it is known.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = text(headers, &header::RETRY_AFTER)?;
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(value.parse().map_or(LONGEST_WAIT, Duration::from_secs).min(LONGEST_WAIT));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    let now = text(headers, &header::DATE).and_then(|date| httpdate::parse_http_date(date.trim()).ok());
    let wait = date.duration_since(now.unwrap_or_else(SystemTime::now)).unwrap_or_default();
    Some(wait.min(LONGEST_WAIT))
}

pub(super) fn challenges(headers: &HeaderMap) -> Vec<String> {
    let values = headers.get_all(header::WWW_AUTHENTICATE).iter();
    values.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect()
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<Cow<'a, str>> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()))
}
