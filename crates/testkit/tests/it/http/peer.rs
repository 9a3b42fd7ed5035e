//! A raw HTTP/1.1 client: writes what it is told to and reads what comes, byte by byte.

use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;

/// One connection.
pub(crate) struct Peer {
    stream: TcpStream,
    port: u16,
    read: Vec<u8>,
    chunked: bool,
}

/// A response, its body out of its framing.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Lines of the head, after the first.
    pub(crate) head: Vec<String>,
    pub(crate) body: String,
    /// The body came to the end that was announced.
    pub(crate) is_whole: bool,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.head, name)
    }

    /// The message of a JSON body.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// The messages of an event stream.
    pub(crate) fn messages(&self) -> Vec<Value> {
        let text = self.body.replace("\r\n", "\n").replace('\r', "\n");
        let data = |event: &str| {
            let lines = event.lines().filter_map(|line| line.strip_prefix("data:"));
            lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
        };
        text.split("\n\n").filter_map(|event| serde_json::from_str(&data(event)).ok()).collect()
    }

    /// The last message, in whichever way it came.
    pub(crate) fn last(&self) -> Value {
        let streamed = self.header("content-type").is_some_and(|kind| kind.contains("event-stream"));
        if streamed { self.messages().pop().unwrap_or_default() } else { self.json() }
    }
}

impl Peer {
    pub(crate) fn connect(port: u16) -> Peer {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(crate::play::DEADLINE)).unwrap();
        Peer { stream, port, read: Vec::new(), chunked: false }
    }

    /// Writes a request.
    pub(crate) fn send(&mut self, line: &str, headers: &[(&str, &str)], body: &str) {
        let mut text = format!("{line} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", self.port);
        headers.iter().for_each(|(name, value)| text.push_str(&format!("{name}: {value}\r\n")));
        if !body.is_empty() {
            text.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        self.stream.write_all(format!("{text}\r\n{body}").as_bytes()).unwrap();
    }

    /// Reads the head of an answer: its status and its lines.
    pub(crate) fn head(&mut self) -> (u16, Vec<String>) {
        let mut lines = Vec::new();
        loop {
            match self.line() {
                Some(line) if !line.is_empty() => lines.push(line),
                _ => break,
            }
        }
        assert!(!lines.is_empty(), "the connection ended without an answer");
        let status = lines.remove(0).split(' ').nth(1).unwrap().parse().unwrap();
        self.chunked = header(&lines, "transfer-encoding") == Some("chunked");
        (status, lines)
    }

    /// Reads an answer to its end.
    pub(crate) fn answer(&mut self) -> Answer {
        let (status, head) = self.head();
        let mut body = Vec::new();
        let mut is_whole = true;
        if self.chunked {
            loop {
                match self.chunk() {
                    Some(chunk) if chunk.is_empty() => break,
                    Some(chunk) => body.extend(chunk),
                    None => {
                        is_whole = false;
                        break;
                    }
                }
            }
        } else if let Some(length) = header(&head, "content-length") {
            let length: usize = length.parse().unwrap();
            is_whole = self.fill(length);
            body = self.take(length);
        }
        Answer { status, head, body: String::from_utf8_lossy(&body).into_owned(), is_whole }
    }

    /// The next event of a stream whose head has been read, without the blank line; `None` at its end.
    pub(crate) fn event(&mut self) -> Option<String> {
        let mut text = String::new();
        while !text.ends_with("\n\n") {
            let chunk = self.chunk().filter(|chunk| !chunk.is_empty())?;
            text.push_str(&String::from_utf8(chunk).unwrap());
        }
        Some(text.trim_end().to_owned())
    }

    /// The message in the next event that has one.
    pub(crate) fn message(&mut self) -> Option<Value> {
        loop {
            let event = self.event()?;
            let data = event.lines().find_map(|line| line.strip_prefix("data: "));
            if let Some(message) = data.and_then(|data| serde_json::from_str(data).ok()) {
                return Some(message);
            }
        }
    }

    /// Whether nothing has come so far.
    pub(crate) fn is_silent(&mut self) -> bool {
        self.stream.set_nonblocking(true).unwrap();
        let nothing = self.stream.read(&mut [0]);
        self.stream.set_nonblocking(false).unwrap();
        nothing.is_err_and(|fault| fault.kind() == std::io::ErrorKind::WouldBlock)
    }

    /// So many bytes as they are, or fewer at the end.
    pub(crate) fn raw(&mut self, count: usize) -> Vec<u8> {
        self.fill(count);
        self.take(count)
    }

    fn chunk(&mut self) -> Option<Vec<u8>> {
        let size = usize::from_str_radix(&self.line()?, 16).ok()?;
        if !self.fill(size + 2) {
            return None;
        }
        let mut chunk = self.take(size + 2);
        chunk.truncate(size);
        Some(chunk)
    }

    fn line(&mut self) -> Option<String> {
        let mut seen = 0;
        loop {
            if let Some(place) = self.read[seen..].iter().position(|byte| *byte == b'\n') {
                let line = self.take(seen + place + 1);
                return Some(String::from_utf8_lossy(&line).trim_end().to_owned());
            }
            seen = self.read.len();
            if !self.fill(seen + 1) {
                return None;
            }
        }
    }

    fn fill(&mut self, count: usize) -> bool {
        let mut piece = [0; 1 << 16];
        while self.read.len() < count {
            match self.stream.read(&mut piece) {
                Ok(0) => return false,
                Ok(size) => self.read.extend_from_slice(&piece[..size]),
                Err(fault) if fault.kind() == std::io::ErrorKind::WouldBlock => {
                    panic!("nothing came in time")
                }
                Err(_) => return false,
            }
        }
        true
    }

    fn take(&mut self, count: usize) -> Vec<u8> {
        let count = count.min(self.read.len());
        self.read.drain(..count).collect()
    }
}

fn header<'a>(head: &'a [String], name: &str) -> Option<&'a str> {
    let mut fields = head.iter().filter_map(|line| line.split_once(": "));
    fields.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// One request on a connection of its own.
pub(crate) fn request(port: u16, line: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut peer = Peer::connect(port);
    peer.send(line, headers, body);
    peer.answer()
}
