//! The events of a stream do not depend on how it is cut into chunks, and are those of the specification.

#![no_main]

mod chunks;

use std::time::Duration;

use codewhale_mcp_protocol::{SseDecoder, SseError, SseEvent, SseLimits};
use libfuzzer_sys::fuzz_target;

use crate::chunks::chunks;

fuzz_target!(|input: (u8, u8, [u8; 4], &[u8])| {
    let (line, event, sizes, text) = input;
    let limits = SseLimits { line: usize::from(line), event: usize::from(event) };
    let told = decoded(&chunks(text, sizes), limits);
    for event in &told.events {
        assert!((1..=limits.event).contains(&event.data.len()));
        assert!(event.event.as_ref().is_none_or(|name| !name.is_empty()));
    }
    assert_eq!(told, expected(text, limits));
});

#[derive(Debug, Default, PartialEq)]
struct Told {
    events: Vec<SseEvent>,
    fault: Option<SseError>,
    last_event_id: Option<String>,
    retry: Option<Duration>,
}

fn decoded(chunks: &[&[u8]], limits: SseLimits) -> Told {
    let mut decoder = SseDecoder::new(limits);
    let mut told = Told::default();
    'stream: for chunk in chunks {
        let mut rest = *chunk;
        loop {
            match decoder.next(&mut rest) {
                Ok(Some(event)) => told.events.push(event),
                Ok(None) => break assert!(rest.is_empty(), "all of a chunk is read"),
                Err(fault) => {
                    told.fault = Some(fault);
                    break 'stream;
                }
            }
        }
    }
    told.last_event_id = decoder.last_event_id().map(str::to_owned);
    told.retry = decoder.retry();
    told
}

/// What the whole text says (WHATWG HTML, 9.2.6), within the limits.
fn expected(text: &[u8], limits: SseLimits) -> Told {
    let mut told = Told::default();
    let (mut data, mut event, mut id): (Option<Vec<u8>>, _, _) = (None, String::new(), None);
    let mut rest = text;
    let mut is_first = true;
    loop {
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        if end.unwrap_or(rest.len()) > limits.line {
            told.fault = Some(SseError::LineTooLong { limit: limits.line });
            return told;
        }
        let Some(end) = end else { return told };
        let mut line = &rest[..end];
        rest = &rest[end + if rest[end..].starts_with(b"\r\n") { 2 } else { 1 }..];
        if std::mem::take(&mut is_first) {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        if line.is_empty() {
            if id.is_some() {
                told.last_event_id.clone_from(&id);
            }
            let name = Some(std::mem::take(&mut event)).filter(|name| !name.is_empty());
            if let Some(data) = data.take().filter(|data| !data.is_empty()) {
                told.events.push(SseEvent { event: name, data, id: told.last_event_id.clone() });
            }
            continue;
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (name, value) = colon.map_or((line, &b""[..]), |at| (&line[..at], &line[at + 1..]));
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let text = String::from_utf8_lossy(value).into_owned();
        match name {
            b"data" => {
                let lines = data.take().map(|lines| [&lines, &b"\n"[..], value].concat());
                let lines = lines.unwrap_or_else(|| value.to_vec());
                if lines.len() > limits.event {
                    told.fault = Some(SseError::EventTooLong { limit: limits.event });
                    return told;
                }
                data = Some(lines);
            }
            b"event" => event = text,
            b"id" if !value.contains(&0) => id = Some(text),
            b"retry" if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
                told.retry = Some(Duration::from_millis(text.parse().unwrap_or(u64::MAX)));
            }
            _ => {}
        }
    }
}
