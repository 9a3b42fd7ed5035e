//! Reads one HTTP request from a socket.

use std::io::{self, BufRead, Read};

/// A request with its whole body.
pub(super) struct Request {
    pub(super) method: String,
    pub(super) target: String,
    /// Names as they came.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Request {
    /// `None` at the end of the connection.
    pub(super) fn read(input: &mut impl BufRead) -> io::Result<Option<Request>> {
        let Some(first) = line(input)? else { return Ok(None) };
        let mut words = first.split(' ').map(str::to_owned);
        let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let mut request = Request { method, target, headers: Vec::new(), body: Vec::new() };
        while let Some(text) = line(input)?.filter(|text| !text.is_empty()) {
            let (name, value) = text.split_once(':').unwrap_or((&text, ""));
            request.headers.push((name.to_owned(), value.trim().to_owned()));
        }
        if request.header("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
            while let Some(size) = line(input)? {
                let size = usize::from_str_radix(size.trim(), 16).map_err(io::Error::other)?;
                let start = request.body.len();
                request.body.resize(start + size, 0);
                input.read_exact(&mut request.body[start..])?;
                line(input)?;
                if size == 0 {
                    break;
                }
            }
        } else if let Some(length) = request.header("content-length").and_then(|text| text.parse().ok()) {
            request.body.resize(length, 0);
            input.read_exact(&mut request.body)?;
        }
        Ok(Some(request))
    }

    /// The value of a header, whose name may be written in any case.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }
}

fn line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if input.take(64 << 10).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(bytes.trim_ascii_end()).into_owned()))
}
