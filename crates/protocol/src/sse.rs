//! Server-sent events: bytes in any chunking become events (WHATWG HTML, server-sent events).

use std::mem;
use std::time::Duration;

/// The most bytes a stream may make the decoder hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SseLimits {
    /// Of one line, its end apart.
    pub line: usize,
    /// Of the data of one event, the line feeds between its lines included.
    pub event: usize,
}

/// Something is longer than it may be. The decoder is of no more use then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SseError {
    /// A line.
    #[error("a line of an event stream is longer than {limit} bytes")]
    LineTooLong {
        /// The most bytes it may have.
        limit: usize,
    },
    /// The data of an event.
    #[error("an event is longer than {limit} bytes")]
    EventTooLong {
        /// The most bytes it may have.
        limit: usize,
    },
}

/// An event that says something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SseEvent {
    /// Its name; absent or empty means `message`.
    pub event: Option<String>,
    /// What it says, never empty. Bytes, so that a message that is not UTF-8 is reported and not repaired.
    pub data: Vec<u8>,
    /// The stream's last id when the event ended.
    pub id: Option<String>,
}

/// Reads an event stream, looking at each byte once.
///
/// An event without data gives nothing, but its id counts: it is how a server says where to go on (MCP
/// 2025-11-25, basic/transports). What stands behind the last empty line when the stream ends is no event.
///
/// ```
/// use codewhale_mcp_protocol::{SseDecoder, SseLimits};
///
/// let mut decoder = SseDecoder::new(SseLimits { line: 1024, event: 4096 });
/// for chunk in ["id: 1\nda", "ta: {}\r\n\r", "\n"] {
///     let mut rest = chunk.as_bytes();
///     while let Some(event) = decoder.next(&mut rest)? {
///         assert_eq!(event.data, b"{}");
///     }
/// }
/// assert_eq!(decoder.last_event_id(), Some("1"));
/// # Ok::<(), codewhale_mcp_protocol::SseError>(())
/// ```
#[derive(Debug)]
pub struct SseDecoder {
    limits: SseLimits,
    /// The beginning of a line whose end has not come.
    line: Vec<u8>,
    after_return: bool,
    after_first_line: bool,
    data: Vec<u8>,
    event: Option<String>,
    id: Option<String>,
    last_event_id: Option<String>,
    retry: Option<Duration>,
}

impl SseDecoder {
    /// A decoder for a new stream.
    #[must_use]
    pub fn new(limits: SseLimits) -> Self {
        Self {
            limits,
            line: Vec::new(),
            after_return: false,
            after_first_line: false,
            data: Vec::new(),
            event: None,
            id: None,
            last_event_id: None,
            retry: None,
        }
    }

    /// Reads up to the end of the next event, and takes what it read from the front of `bytes`.
    ///
    /// `None` means that all of `bytes` is read and the event goes on in the next chunk.
    ///
    /// # Errors
    /// When a line or an event is too long, whether or not its end is there.
    pub fn next(&mut self, bytes: &mut &[u8]) -> Result<Option<SseEvent>, SseError> {
        while let Some(first) = bytes.first() {
            if mem::take(&mut self.after_return) && *first == b'\n' {
                *bytes = &bytes[1..];
                continue;
            }
            let end = memchr::memchr2(b'\n', b'\r', bytes);
            let part = &bytes[..end.unwrap_or(bytes.len())];
            if part.len() > self.limits.line.saturating_sub(self.line.len()) {
                return Err(SseError::LineTooLong { limit: self.limits.line });
            }
            let Some(end) = end else {
                self.line.extend_from_slice(part);
                *bytes = &[];
                return Ok(None);
            };
            self.after_return = bytes[end] == b'\r';
            *bytes = &bytes[end + 1..];
            let event = if self.line.is_empty() {
                self.take_line(part)?
            } else {
                let mut line = mem::take(&mut self.line);
                line.extend_from_slice(part);
                let event = self.take_line(&line)?;
                line.clear();
                self.line = line;
                event
            };
            if event.is_some() {
                return Ok(event);
            }
        }
        Ok(None)
    }

    /// The last id of the events that ended, for `Last-Event-ID`. Empty where the server took it back.
    #[must_use]
    pub fn last_event_id(&self) -> Option<&str> {
        self.last_event_id.as_deref()
    }

    /// How long the server wants a client to wait before it comes back.
    #[must_use]
    pub fn retry(&self) -> Option<Duration> {
        self.retry
    }

    fn take_line(&mut self, line: &[u8]) -> Result<Option<SseEvent>, SseError> {
        let line = match mem::replace(&mut self.after_first_line, true) {
            true => line,
            false => line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line),
        };
        if line.is_empty() {
            return Ok(self.end_event());
        }
        let (name, value) = match memchr::memchr(b':', line) {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &b""[..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"data" => {
                // The line's own feed is not counted: it goes when the event ends.
                if self.data.len() + value.len() > self.limits.event {
                    return Err(SseError::EventTooLong { limit: self.limits.event });
                }
                self.data.reserve(value.len() + 1);
                self.data.extend_from_slice(value);
                self.data.push(b'\n');
            }
            b"event" => self.event = Some(String::from_utf8_lossy(value).into_owned()),
            b"id" if !value.contains(&0) => self.id = Some(String::from_utf8_lossy(value).into_owned()),
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                let digits = std::str::from_utf8(value).expect("digits are ASCII");
                self.retry = Some(Duration::from_millis(digits.parse().unwrap_or(u64::MAX)));
            }
            // Comments have an empty name.
            _ => {}
        }
        Ok(None)
    }

    fn end_event(&mut self) -> Option<SseEvent> {
        if self.id.is_some() {
            self.last_event_id.clone_from(&self.id);
        }
        let event = self.event.take().filter(|event| !event.is_empty());
        let mut data = mem::take(&mut self.data);
        data.pop();
        // Nothing but empty lines says nothing either: no message is empty.
        (!data.is_empty()).then(|| SseEvent { event, data, id: self.last_event_id.clone() })
    }
}
