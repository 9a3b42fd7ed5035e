//! The lines of a stream do not depend on how it is cut into chunks, and each byte is looked at once.

#![no_main]

mod chunks;

use codewhale_mcp_protocol::{LineScanner, LineTooLong, trim_line};
use libfuzzer_sys::fuzz_target;
use serde_json::value::RawValue;

use crate::chunks::chunks;

const MARK: &[u8] = b"\xef\xbb\xbf";

fuzz_target!(|input: (u8, [u8; 4], &[u8])| {
    let (limit, sizes, text) = input;
    let limit = usize::from(limit);
    let found = scanned(&chunks(text, sizes), limit);
    assert_eq!(found, expected(text, limit));
    for line in &found.0 {
        check_trimmed(line);
    }
    check_trimmed(text);
});

/// The lines with their ends, and the fault that stopped the scanner.
type Lines = (Vec<Vec<u8>>, Option<LineTooLong>);

/// What the scanner says. A second scanner sees line ends wherever the first has looked already: were a byte
/// looked at twice, the two would not agree.
fn scanned(chunks: &[&[u8]], limit: usize) -> Lines {
    let (mut buffer, mut looked_at) = (Vec::new(), Vec::new());
    let (mut scanner, mut second) = (LineScanner::new(limit), LineScanner::new(limit));
    let mut lines = Vec::new();
    for chunk in chunks {
        buffer.extend_from_slice(chunk);
        looked_at.extend_from_slice(chunk);
        loop {
            let next = scanner.next(&buffer);
            assert_eq!(second.next(&looked_at), next, "a byte is looked at once");
            match next {
                Ok(Some(length)) => {
                    lines.push(buffer.drain(..length).collect());
                    looked_at.drain(..length);
                }
                Ok(None) => break,
                Err(fault) => return (lines, Some(fault)),
            }
        }
        assert!(buffer.len() <= limit, "no more than a line is kept");
        looked_at.fill(b'\n');
    }
    (lines, None)
}

/// What it should say.
fn expected(text: &[u8], limit: usize) -> Lines {
    let mut lines = Vec::new();
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let (length, ends) = line.strip_suffix(b"\n").map_or((line.len(), false), |line| (line.len(), true));
        if length > limit {
            return (lines, Some(LineTooLong { limit }));
        }
        if ends {
            lines.push(line.to_vec());
        }
    }
    (lines, None)
}

/// Nothing but white space and a mark is taken away, and a JSON value stays what it is.
fn check_trimmed(line: &[u8]) {
    let trimmed = trim_line(line);
    let unmarked = line.strip_prefix(MARK).unwrap_or(line);
    assert_eq!(trimmed, unmarked.trim_ascii());
    if let Ok(value) = serde_json::from_slice::<&RawValue>(unmarked) {
        assert_eq!(value.get().as_bytes(), trimmed);
    }
}
