//! Whether arguments are what a schema says.

use codewhale_mcp_protocol::Json;
use codewhale_mcp_schema::{Fault, Schema};
use serde_json::Value;

/// The most faults that are told.
const MOST: usize = 10;
/// The longest text about a fault, in bytes; it may quote the value.
const LONGEST: usize = 300;

/// What a schema asks for that decoding into a type does not find out.
const BEYOND_TYPES: [&str; 23] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "patternProperties",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
    "unevaluatedItems",
    "additionalProperties",
    "not",
    "if",
];

/// A schema as something to check arguments with.
#[derive(Debug)]
pub(super) struct Check(Schema);

impl Check {
    /// Of a schema. Nothing is fetched for it, and patterns take linear time.
    pub(super) fn of(schema: &Value) -> Result<Self, String> {
        Schema::compile(schema).map(Self).map_err(|invalid| invalid.reason)
    }

    /// Of the schema of a type, where decoding into the type leaves anything to check.
    pub(super) fn beyond_types(schema: &Value) -> Result<Option<Self>, String> {
        if asks_more(schema) { Self::of(schema).map(Some) } else { Ok(None) }
    }

    /// What is wrong with arguments, in words.
    pub(super) fn faults(&self, arguments: &str) -> Result<(), String> {
        let value: Value = serde_json::from_str(arguments).map_err(|error| error.to_string())?;
        if self.0.is_valid(&value) {
            return Ok(());
        }
        let told = |Fault { path, mut message, .. }: Fault| {
            message.truncate(message.floor_char_boundary(LONGEST));
            if path.is_empty() { message } else { format!("{path}: {message}") }
        };
        Err(self.0.faults(&value, MOST).into_iter().map(told).collect::<Vec<_>>().join("; "))
    }
}

/// Whether a schema, or one within it, asks for more than types do. Unsigned integers are types.
fn asks_more(schema: &Value) -> bool {
    match schema {
        Value::Array(schemas) => schemas.iter().any(asks_more),
        Value::Object(members) => {
            let unsigned =
                members.get("format").and_then(Value::as_str).is_some_and(|name| name.starts_with("uint"));
            members.iter().any(|(name, value)| {
                let own =
                    BEYOND_TYPES.contains(&name.as_str()) && !(unsigned && name == "minimum" && *value == 0);
                own || (!matches!(name.as_str(), "default" | "const" | "enum" | "examples")
                    && asks_more(value))
            })
        }
        _ => false,
    }
}

/// Whether a schema says that arguments are an object (MCP 2026-07-28, server/tools).
pub(super) fn is_of_object(schema: &Json) -> bool {
    schema.member("type").is_some_and(|kind| kind.as_str() == "\"object\"")
}
