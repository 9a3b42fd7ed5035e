//! What kind of message a text is: parsed once, its payload left as it came.

use std::borrow::Cow;
use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::read_json;

/// A JSON-RPC message with its payload still as text.
#[derive(Debug)]
pub enum Message<'a> {
    /// The peer wants an answer.
    Request {
        /// A string or a number, as it came.
        id: &'a RawValue,
        /// What is wanted.
        method: Cow<'a, str>,
        /// With what.
        params: Option<&'a RawValue>,
    },
    /// The peer says something.
    Notification {
        /// What it is about.
        method: Cow<'a, str>,
        /// The content.
        params: Option<&'a RawValue>,
    },
    /// A request succeeded.
    Result {
        /// The request's id, as it came.
        id: &'a RawValue,
        /// The result.
        result: &'a RawValue,
    },
    /// A request failed, or, without an id, the peer could not read what we wrote.
    Error {
        /// The request's id, as it came; absent or `null` where the peer could not tell.
        id: Option<&'a RawValue>,
        /// The error object.
        error: &'a RawValue,
    },
}

/// A text is not a message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAMessage {
    /// It is not JSON, or not an object with the members of a message.
    #[error("not a JSON-RPC message: {0}")]
    Unreadable(String),
    /// It does not say `"jsonrpc":"2.0"`.
    #[error("not a JSON-RPC 2.0 message")]
    NotJsonRpc,
    /// The id is neither a string nor an integer.
    #[error("an id is neither a string nor an integer")]
    InvalidId,
    /// A response says both that the request succeeded and that it failed.
    #[error("a response has both a result and an error")]
    BothResultAndError {
        /// The request's id, as it came.
        id: String,
    },
    /// A response says neither.
    #[error("a response has neither a result nor an error")]
    NeitherResultNorError {
        /// The request's id, as it came.
        id: String,
    },
    /// It has neither a method nor an id.
    #[error("a message has neither a method nor an id")]
    Empty,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Flat<'a> {
    #[serde(borrow, default)]
    jsonrpc: Option<Text<'a>>,
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    method: Option<Text<'a>>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

/// A text that is borrowed where it stands without escapes, which a `Cow` within an `Option` is not.
struct Text<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;

        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }

        deserializer.deserialize_str(TextVisitor)
    }
}

impl<'a> Message<'a> {
    /// Reads one message (JSON-RPC 2.0; MCP 2026-07-28, basic/index).
    ///
    /// # Errors
    /// [`NotAMessage`] says what is wrong with the text.
    pub fn parse(text: &'a [u8]) -> Result<Self, NotAMessage> {
        // Serde would read the elements of an array as members, by their places.
        if text.trim_ascii_start().first() == Some(&b'[') {
            return Err(NotAMessage::Unreadable("a message is an object".into()));
        }
        // To look once whether all of it is UTF-8 is cheaper than to look at each of its strings.
        let flat = match std::str::from_utf8(text) {
            Ok(text) => read_json(text),
            Err(_) => serde_json::from_slice(text),
        };
        let flat: Flat<'a> = flat.map_err(|error| NotAMessage::Unreadable(error.to_string()))?;
        if flat.jsonrpc.as_ref().is_none_or(|version| version.0 != "2.0") {
            return Err(NotAMessage::NotJsonRpc);
        }
        if flat.id.is_some_and(|id| !is_id(id.get())) {
            return Err(NotAMessage::InvalidId);
        }
        let text_of = |id: Option<&RawValue>| id.map(|id| id.get().to_owned()).unwrap_or_default();
        match (flat.method.map(|method| method.0), flat.id, flat.result, flat.error) {
            (Some(method), Some(id), None, None) => Ok(Self::Request { id, method, params: flat.params }),
            (Some(method), None, None, None) => Ok(Self::Notification { method, params: flat.params }),
            (_, id, Some(_), Some(_)) => Err(NotAMessage::BothResultAndError { id: text_of(id) }),
            (None, Some(id), Some(result), None) => Ok(Self::Result { id, result }),
            (None, id, None, Some(error)) => Ok(Self::Error { id, error }),
            (None, Some(id), None, None) => Err(NotAMessage::NeitherResultNorError { id: id.get().into() }),
            (None, None, _, _) | (Some(_), ..) => Err(NotAMessage::Empty),
        }
    }
}

/// The most elements of a batch.
const MOST_IN_BATCH: usize = 10_000;

/// The elements of a batch (2025-03-26), or `None` if the text is not a JSON array, or one of more than 10,000.
#[must_use]
pub fn batch(text: &[u8]) -> Option<Vec<&RawValue>> {
    struct Bounded<'a>(Vec<&'a RawValue>);

    impl<'de> Deserialize<'de> for Bounded<'de> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Elements;

            impl<'de> Visitor<'de> for Elements {
                type Value = Bounded<'de>;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    write!(f, "at most {MOST_IN_BATCH} messages")
                }

                fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                    let mut elements = Vec::new();
                    while let Some(element) = seq.next_element()? {
                        if elements.len() == MOST_IN_BATCH {
                            return Err(serde::de::Error::invalid_length(elements.len() + 1, &self));
                        }
                        elements.push(element);
                    }
                    Ok(Bounded(elements))
                }
            }

            deserializer.deserialize_seq(Elements)
        }
    }

    if text.first() != Some(&b'[') {
        return None;
    }
    serde_json::from_slice::<Bounded<'_>>(text).ok().map(|bounded| bounded.0)
}

/// A string or an integer (MCP 2026-07-28, basic/index; `null` is forbidden).
fn is_id(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    text.starts_with('"') || (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}
