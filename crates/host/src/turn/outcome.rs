//! What came of a call, for the model and for the caller.

use codewhale_mcp_protocol::{CallToolResult, Content, ContentType, Json, ResourceContents};
use codewhale_mcp_redact::Redactor;
use serde_json::{Value, json};

use super::context::Context;
use super::spill;
use crate::wire::CallEnd;

/// What came of a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome {
    /// For the model.
    pub(crate) text: String,
    /// For the caller: blocks of content.
    pub(crate) content: Json,
    pub(crate) end: CallEnd,
}

impl Outcome {
    /// A text.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        let content = json!([{"type": "text", "text": text}]).into();
        Self { text, content, end: CallEnd::Done }
    }

    /// It failed, for this reason.
    pub(crate) fn failed(why: impl Into<String>) -> Self {
        Self { end: CallEnd::Failed, ..Self::text(why) }
    }

    /// What a tool answered: of it only `content` and `structuredContent` go on. Servers like to quote what they do not
    /// accept, so none of these secrets is in the words of a failure.
    pub(super) fn of(result: &CallToolResult, secrets: &Redactor) -> Self {
        let words = |text: String| match result.is_error {
            true => secrets.apply(&text).into_owned(),
            false => text,
        };
        let mut texts: Vec<String> = result.content.iter().map(|block| words(text_of(block))).collect();
        let mut blocks: Vec<Value> = result.content.iter().map(|block| block_of(block, words)).collect();
        if let Some(structured) = &result.structured_content
            && !result.content.iter().any(|block| says(block, structured))
        {
            let structured = words(structured.as_str().to_owned());
            blocks.push(json!({"type": "text", "text": structured}));
            texts.push(structured);
        }
        if texts.is_empty() {
            texts.push("the tool answered with nothing".to_owned());
        }
        let mut text = texts.join("\n");
        if result.is_error {
            text.insert_str(0, "the tool failed: ");
        }
        let end = if result.is_error { CallEnd::Failed } else { CallEnd::Done };
        Self { text, content: Value::from(blocks).into(), end }
    }

    /// The same, not too long for the model and for a line: what is longer goes to a file.
    pub(super) async fn bounded(self, context: &Context) -> Self {
        if self.text.len() <= spill::MOST && self.content.as_str().len() <= spill::MOST_CONTENT {
            return self;
        }
        let text = context.spill.keep(self.text).await;
        let content = match self.content.as_str().len() <= spill::MOST_CONTENT {
            true => self.content,
            false => json!([{"type": "text", "text": text}]).into(),
        };
        Self { text, content, ..self }
    }
}

/// Whether a block says in words what is there for a program, too.
fn says(block: &Content, structured: &Json) -> bool {
    let value = |text: &str| serde_json::from_str::<Value>(text).ok();
    let text = block.text.as_deref().and_then(value);
    text.is_some() && text == value(structured.as_str())
}

/// A block for the model, which reads words alone.
fn text_of(block: &Content) -> String {
    let kind = block.mime_type.as_deref().unwrap_or("unknown type");
    match (&block.kind, &block.text, &block.resource) {
        (ContentType::Text, Some(text), _) => text.clone(),
        (ContentType::Resource, _, Some(resource)) => resource_text(resource),
        (ContentType::ResourceLink, ..) => {
            let uri = block.more.as_ref().and_then(|more| more.uri.as_deref()).unwrap_or_default();
            format!("[resource {uri}; mcp_read_resource reads it]")
        }
        _ => {
            let bytes = block.data.as_deref().map_or(0, |data| data.len() / 4 * 3);
            format!("[{} of {kind}, about {bytes} bytes, which cannot be shown here]", block.kind.as_str())
        }
    }
}

/// What a resource holds, for the model.
pub(crate) fn resource_text(resource: &ResourceContents) -> String {
    match (&resource.text, &resource.blob) {
        (Some(text), _) => text.clone(),
        (None, blob) => {
            let bytes = blob.as_deref().map_or(0, |blob| blob.len() / 4 * 3);
            let kind = resource.mime_type.as_deref().unwrap_or("unknown type");
            format!("[{kind} of {}, about {bytes} bytes, which cannot be shown here]", resource.uri)
        }
    }
}

/// A block for the caller: pictures stay pictures.
fn block_of(block: &Content, words: impl Fn(String) -> String) -> Value {
    match (&block.kind, &block.data, &block.mime_type) {
        (ContentType::Image, Some(data), Some(kind)) => {
            json!({"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}})
        }
        _ => json!({"type": "text", "text": words(text_of(block))}),
    }
}
