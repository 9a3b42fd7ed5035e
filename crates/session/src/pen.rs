//! Writes frames: envelope, `_meta`, params, line end.

use codewhale_mcp_protocol::{Implementation, Revision, code, meta, write_json};
use serde::Serialize;

use crate::Settings;

/// Writes frames the way one connection's era wants them. Holds no state of the connection, so a frame can be
/// written without holding the connection up.
#[derive(Debug)]
pub struct Pen {
    /// What stands between the method and the progress token of every request: the beginning of its params, with the
    /// members of `_meta` that it carries. Empty for requests that have neither.
    opening: Vec<u8>,
    revision: Option<Revision>,
}

/// How the params of a request with `_meta` begin, and what its last member is called.
const OPENING: &[u8] = b",\"params\":{\"_meta\":{";
const TOKEN: &[u8] = b"\"progressToken\":";

/// Members beside those of a request's params, as JSON text without the braces around them.
#[derive(Debug, Clone, Copy, Default)]
pub struct More<'a> {
    /// Further members of `_meta`, such as `"traceparent":"00-…"`.
    pub meta: Option<&'a str>,
    /// Further members of the params, such as `"requestState":"…"`.
    pub params: Option<&'a str>,
}

/// A request's params cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// They have no JSON form.
    #[error("the params cannot be written as JSON")]
    Json(#[from] serde_json::Error),
    /// Params are an object or absent.
    #[error("the params are not a JSON object")]
    NotAnObject,
    /// A member of `_meta` has a name that it must not have.
    #[error("{name:?} is no name for a member of _meta, or is not the caller's to set")]
    MetaName {
        /// The name.
        name: String,
    },
}

impl Pen {
    /// For the legacy era: `_meta` carries a progress token and nothing else.
    pub(crate) fn legacy(revision: Revision) -> Self {
        let mut pen = Self { opening: OPENING.into(), revision: Some(revision) };
        pen.opening.extend_from_slice(TOKEN);
        pen
    }

    /// For the first message to a legacy server, which has no `_meta`.
    pub(crate) fn handshake() -> Self {
        Self { opening: Vec::new(), revision: None }
    }

    /// For the modern era: every request names its revision and its sender.
    pub(crate) fn modern(revision: Revision, settings: &Settings) -> Self {
        let mut pen = Self::legacy(revision);
        pen.member(meta::PROTOCOL_VERSION, revision.as_str());
        pen.member(meta::CLIENT_INFO, &settings.client_info as &Implementation);
        pen.member(meta::CLIENT_CAPABILITIES, &settings.capabilities);
        pen
    }

