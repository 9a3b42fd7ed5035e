//! Prints one HTTP response.

use std::io::{self, Write};

/// A response with a whole body.
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Response {
    pub(super) fn empty(status: u16) -> Response {
        Response { status, headers: Vec::new(), body: Vec::new() }
    }

    pub(super) fn json(status: u16, body: String) -> Response {
        Response { body: body.into_bytes(), ..Response::empty(status) }
            .with("Content-Type", "application/json")
    }

    pub(super) fn with(mut self, name: &str, value: &str) -> Response {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// One write, so that a client reads it whole.
    pub(super) fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let mut bytes = head(self.status, &self.headers, &format!("Content-Length: {}", self.body.len()));
        bytes.extend_from_slice(&self.body);
        output.write_all(&bytes)
    }
}

/// The status line and the headers, the last of which says how the body is measured.
pub(super) fn head(status: u16, headers: &[(String, String)], measure: &str) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {status} {}\r\n", if status < 400 { "Fine" } else { "Refused" });
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str(&format!("{measure}\r\n\r\n"));
    text.into_bytes()
}
