//! An answer for programs and, in other words, for models.

use codewhale_mcp_protocol::{CallToolResult, Content, Json};
use codewhale_mcp_server::{Failure, Reply, Structured, ToolOutput};
use schemars::JsonSchema;
use serde::Serialize;

/// An answer that models get in other words than programs.
pub(super) trait Told {
    /// What a model gets.
    fn content(&self) -> Vec<Content>;

    /// Whether it says that something failed.
    fn failed(&self) -> bool {
        false
    }
}

/// A value for programs, with a schema derived from its type, and words for models.
#[derive(Debug)]
pub(super) struct Answer<T>(pub(super) T);

impl<T: Told + Serialize + JsonSchema> ToolOutput for Answer<T> {
    fn output_schema() -> Option<Json> {
        Structured::<T>::output_schema()
    }

    fn into_reply(self) -> Result<Reply, Failure> {
        let (content, is_error) = (self.0.content(), self.0.failed());
        let structured_content = Some(Json::encode(&self.0)?);
        Ok(CallToolResult { content, structured_content, is_error, ..CallToolResult::default() }.into())
    }
}
