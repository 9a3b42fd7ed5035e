//! What tells requests apart.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// The id of a request: a string or an integer, and `"1"` is not `1` (MCP 2026-07-28, basic/index).
///
/// `null`, fractions and integers beyond 128 bits are refused.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RequestId {
    /// A JSON integer.
    Integer(i128),
    /// A JSON string.
    String(String),
}

/// What progress notifications of a request are found by; has the form of an id (MCP 2026-07-28,
/// basic/patterns/progress).
pub type ProgressToken = RequestId;

impl From<u64> for RequestId {
    fn from(id: u64) -> Self {
        Self::Integer(id.into())
    }
}

impl From<&str> for RequestId {
    fn from(id: &str) -> Self {
        Self::String(id.into())
    }
}

impl Default for RequestId {
    fn default() -> Self {
        Self::Integer(0)
    }
}

impl fmt::Display for RequestId {
    /// The integer, or the string in quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(id) => write!(f, "{id}"),
            Self::String(id) => write!(f, "{id:?}"),
        }
    }
}

impl Serialize for RequestId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Integer(id) => match (u64::try_from(*id), i64::try_from(*id)) {
                (Ok(id), _) => serializer.serialize_u64(id),
                (_, Ok(id)) => serializer.serialize_i64(id),
                _ => serializer.serialize_i128(*id),
            },
            Self::String(id) => serializer.serialize_str(id),
        }
    }
}

impl<'de> Deserialize<'de> for RequestId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // As text, because numbers beyond 64 bits would come as floats.
        let text = Box::<RawValue>::deserialize(deserializer)?;
        let text = text.get();
        if text.starts_with('"') {
            return serde_json::from_str(text).map(Self::String).map_err(serde::de::Error::custom);
        }
        let integer = text.parse().map_err(|_| {
            serde::de::Error::custom(format_args!("invalid id {text}, expected a string or an integer"))
        });
        integer.map(Self::Integer)
    }
}
