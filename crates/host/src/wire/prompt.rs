//! What a user's message says.

use codewhale_mcp_protocol::Json;
use serde::Deserialize;
use serde_json::{Value, json};

/// A prompt, in the form that the model is given.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Prompt {
    /// A text, or the parts of a message of the chat API.
    pub(crate) content: Value,
    /// What the caller calls the message.
    pub(crate) uuid: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    role: Option<Json>,
    content: Content,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Blocks(Vec<Block>),
}

#[derive(Deserialize)]
struct Block {
    r#type: String,
    text: Option<String>,
    source: Option<Source>,
}

#[derive(Deserialize)]
struct Source {
    media_type: Option<String>,
    data: Option<String>,
    url: Option<String>,
}

impl Prompt {
    /// A prompt of a text.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self { content: Value::String(text.into()), uuid: None }
    }

    /// How many bytes it has, about.
    pub(crate) fn bytes(&self) -> usize {
        match &self.content {
            Value::String(text) => text.len(),
            Value::Array(parts) => parts.iter().map(length).sum(),
            _ => 0,
        }
    }

    /// Reads `message` of a user's message: its content is a text or an array of blocks.
    pub(super) fn read(message: &Json) -> Result<Self, String> {
        let form = "its `content` is neither a text nor an array of blocks";
        let lacks = |block: &Block| block.r#type == "text" && block.text.is_none();
        let message: Message = message.decode().map_err(|_| form.to_owned())?;
        if message.role.is_some_and(|role| role.as_str() != r#""user""#) {
            return Err("its `role` is not `user`".to_owned());
        }
        let blocks = match message.content {
            Content::Text(text) => return Ok(Self::text(text)),
            Content::Blocks(blocks) if blocks.is_empty() => return Err("its `content` is empty".to_owned()),
            Content::Blocks(blocks) if blocks.iter().any(lacks) => {
                return Err("a block of type `text` has no `text`".to_owned());
            }
            Content::Blocks(blocks) => blocks,
        };
        if blocks.iter().all(|block| block.r#type == "text") {
            let texts: Vec<String> = blocks.into_iter().filter_map(|block| block.text).collect();
            return Ok(Self::text(texts.join("\n")));
        }
        let parts: Vec<Value> = blocks.into_iter().map(part).collect::<Result<_, _>>()?;
        Ok(Self { content: Value::Array(parts), uuid: None })
    }
}

/// A block as a part of a message of the chat API.
fn part(block: Block) -> Result<Value, String> {
    match (block.r#type.as_str(), block.text, block.source) {
        ("text", Some(text), _) => Ok(json!({"type": "text", "text": text})),
        ("image", _, Some(Source { media_type: Some(kind), data: Some(data), .. })) => {
            Ok(json!({"type": "image_url", "image_url": {"url": format!("data:{kind};base64,{data}")}}))
        }
        ("image", _, Some(Source { url: Some(url), .. })) => {
            Ok(json!({"type": "image_url", "image_url": {"url": url}}))
        }
        (kind, ..) => Err(format!("a block of type `{kind}` cannot be given to the model")),
    }
}

/// How many bytes the texts of a part have.
fn length(part: &Value) -> usize {
    match part {
        Value::String(text) => text.len(),
        Value::Object(members) => members.values().map(length).sum(),
        _ => 0,
    }
}
