//! A response that is known as a whole.

use super::wire::Wire;
use std::io;

/// A status, headers and a body.
#[derive(Clone)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Response {
    pub(super) fn empty(status: u16) -> Response {
        Response { status, headers: Vec::new(), body: Vec::new() }
    }

    pub(super) fn json(status: u16, body: impl Into<String>) -> Response {
        Response::empty(status).with("Content-Type", "application/json").body(body)
    }

    pub(super) fn html(status: u16) -> Response {
        let text = format!("<!DOCTYPE html><html><body><h1>{status}</h1><p>no such thing</p></body></html>");
        Response::empty(status).with("Content-Type", "text/html").body(text)
    }

    pub(super) fn with(mut self, name: &str, value: &str) -> Response {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(super) fn body(self, body: impl Into<String>) -> Response {
        Response { body: body.into().into_bytes(), ..self }
    }

    pub(super) fn write(&self, wire: &mut Wire) -> io::Result<()> {
        let length = format!("Content-Length: {}", self.body.len());
        // RFC 9110, 8.6: there is no length where there can be no body.
        let measure = (self.status != 204).then_some(length.as_str());
        let mut bytes = head(self.status, &self.headers, measure);
        bytes.extend_from_slice(&self.body);
        wire.write(&bytes)
    }
}

/// The status line and the headers, the last of which says how the body is measured.
pub(super) fn head(status: u16, headers: &[(String, String)], measure: Option<&str>) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {status} {}\r\n", if status < 400 { "Fine" } else { "Refused" });
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if let Some(measure) = measure {
        text.push_str(&format!("{measure}\r\n"));
    }
    text.push_str("\r\n");
    text.into_bytes()
}
