//! Reading a reply in two steps: whose it is (at once), what it says (by the task that waits for it).

use std::ops::Range;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::decode::{one_text, read_json};
use crate::{CallToolResult, ErrorObject, Message, NotAMessage, without_lone_surrogates};

/// Where a reply's payload stands in its frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Members in a usual order: the id was read without reading the result, which may still be anything,
    /// also more than one value.
    Unread(Range<usize>),
    /// The result, read as one JSON value.
    Result(Range<usize>),
    /// The error object, read as one JSON value.
    Error(Range<usize>),
}

/// A reply could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplyError {
    /// The peer says that the request failed.
    #[error("{0}")]
    Peer(ErrorObject),
    /// The frame is not a message.
    #[error(transparent)]
    NotAMessage(#[from] NotAMessage),
    /// The result does not have the form that this method's results have.
    #[error("the result has an unexpected form: {0}")]
    Form(#[source] serde_json::Error),
}

impl Reply {
    /// The number of a reply whose members stand in one of the two orders that servers write, with the place
    /// of what should be its result, an object. `None` means that [`Message::parse`] has to look.
    #[must_use]
    pub fn peek(frame: &[u8]) -> Option<(u64, Self)> {
        const ID_FIRST: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":";
        const RESULT: &[u8] = b",\"result\":";
        const RESULT_FIRST: &[u8] = b"{\"result\":";
        const ID_LAST: &[u8] = b",\"jsonrpc\":\"2.0\",\"id\":";
        let body = frame.strip_suffix(b"}")?;
        if let Some(rest) = body.strip_prefix(ID_FIRST) {
            let (id, digits) = leading_number(rest)?;
            rest[digits..].strip_prefix(RESULT)?.starts_with(b"{").then_some(())?;
            return Some((id, Self::Unread(ID_FIRST.len() + digits + RESULT.len()..body.len())));
        }
        body.strip_prefix(RESULT_FIRST)?.starts_with(b"{").then_some(())?;
        let digits = body.iter().rev().take(20).take_while(|byte| byte.is_ascii_digit()).count();
        let (head, number) = body.split_at(body.len() - digits);
        let end = head.strip_suffix(ID_LAST)?.len();
        let (id, _) = leading_number(number)?;
        (end >= RESULT_FIRST.len()).then_some((id, Self::Unread(RESULT_FIRST.len()..end)))
    }

    /// Decodes the result.
    ///
    /// # Errors
    /// [`ReplyError::Peer`] for an error reply; otherwise the frame or the result is not what it should be.
    pub fn decode<'a, T: Deserialize<'a>>(&self, frame: &'a [u8]) -> Result<T, ReplyError> {
        match self {
            Self::Unread(range) => match read(&frame[range.clone()]) {
                Ok(result) => Ok(result),
                Err(error) => Self::decode_whole(frame, error),
            },
            Self::Result(range) => read(&frame[range.clone()]).map_err(ReplyError::Form),
            Self::Error(range) => Err(peer_error(&frame[range.clone()])),
        }
    }

    /// The same for the answer of a tool, which most often is one text and read at once then.
    ///
    /// # Errors
    /// As for [`Self::decode`].
    pub fn decode_tool_result(&self, frame: &[u8]) -> Result<CallToolResult, ReplyError> {
        match self {
            Self::Unread(range) | Self::Result(range) => {
                one_text(&frame[range.clone()]).map_or_else(|| self.decode(frame), Ok)
            }
            Self::Error(_) => self.decode(frame),
        }
    }

    /// The general way, for a frame whose members only seemed to stand in a usual order.
    fn decode_whole<'a, T: Deserialize<'a>>(
        frame: &'a [u8],
        first: serde_json::Error,
    ) -> Result<T, ReplyError> {
        match Message::parse(frame)? {
            Message::Result { result, .. } if first.is_data() => {
                serde_json::from_str(result.get()).map_err(|_| ReplyError::Form(first))
            }
            Message::Result { result, .. } => serde_json::from_str(result.get()).map_err(ReplyError::Form),
            Message::Error { error, .. } => Err(peer_error(error.get().as_bytes())),
            Message::Request { .. } | Message::Notification { .. } => Err(NotAMessage::Empty.into()),
        }
    }
}

impl Reply {
    /// The result as a text without halves of characters, if there were any (see [`without_lone_surrogates`]).
    #[must_use]
    pub fn mended(&self, frame: &[u8]) -> Option<String> {
        match self {
            // Where the members only seemed to stand in a usual order, the whole frame is looked at.
            Self::Unread(_) => {
                let whole = without_lone_surrogates(std::str::from_utf8(frame).ok()?)?;
                match Message::parse(whole.as_bytes()) {
                    Ok(Message::Result { result, .. }) => Some(result.get().to_owned()),
                    _ => None,
                }
            }
            Self::Result(range) => {
                without_lone_surrogates(std::str::from_utf8(frame.get(range.clone())?).ok()?)
            }
            Self::Error(_) => None,
        }
    }
}

/// Decodes a value. To look once whether all of it is UTF-8 is cheaper than to look at each of its strings;
/// where it is not, or the quick way leads nowhere, the slow way says why.
fn read<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, serde_json::Error> {
    match std::str::from_utf8(text) {
        Ok(text) => read_json(text),
        Err(_) => serde_json::from_slice(text),
    }
}

/// The place of `part`, which was parsed from `frame`, in it.
#[must_use]
pub fn range_in(frame: &[u8], part: &RawValue) -> Range<usize> {
    let start = part.get().as_ptr() as usize - frame.as_ptr() as usize;
    start..start + part.get().len()
}

fn peer_error(text: &[u8]) -> ReplyError {
    match serde_json::from_slice(text) {
        Ok(error) => ReplyError::Peer(error),
        Err(error) => ReplyError::Form(error),
    }
}

/// The number that `text` begins with, and its digits. Leading zeros are no number.
fn leading_number(text: &[u8]) -> Option<(u64, usize)> {
    let mut number: u64 = 0;
    let mut digits = 0;
    while let Some(digit) = text.get(digits).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
        number = number.checked_mul(10)?.checked_add(u64::from(digit))?;
        digits += 1;
    }
    (digits == 1 || (digits > 1 && text[0] != b'0')).then_some((number, digits))
}
