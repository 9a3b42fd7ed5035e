//! What a tool's function may answer.

use codewhale_mcp_protocol::{CallToolResult, Content, Json};
use schemars::JsonSchema;
use serde::Serialize;

use super::schema;
use crate::Failure;

/// What a tool's function may answer.
pub trait ToolOutput {
    /// The JSON Schema of `structuredContent`, if there is any.
    fn output_schema() -> Option<Json> {
        None
    }

    /// The result.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    fn into_result(self) -> Result<CallToolResult, Failure>;
}

/// A value for programs, with a schema derived from its type; models get the same as JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Structured<T>(pub T);

impl<T: Serialize + JsonSchema> ToolOutput for Structured<T> {
    fn output_schema() -> Option<Json> {
        Some(schema::text(schema::for_output::<T>()))
    }

    fn into_result(self) -> Result<CallToolResult, Failure> {
        let value = Json::encode(&self.0)?;
        let content = vec![Content::text(value.as_str())];
        Ok(CallToolResult { content, structured_content: Some(value), ..CallToolResult::default() })
    }
}

impl ToolOutput for CallToolResult {
    fn into_result(self) -> Result<CallToolResult, Failure> {
        Ok(self)
    }
}

impl ToolOutput for Vec<Content> {
    fn into_result(self) -> Result<CallToolResult, Failure> {
        Ok(CallToolResult { content: self, ..CallToolResult::default() })
    }
}

impl ToolOutput for Content {
    fn into_result(self) -> Result<CallToolResult, Failure> {
        vec![self].into_result()
    }
}

impl ToolOutput for String {
    fn into_result(self) -> Result<CallToolResult, Failure> {
        Content::text(self).into_result()
    }
}

impl ToolOutput for &str {
    fn into_result(self) -> Result<CallToolResult, Failure> {
        Content::text(self).into_result()
    }
}

impl ToolOutput for () {
    fn into_result(self) -> Result<CallToolResult, Failure> {
        Ok(CallToolResult::default())
    }
}
