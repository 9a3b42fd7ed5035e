//! What a tool's function may answer.

use codewhale_mcp_protocol::{CallToolResult, Content, Json, Task};
use schemars::JsonSchema;
use serde::Serialize;

use super::schema;
use crate::{Failure, Reply};

/// What a tool's function may answer.
pub trait ToolOutput {
    /// The JSON Schema of `structuredContent`, if there is any.
    fn output_schema() -> Option<Json> {
        None
    }

    /// The reply: a result, or a task.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    fn into_reply(self) -> Result<Reply, Failure>;
}

/// A value for programs, with a schema derived from its type; models get the same as JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Structured<T>(pub T);

impl<T: Serialize + JsonSchema> ToolOutput for Structured<T> {
    fn output_schema() -> Option<Json> {
        Some(schema::text(schema::for_output::<T>()))
    }

    fn into_reply(self) -> Result<Reply, Failure> {
        let value = Json::encode(&self.0)?;
        let content = vec![Content::text(value.as_str())];
        Ok(CallToolResult { content, structured_content: Some(value), ..CallToolResult::default() }.into())
    }
}

impl ToolOutput for CallToolResult {
    fn into_reply(self) -> Result<Reply, Failure> {
        Ok(self.into())
    }
}

impl ToolOutput for Vec<Content> {
    fn into_reply(self) -> Result<Reply, Failure> {
        Ok(CallToolResult { content: self, ..CallToolResult::default() }.into())
    }
}

impl ToolOutput for Content {
    fn into_reply(self) -> Result<Reply, Failure> {
        vec![self].into_reply()
    }
}

impl ToolOutput for String {
    fn into_reply(self) -> Result<Reply, Failure> {
        Content::text(self).into_reply()
    }
}

impl ToolOutput for &str {
    fn into_reply(self) -> Result<Reply, Failure> {
        Content::text(self).into_reply()
    }
}

impl ToolOutput for () {
    fn into_reply(self) -> Result<Reply, Failure> {
        Ok(CallToolResult::default().into())
    }
}

/// The call goes on as a task: see [`Context::task`](crate::Context::task).
impl ToolOutput for Task {
    fn into_reply(self) -> Result<Reply, Failure> {
        Ok(Reply::Task(Box::new(self)))
    }
}
