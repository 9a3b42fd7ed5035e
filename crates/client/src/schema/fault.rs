//! An input schema that is not what it should be.

use std::fmt;

use codewhale_mcp_protocol::{Tool, read_json};
use codewhale_mcp_redact::safe_line;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use thiserror::Error;

/// An input schema is not an object schema (MCP 2026-07-28, server/tools). The tool can be called all the same.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SchemaFault {
    /// It is absent or `null`: any arguments are taken.
    #[error("it has no inputSchema")]
    Missing,
    /// It is not a JSON object: any arguments are taken.
    #[error("its inputSchema is {found}, not an object")]
    NotAnObject {
        /// What it is, such as `a boolean`.
        found: &'static str,
    },
    /// It does not say that arguments are an object.
    #[error("its inputSchema does not say \"type\": \"object\"")]
    NoType,
    /// It says that arguments are something else, which they cannot be: any are taken.
    #[error("its inputSchema says \"type\": {found}, not \"object\"")]
    OtherType {
        /// What it says, as JSON that is safe to print.
        found: String,
    },
    /// It cannot be read, because it is nested too deep.
    #[error("its inputSchema cannot be read")]
    Unreadable,
}

/// What is wrong with a tool's input schema, if anything.
#[must_use]
pub fn schema_fault(tool: &Tool) -> Option<SchemaFault> {
    let Some(schema) = &tool.input_schema else { return Some(SchemaFault::Missing) };
    let Ok(schema) = read_json::<Seen>(schema.as_str()) else { return Some(SchemaFault::Unreadable) };
    let found = match schema {
        Seen::Object { kind } => return of_type(kind.as_ref()),
        Seen::Null => return Some(SchemaFault::Missing),
        Seen::Boolean => "a boolean",
        Seen::Number => "a number",
        Seen::String => "a string",
        Seen::Array => "an array",
    };
    Some(SchemaFault::NotAnObject { found })
}

/// A value that was read to its end, since one that cannot be read has to be told, and of which nothing else is kept: a
/// list has many schemas.
enum Seen {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object {
        /// What its last member `type` says.
        kind: Option<Value>,
    },
}

impl<'de> Deserialize<'de> for Seen {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Seeing)
    }
}

struct Seeing;

impl<'de> Visitor<'de> for Seeing {
    type Value = Seen;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Seen, E> {
        Ok(Seen::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Seen, E> {
        Ok(Seen::Boolean)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Seen, E> {
        Ok(Seen::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Seen, E> {
        Ok(Seen::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Seen, E> {
        Ok(Seen::Number)
    }

    fn visit_str<E>(self, _: &str) -> Result<Seen, E> {
        Ok(Seen::String)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Seen, A::Error> {
        while items.next_element::<Seen>()?.is_some() {}
        Ok(Seen::Array)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Seen, A::Error> {
        let mut kind = None;
        while let Some(IsType(is_type)) = members.next_key()? {
            if is_type {
                kind = Some(members.next_value()?);
            } else {
                members.next_value::<Seen>()?;
            }
        }
        Ok(Seen::Object { kind })
    }
}

/// Whether a member is `type`.
struct IsType(bool);

impl<'de> Deserialize<'de> for IsType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = IsType;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a member name")
            }

            fn visit_str<E>(self, name: &str) -> Result<IsType, E> {
                Ok(IsType(name == "type"))
            }
        }

        deserializer.deserialize_identifier(Name)
    }
}

fn of_type(kind: Option<&Value>) -> Option<SchemaFault> {
    match kind {
        None => Some(SchemaFault::NoType),
        Some(Value::String(kind)) if kind == "object" => None,
        Some(Value::Array(kinds)) if kinds.iter().any(|kind| kind == "object") => None,
        Some(other) => {
            let text = other.to_string();
            let shown = &text[..text.floor_char_boundary(60)];
            Some(SchemaFault::OtherType { found: safe_line(shown).into_owned() })
        }
    }
}
