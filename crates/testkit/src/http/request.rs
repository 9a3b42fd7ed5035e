//! One HTTP request, as it was read from its socket.

use serde_json::Value;
use std::io::{self, BufRead, Read};
use std::time::Instant;

/// A request with its whole body.
#[derive(Debug, Clone)]
pub struct HttpRequest {
    /// The number of its connection, from 1.
    pub connection: u64,
    /// The port it came to.
    pub port: u16,
    /// When its head and body were there.
    pub at: Instant,
    /// The HTTP method.
    pub method: String,
    /// The request target: path and query.
    pub path: String,
    /// The headers in their order, with the names as they came.
    pub headers: Vec<(String, String)>,
    /// The body, without its framing.
    pub body: Vec<u8>,
}

impl HttpRequest {
    /// The value of a header, whose name may be written in any case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.values(name).next()
    }

    /// The body as JSON, null when it is none.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// The method of the JSON-RPC message in the body.
    #[must_use]
    pub fn rpc_method(&self) -> Option<String> {
        self.json()["method"].as_str().map(str::to_owned)
    }

    /// Every value of a header.
    pub(super) fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        let named = self.headers.iter().filter(move |(known, _)| known.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.as_str())
    }

    /// A parameter of the query.
    pub(super) fn query(&self, name: &str) -> Option<&str> {
        let (_, query) = self.path.split_once('?')?;
        query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
    }

    /// `None` at the end of the connection.
    pub(crate) fn read(
        input: &mut impl BufRead,
        connection: u64,
        port: u16,
    ) -> io::Result<Option<HttpRequest>> {
        let Some(first) = line(input)? else { return Ok(None) };
        let mut words = first.split(' ').map(str::to_owned);
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let (headers, body) = (Vec::new(), Vec::new());
        let mut request = HttpRequest { connection, port, at: Instant::now(), method, path, headers, body };
        while let Some(text) = line(input)?.filter(|text| !text.is_empty()) {
            let (name, value) = text.split_once(':').unwrap_or((&text, ""));
            request.headers.push((name.to_owned(), value.trim().to_owned()));
        }
        request.read_body(input)?;
        request.at = Instant::now();
        Ok(Some(request))
    }

    fn read_body(&mut self, input: &mut impl BufRead) -> io::Result<()> {
        if self.header("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
            while let Some(size) = line(input)? {
                let size = usize::from_str_radix(size.trim(), 16).map_err(io::Error::other)?;
                let start = self.body.len();
                self.body.resize(start + size, 0);
                input.read_exact(&mut self.body[start..])?;
                line(input)?;
                if size == 0 {
                    break;
                }
            }
        } else if let Some(length) = self.header("content-length").and_then(|text| text.parse().ok()) {
            self.body.resize(length, 0);
            input.read_exact(&mut self.body)?;
        }
        Ok(())
    }
}

fn line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if input.take(64 << 10).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(bytes.trim_ascii_end()).into_owned()))
}
