//! An input schema that is not what it should be.

use codewhale_mcp_protocol::Tool;
use codewhale_mcp_redact::safe_line;
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
    let Ok(schema) = schema.decode::<Value>() else { return Some(SchemaFault::Unreadable) };
    let found = match &schema {
        Value::Object(members) => return of_type(members.get("type")),
        Value::Null => return Some(SchemaFault::Missing),
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
    };
    Some(SchemaFault::NotAnObject { found })
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