    /// The revision that is spoken, once the handshake is over.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.revision
    }

    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) {
        self.opening.truncate(self.opening.len() - TOKEN.len());
        write_string(&mut self.opening, name);
        self.opening.push(b':');
        write_json(value, &mut self.opening).expect("wire types have a JSON form");
        self.opening.push(b',');
        self.opening.extend_from_slice(TOKEN);
    }

    /// The same with the least severe log message that is wanted (MCP 2026-07-28, server/utilities/logging).
    pub(crate) fn with_log_level(mut self, level: Option<&str>) -> Self {
        if let Some(level) = level {
            self.member(meta::LOG_LEVEL, level);
        }
        self
    }

    /// Appends one request. `params` is an object or `null` and has no `_meta` of its own.
    ///
    /// # Errors
    /// When the params are no JSON object. `frame` is then as it was.
    pub fn request<P: Serialize + ?Sized>(
        &self,
        id: u64,
        method: &str,
        params: &P,
        frame: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        self.request_with(id, method, params, More::default(), frame)
    }

    /// Appends one request with more members than its params have.
    ///
    /// # Errors
    /// As for [`Self::request`].
    pub fn request_with<P: Serialize + ?Sized>(
        &self,
        id: u64,
        method: &str,
        params: &P,
        more: More<'_>,
        frame: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        let start = frame.len();
        let written = self.write_request(id, method, params, more, frame);
        match written {
            // What the pen itself writes is on one line.
            Ok(()) if more.meta.is_none() && more.params.is_none() => frame.push(b'\n'),
            Ok(()) => end_line(frame, start),
            Err(_) => frame.truncate(start),
        }
        written
    }

    fn write_request<P: Serialize + ?Sized>(
        &self,
        id: u64,
        method: &str,
        params: &P,
        more: More<'_>,
        frame: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        frame.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
        let digits = frame.len();
        write_number(frame, id);
        let digits = digits..frame.len();
        frame.extend_from_slice(b",\"method\":");
        write_string(frame, method);
        let before = frame.len();
        if self.opening.is_empty() {
            frame.extend_from_slice(b",\"params\":{");
        } else {
            frame.extend_from_slice(&self.opening);
            frame.extend_from_within(digits);
            if let Some(meta) = more.meta {
                frame.push(b',');
                frame.extend_from_slice(meta.as_bytes());
            }
            frame.push(b'}');
        }
        if let Some(members) = more.params {
            if frame.last() == Some(&b'}') {
                frame.push(b',');
            }
            frame.extend_from_slice(members.as_bytes());
        }
        // The params object is written behind what stands there, and its opening brace becomes the comma.
        let body = frame.len();
        write_json(params, frame)?;
        let first = frame[body];
        let members = frame[body..].strip_prefix(b"{").and_then(|rest| rest.strip_suffix(b"}"));
        let empty = members.map_or(&frame[body..] == b"null", |members| members.trim_ascii().is_empty());
        if first != b'{' && !empty {
            return Err(EncodeError::NotAnObject);
        }
        let has_more = frame[body - 1] != b'{';
        if empty {
            frame.truncate(body);
            if has_more {
                frame.push(b'}');
            } else {
                frame.truncate(before);
            }
        } else if has_more {
            frame[body] = b',';
        } else {
            frame.remove(body);
        }
        frame.push(b'}');
        Ok(())
    }

    /// Appends a notification without params of its own.
    pub fn notification(method: &str, frame: &mut Vec<u8>) {
        let start = frame.len();
        frame.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"method\":");
        write_string(frame, method);
        frame.push(b'}');
        end_line(frame, start);
    }

    /// Appends `notifications/cancelled` (MCP 2026-07-28, basic/patterns/cancellation).
    pub(crate) fn cancelled(id: u64, reason: &str, frame: &mut Vec<u8>) {
        let start = frame.len();
        frame.extend_from_slice(
            b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":",
        );
        write_number(frame, id);
        frame.extend_from_slice(b",\"reason\":");
        write_string(frame, reason);
        frame.extend_from_slice(b"}}");
        end_line(frame, start);
    }

    /// Appends an empty result. `id` is the request's id as it came.
    pub(crate) fn empty_result(id: &str, frame: &mut Vec<u8>) {
        let start = frame.len();
        frame.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
        frame.extend_from_slice(id.as_bytes());
        frame.extend_from_slice(b",\"result\":{}}");
        end_line(frame, start);
    }

    /// Appends the error that says that we do not have a method. `id` is the request's id as it came.
    pub(crate) fn method_not_found(id: &str, frame: &mut Vec<u8>) {
        Self::error(id, code::METHOD_NOT_FOUND, "Method not found", frame);
    }

    /// Appends the error that answers a request of the server. `id` is the request's id as it came.
    pub fn error(id: &str, code: i64, message: &str, frame: &mut Vec<u8>) {
        let start = frame.len();
        frame.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
        frame.extend_from_slice(id.as_bytes());
        frame.extend_from_slice(b",\"error\":{\"code\":");
        frame.extend_from_slice(code.to_string().as_bytes());
        frame.extend_from_slice(b",\"message\":");
        write_string(frame, message);
        frame.extend_from_slice(b"}}");
        end_line(frame, start);
    }

    /// Appends the result that answers a request of the server. `id` is the request's id as it came.
    ///
    /// # Errors
    /// When the result has no JSON form. `frame` is then as it was.
    pub fn result<R: Serialize + ?Sized>(
        id: &str,
        result: &R,
        frame: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        let start = frame.len();
        frame.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
        frame.extend_from_slice(id.as_bytes());
        frame.extend_from_slice(b",\"result\":");
        if let Err(error) = write_json(result, frame) {
            frame.truncate(start);
            return Err(error.into());
        }
        frame.push(b'}');
        end_line(frame, start);
        Ok(())
    }
}

/// Ends the frame that begins at `start`. Text that was handed on as it is may hold line breaks, which in valid
/// JSON only stand where a space may.
fn end_line(frame: &mut Vec<u8>, start: usize) {
    let mut at = start;
    while let Some(found) = memchr::memchr2(b'\n', b'\r', &frame[at..]) {
        frame[at + found] = b' ';
        at += found + 1;
    }
    frame.push(b'\n');
}

fn write_string(frame: &mut Vec<u8>, text: &str) {
    write_json(text, frame).expect("a string has a JSON form");
}

fn write_number(frame: &mut Vec<u8>, number: u64) {
    serde_json::to_writer(frame, &number).expect("a number has a JSON form");
}
