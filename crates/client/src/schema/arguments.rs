//! Checks arguments before they are sent.

use codewhale_mcp_protocol::{Json, Tool};
use serde_json::Value;

use super::compile::{Mismatch, Uncheckable, mismatches};
use super::fault::{SchemaFault, schema_fault};

/// What a check of arguments came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArgumentCheck {
    /// They are what the schema says, or it says nothing that can be checked (see [`schema_fault`]).
    Passed,
    /// They are not; at least one place.
    Refused(Vec<Mismatch>),
    /// The schema cannot be used; the server has to check them itself.
    Unchecked(Uncheckable),
}

/// Checks arguments against a tool's input schema. They must be a JSON object, whatever the schema says.
#[must_use]
pub fn check_arguments(tool: &Tool, arguments: &Json) -> ArgumentCheck {
    let refused = |message: String| ArgumentCheck::Refused(vec![Mismatch::other(String::new(), message)]);
    let value: Value = match arguments.decode() {
        Ok(value) => value,
        // It is JSON, and the server may well take it.
        Err(error) if error.to_string().starts_with("number out of range") => {
            return ArgumentCheck::Unchecked(Uncheckable::OutOfRange);
        }
        Err(error) => return refused(error.to_string()),
    };
    if !value.is_object() {
        return refused("arguments must be a JSON object".to_owned());
    }
    let Some(schema) = &tool.input_schema else { return ArgumentCheck::Passed };
    if !matches!(schema_fault(tool), None | Some(SchemaFault::NoType)) {
        return ArgumentCheck::Passed;
    }
    match mismatches(schema, value) {
        Ok(mismatches) if mismatches.is_empty() => ArgumentCheck::Passed,
        Ok(mismatches) => ArgumentCheck::Refused(mismatches),
        Err(uncheckable) => ArgumentCheck::Unchecked(uncheckable),
    }
}
