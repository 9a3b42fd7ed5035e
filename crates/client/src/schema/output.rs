//! Checks what a tool answered.

use codewhale_mcp_protocol::{CallToolResult, Tool};
use serde_json::Value;
use thiserror::Error;

use super::compile::{Mismatch, Uncheckable, mismatches};

/// A result is not what its tool's output schema says (MCP 2026-07-28, server/tools). It is a result all the same.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OutputFault {
    /// There is no `structuredContent`.
    #[error("the tool has an outputSchema, and its result has no structuredContent")]
    Missing,
    /// `structuredContent` is something else; at least one place.
    #[error("structuredContent does not match the tool's outputSchema: {}", told(mismatches))]
    Mismatch {
        /// Where and how.
        mismatches: Vec<Mismatch>,
    },
    /// The schema cannot be used.
    #[error("structuredContent was not checked: {0}")]
    Unchecked(Uncheckable),
}

/// What is wrong with a result's `structuredContent`, if anything. A result that says that the tool failed is never
/// checked: its schema is that of success.
#[must_use]
pub fn check_output(tool: &Tool, result: &CallToolResult) -> Option<OutputFault> {
    let schema = tool.output_schema().filter(|_| !result.is_error)?;
    let Some(content) = &result.structured_content else { return Some(OutputFault::Missing) };
    let Ok(value) = content.decode::<Value>() else {
        let reason = "it is nested too deep".to_owned();
        return Some(OutputFault::Unchecked(Uncheckable::Invalid { reason }));
    };
    match mismatches(schema, value) {
        Ok(mismatches) if mismatches.is_empty() => None,
        Ok(mismatches) => Some(OutputFault::Mismatch { mismatches }),
        Err(uncheckable) => Some(OutputFault::Unchecked(uncheckable)),
    }
}

fn told(mismatches: &[Mismatch]) -> String {
    mismatches.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
