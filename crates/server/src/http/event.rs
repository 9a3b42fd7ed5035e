//! Messages as events of a stream (WHATWG, server-sent events), each in one piece.

use std::time::Duration;

use bytes::{BufMut as _, Bytes, BytesMut};

/// What shows that a silent stream is alive.
pub(super) const COMMENT: Bytes = Bytes::from_static(b":\n\n");

/// A message, with an id where the stream can be taken up behind it. A line break between members goes on in a line of its
/// own, so that the event does not end there.
pub(super) fn message(id: Option<&str>, message: &[u8]) -> Bytes {
    let mut event = BytesMut::with_capacity(message.len() + 64);
    put_id(&mut event, id);
    for line in message.split(|byte| matches!(byte, b'\n' | b'\r')) {
        event.put_slice(b"data: ");
        event.put_slice(line);
        event.put_u8(b'\n');
    }
    event.put_u8(b'\n');
    event.freeze()
}

/// What begins a stream that can be taken up: an id before any message, and when to come back (MCP 2025-11-25,
/// basic/transports).
pub(super) fn priming(id: &str, retry: Duration) -> Bytes {
    let mut event = BytesMut::new();
    put_id(&mut event, Some(id));
    put_retry(&mut event, retry);
    event.put_slice(b"data:\n\n");
    event.freeze()
}

/// When to come back, before a stream is closed that goes on.
pub(super) fn retry(retry: Duration) -> Bytes {
    let mut event = BytesMut::new();
    put_retry(&mut event, retry);
    event.put_u8(b'\n');
    event.freeze()
}

fn put_id(event: &mut BytesMut, id: Option<&str>) {
    if let Some(id) = id {
        event.put_slice(format!("id: {id}\n").as_bytes());
    }
}

fn put_retry(event: &mut BytesMut, retry: Duration) {
    event.put_slice(format!("retry: {}\n", retry.as_millis()).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_whole_whatever_stands_in_a_message() {
        assert_eq!(message(None, b"{}"), "data: {}\n\n");
        assert_eq!(message(Some("1-2"), b"{\n}"), "id: 1-2\ndata: {\ndata: }\n\n");
        assert_eq!(message(None, b"{\r\n}"), "data: {\ndata: \ndata: }\n\n");
        assert_eq!(priming("1-0", Duration::from_millis(1500)), "id: 1-0\nretry: 1500\ndata:\n\n");
        assert_eq!(retry(Duration::from_secs(2)), "retry: 2000\n\n");
    }
}
