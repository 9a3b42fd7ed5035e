//! A piece of an answer as the API sends it: as lenient as its many servers need.

use codewhale_mcp_protocol::Json;
use serde::Deserialize;

use super::halves::Wtf8;

/// A piece of a stream, or an answer in one piece. Every member may be missing or `null`.
#[derive(Debug, Deserialize)]
pub(super) struct Chunk {
    pub(super) choices: Option<Vec<Option<Choice>>>,
    pub(super) usage: Option<Json>,
    pub(super) model: Option<Json>,
    pub(super) error: Option<Json>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Choice {
    /// Of a stream.
    delta: Option<Delta>,
    /// Of an answer in one piece.
    message: Option<Delta>,
    finish_reason: Option<Json>,
}

impl Choice {
    /// Why it is at its end, if it is. Some say an empty reason until then.
    pub(super) fn finish(&self) -> Option<String> {
        text(self.finish_reason.as_ref())
    }

    pub(super) fn delta(self) -> Delta {
        self.delta.or(self.message).unwrap_or_default()
    }
}

/// What is new.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Delta {
    content: Option<Json>,
    reasoning_content: Option<Json>,
    reasoning: Option<Json>,
    tool_calls: Option<Vec<Option<DeltaCall>>>,
}

impl Delta {
    pub(super) fn text(&self) -> Wtf8 {
        self.content.as_ref().and_then(Wtf8::read).unwrap_or_default()
    }

    pub(super) fn thoughts(&self) -> Wtf8 {
        let thoughts = self.reasoning_content.as_ref().or(self.reasoning.as_ref());
        thoughts.and_then(Wtf8::read).unwrap_or_default()
    }

    pub(super) fn calls(self) -> impl Iterator<Item = DeltaCall> {
        self.tool_calls.unwrap_or_default().into_iter().flatten()
    }
}

/// What is new about a call.
#[derive(Debug, Deserialize)]
pub(super) struct DeltaCall {
    index: Option<Json>,
    id: Option<Json>,
    function: Option<Function>,
}

#[derive(Debug, Deserialize)]
struct Function {
    name: Option<Json>,
    arguments: Option<Json>,
}

impl DeltaCall {
    /// Which of the calls it is.
    pub(super) fn index(&self) -> Option<u64> {
        self.index.as_ref()?.decode().ok()
    }

    pub(super) fn id(&self) -> Option<String> {
        text(self.id.as_ref())
    }

    pub(super) fn name(&self) -> Option<String> {
        text(self.function.as_ref()?.name.as_ref())
    }

    /// More of its arguments. Some send the object itself.
    pub(super) fn arguments(&self) -> Wtf8 {
        let Some(json) = self.function.as_ref().and_then(|function| function.arguments.as_ref()) else {
            return Wtf8::default();
        };
        match json.as_str().trim_start().starts_with('"') {
            true => Wtf8::read(json).unwrap_or_default(),
            false => json.as_str().to_owned().into(),
        }
    }
}

/// A text that is not empty.
pub(super) fn text(json: Option<&Json>) -> Option<String> {
    json?.decode().ok().filter(|text: &String| !text.is_empty())
}
