//! Event streams, in every chunking.

use std::time::Duration;

use codewhale_mcp_protocol::{SseDecoder, SseError, SseEvent, SseLimits};
use proptest::prelude::*;

const WIDE: SseLimits = SseLimits { line: 1000, event: 1000 };

/// What comes of a stream: the events, and what is known at its end.
#[derive(Debug, PartialEq)]
struct Told {
    events: Vec<SseEvent>,
    last_event_id: Option<String>,
    retry: Option<Duration>,
}

fn decode<'a>(chunks: impl IntoIterator<Item = &'a [u8]>, limits: SseLimits) -> Result<Told, SseError> {
    let mut decoder = SseDecoder::new(limits);
    let mut events = Vec::new();
    for mut rest in chunks {
        while let Some(event) = decoder.next(&mut rest)? {
            events.push(event);
        }
        assert!(rest.is_empty());
    }
    let last_event_id = decoder.last_event_id().map(ToOwned::to_owned);
    Ok(Told { events, last_event_id, retry: decoder.retry() })
}

/// As a whole, byte by byte, and cut in two at every place.
fn in_every_chunking(stream: &[u8], limits: SseLimits) -> Result<Told, SseError> {
    let whole = decode([stream], limits);
    assert_eq!(decode(stream.chunks(1), limits), whole, "byte by byte: {stream:?}");
    for at in 0..=stream.len() {
        let (one, other) = stream.split_at(at);
        assert_eq!(decode([one, other], limits), whole, "cut at {at}: {stream:?}");
    }
    whole
}

/// The events as `name|data|id`, then the last id and the retry time.
fn told(stream: impl AsRef<[u8]>) -> String {
    let told = in_every_chunking(stream.as_ref(), WIDE).unwrap();
    let event = |event: &SseEvent| {
        let data = String::from_utf8_lossy(&event.data).escape_debug().to_string();
        let or = |text: &Option<String>| text.clone().unwrap_or("-".into());
        format!("{}|{data}|{}", or(&event.event), or(&event.id))
    };
    let events: Vec<String> = told.events.iter().map(event).collect();
    let retry = told.retry.map_or("-".into(), |retry| retry.as_millis().to_string());
    format!("{}; {} {retry}", events.join(" "), told.last_event_id.unwrap_or("-".into()))
}

#[test]
fn a_stream_becomes_events() {
    for (stream, expected) in [
        ("data: a\n\n", "-|a|-; - -"),
        ("data: a\r\r", "-|a|-; - -"),
        ("data: a\r\n\r\n", "-|a|-; - -"),
        ("data: a\r\n\rdata: b\n\r\n", "-|a|- -|b|-; - -"),
        ("data: a\n\r\ndata: b\r\r\n", "-|a|- -|b|-; - -"),
        ("\u{feff}data: a\n\n", "-|a|-; - -"),
        ("\u{feff}\u{feff}data: a\n\n", "; - -"),
        ("data: a\n\n\u{feff}data: b\n\n", "-|a|-; - -"),
        ("data:a\ndata: b\ndata:  c\n\n", "-|a\\nb\\n c|-; - -"),
        ("data:\ndata: b\ndata\n\n", "-|\\nb\\n|-; - -"),
        (": hello\n:\ndata: a\n: there\n\n", "-|a|-; - -"),
        ("other: x\ndata: a\nDATA: b\n data: c\ndata : d\n\n", "-|a|-; - -"),
        ("event: ping\ndata: a\n\ndata: b\n\n", "ping|a|- -|b|-; - -"),
        ("event: x\nevent\ndata: a\n\n", "-|a|-; - -"),
        ("event: x\n\ndata: a\n\n", "-|a|-; - -"),
        ("data: a:b: c\n\n", "-|a:b: c|-; - -"),
        ("data: \u{1f40b}\n\n", "-|\u{1f40b}|-; - -"),
        // Without data nothing is told, but where to go on.
        ("id: 1\n\n", "; 1 -"),
        ("id: 1\ndata:\n\n", "; 1 -"),
        ("id: 1\ndata\n\ndata: a\n\n", "-|a|1; 1 -"),
        ("id: 1\ndata: a\n\nid\ndata: b\n\n", "-|a|1 -|b|;  -"),
        ("id: 1\ndata: a\n\nid: 2\ndata: b\n", "-|a|1; 1 -"),
        ("id: 1\nid: 2\u{0}3\ndata: a\n\n", "-|a|1; 1 -"),
        ("retry: 1500\n\n", "; - 1500"),
        ("retry: 1500\nretry: 1e3\nretry: -1\nretry: +1\nretry:\nretry: 2 \n\n", "; - 1500"),
        ("retry: 99999999999999999999999\n\n", "; - 18446744073709551615"),
        // What did not end is no event.
        ("data: a\n", "; - -"),
        ("data: a", "; - -"),
        ("", "; - -"),
        ("\n\n\r\n\r", "; - -"),
    ] {
        assert_eq!(told(stream), expected, "{stream:?}");
    }
}

