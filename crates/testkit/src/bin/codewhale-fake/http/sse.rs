//! Prints messages as server-sent events, in every shape and cut the format allows.

use crate::options::Options;
use crate::out::Sink;
use std::io::{self, Write};
use std::net::TcpStream;

/// The shape of a stream.
#[derive(Clone)]
pub(super) struct Framing {
    /// Line ends, taken in turn.
    ends: Vec<&'static str>,
    cut: Cut,
    /// JSON is spread over several data lines.
    spread: bool,
    named: bool,
    space: &'static str,
    /// What stands before the first event.
    preamble: String,
}

/// Where the bytes of an event are cut into writes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    Whole,
    EveryByte,
    /// After each carriage return, so that it comes apart from its line feed.
    AfterReturn,
}

impl Framing {
    pub(super) fn new(options: &Options) -> Framing {
        let ends = match options.word("eol", "lf").as_str() {
            "crlf" => vec!["\r\n"],
            "cr" => vec!["\r"],
            "mixed" => vec!["\r\n", "\n", "\r"],
            _ => vec!["\n"],
        };
        let cut = match options.word("cut", "whole").as_str() {
            "byte" => Cut::EveryByte,
            "crlf" => Cut::AfterReturn,
            _ => Cut::Whole,
        };
        let mut preamble = String::new();
        if options.has("bom") {
            preamble.push('\u{feff}');
        }
        if options.has("comment") {
            preamble.push_str(": keep-alive\n\nunknown: field\n\n");
        }
        if options.has("prime") {
            preamble.push_str("id: 1\nretry: 500\ndata:\n\n");
        }
        let space = if options.has("no-space") { "" } else { " " };
        Framing { ends, cut, spread: options.has("spread"), named: !options.has("unnamed"), space, preamble }
    }

    /// The bytes of one event.
    fn event(&self, json: &str) -> Vec<u8> {
        let mut lines = Vec::new();
        if self.named {
            lines.push(format!("event:{}message", self.space));
        }
        let json = if self.spread { spread(json) } else { json.to_owned() };
        lines.extend(json.split('\n').map(|part| format!("data:{}{part}", self.space)));
        lines.push(String::new());
        let ends = self.ends.iter().cycle();
        lines.iter().zip(ends).flat_map(|(line, end)| [line.as_str(), end]).collect::<String>().into_bytes()
    }

    fn pieces<'a>(&self, bytes: &'a [u8]) -> Vec<&'a [u8]> {
        match self.cut {
            Cut::Whole => vec![bytes],
            Cut::EveryByte => bytes.chunks(1).collect(),
            Cut::AfterReturn => bytes.split_inclusive(|byte| *byte == b'\r').collect(),
        }
    }
}

/// Breaks JSON after the commas and braces that stand outside strings, where white space is allowed.
fn spread(json: &str) -> String {
    let (mut text, mut inside, mut escaped) = (String::new(), false, false);
    for character in json.chars() {
        text.push(character);
        match character {
            '"' if !escaped => inside = !inside,
            ',' | '{' if !inside => text.push('\n'),
            _ => {}
        }
        escaped = character == '\\' && !escaped;
    }
    text
}

/// A response body of events, one HTTP chunk a piece.
pub(super) struct Events {
    stream: TcpStream,
    framing: Framing,
}

impl Events {
    pub(super) fn open(stream: TcpStream, framing: Framing) -> Events {
        let mut events = Events { stream, framing };
        let preamble = events.framing.preamble.clone();
        // A client that left is noticed when its next request is read.
        let _ = events.send(preamble.as_bytes());
        events
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        for piece in self.framing.pieces(bytes).into_iter().filter(|piece| !piece.is_empty()) {
            let mut chunk = format!("{:x}\r\n", piece.len()).into_bytes();
            chunk.extend_from_slice(piece);
            chunk.extend_from_slice(b"\r\n");
            self.stream.write_all(&chunk)?;
        }
        Ok(())
    }
}

impl Sink for Events {
    fn message(&mut self, line: &[u8]) -> io::Result<()> {
        let event = self.framing.event(&String::from_utf8_lossy(line));
        let _ = self.send(&event);
        Ok(())
    }

    fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        let _ = self.stream.write_all(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framing(line: &str) -> Framing {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Framing::new(&Options::parse(&words, super::super::SSE_FLAGS).unwrap())
    }

    #[test]
    fn line_ends_are_as_asked() {
        assert_eq!(framing("--eol crlf").event("{}"), b"event: message\r\ndata: {}\r\n\r\n");
        assert_eq!(framing("--eol cr --unnamed").event("{}"), b"data: {}\r\r");
        assert_eq!(framing("--eol mixed --no-space").event("{}"), b"event:message\r\ndata:{}\n\r");
    }

    #[test]
    fn spread_json_is_the_same_json() {
        let json = r#"{"a":"x,{\"y\\","b":[1,{"c":2}]}"#;
        let whole: serde_json::Value = serde_json::from_str(json).unwrap();
        let text = spread(json);
        assert!(text.lines().count() > 3);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), whole);
    }

    #[test]
    fn cuts_lose_no_byte_and_part_returns_from_line_feeds() {
        let shape = framing("--eol crlf --cut crlf");
        let event = shape.event("{}");
        let pieces = shape.pieces(&event);
        assert!(pieces.iter().any(|piece| piece.starts_with(b"\n")));
        assert_eq!(pieces.concat(), event);
    }
}