#[test]
fn data_that_is_not_utf_8_stays_what_it_is() {
    let told = in_every_chunking(b"data: \xff\xc3\n\n", WIDE).unwrap();
    assert_eq!(told.events[0].data, b"\xff\xc3");
}

#[test]
fn the_limits_count_what_they_say() {
    let limits = SseLimits { line: 8, event: 4 };
    let decode = |stream: &str| in_every_chunking(stream.as_bytes(), limits).map(|told| told.events.len());
    assert_eq!(decode("data: 12\n\n"), Ok(1));
    assert_eq!(decode("data: 123\n\n"), Err(SseError::LineTooLong { limit: 8 }));
    assert_eq!(decode(": comments"), Err(SseError::LineTooLong { limit: 8 }));
    assert_eq!(decode(":comment\n:comment\n:comment\n"), Ok(0), "comments are not kept");
    assert_eq!(decode("data: 1\ndata: 23\n\ndata: 1\ndata: 23\n\n"), Ok(2));
    assert_eq!(decode("data:123\ndata:1\n\n"), Err(SseError::EventTooLong { limit: 4 }));
    assert_eq!(
        decode("data:\ndata:\ndata:\ndata:\ndata:\ndata:\n"),
        Err(SseError::EventTooLong { limit: 4 })
    );
}

#[test]
fn empty_data_lines_count_towards_the_limit() {
    let endless = "data\n".repeat(1000);
    assert_eq!(
        decode([endless.as_bytes()], SseLimits { line: 8, event: 100 }).unwrap_err(),
        SseError::EventTooLong { limit: 100 }
    );
}

/// Were each byte looked at again with every chunk, this would take many minutes.
#[test]
fn a_long_line_in_small_chunks_is_one_event() {
    let size = 1 << 20;
    let stream = format!("data: {}\n\n", "x".repeat(size));
    let limits = SseLimits { line: 2 * size, event: 2 * size };
    let told = decode(stream.as_bytes().chunks(1), limits).unwrap();
    assert_eq!(told.events[0].data.len(), size);
}

proptest! {
    #[test]
    fn chunking_changes_nothing(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "data", "id", "event", "retry", ":", " ", "\n", "\r", "\r\n", "\u{feff}", "x", "12", "\u{0}", "é",
            ]),
            0..60,
        ),
        sizes in prop::collection::vec(1..7_usize, 1..40),
    ) {
        let stream = pieces.concat();
        let whole = decode([stream.as_bytes()], WIDE);
        let mut rest = stream.as_bytes();
        let mut chunks = Vec::new();
        for size in sizes.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (chunk, more) = rest.split_at((*size).min(rest.len()));
            chunks.push(chunk);
            rest = more;
        }
        prop_assert_eq!(decode(chunks, WIDE), whole);
    }
}
