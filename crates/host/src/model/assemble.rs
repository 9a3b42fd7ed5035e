//! Pieces of an answer become one.

use serde::Deserialize;
use serde_json::Value;

use super::{ModelAnswer, ModelError, ToolCall, Usage};

/// The most calls in one answer.
const MOST_CALLS: usize = 256;

/// Something new in an answer that is on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(String),
    Thoughts(String),
    /// A call begins; its place among the calls.
    Call {
        at: usize,
        id: String,
        name: String,
    },
    /// More of a call's arguments.
    Arguments {
        at: usize,
        text: String,
    },
}

/// An answer on its way.
#[derive(Debug, Default)]
pub(crate) struct Assembler {
    answer: ModelAnswer,
    /// The number that the API gives each call, in the order of `answer.calls`.
    numbers: Vec<u64>,
    /// Whether the API has said that it is whole.
    whole: bool,
}

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<Value>,
    model: Option<String>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    /// Of a stream.
    delta: Option<Delta>,
    /// Of an answer in one piece.
    message: Option<Delta>,
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct Delta {
    content: Option<String>,
    #[serde(alias = "reasoning")]
    reasoning_content: Option<String>,
    tool_calls: Option<Vec<DeltaCall>>,
}

#[derive(Deserialize)]
struct DeltaCall {
    index: Option<u64>,
    id: Option<String>,
    function: Option<Function>,
}

#[derive(Deserialize)]
struct Function {
    name: Option<String>,
    arguments: Option<Value>,
}

impl Assembler {
    /// Takes the data of one event, or an answer in one piece.
    pub(crate) fn take(&mut self, data: &[u8]) -> Result<Vec<Piece>, ModelError> {
        if data.trim_ascii() == b"[DONE]" {
            self.whole = true;
            return Ok(Vec::new());
        }
        let broken = |error: serde_json::Error| ModelError::Broken { reason: error.to_string() };
        let chunk: Chunk = serde_json::from_slice(data).map_err(broken)?;
        if let Some(error) = chunk.error.filter(|error| !error.is_null()) {
            return Err(ModelError::Said { message: super::error::message(&error) });
        }
        if let Some(usage) = chunk.usage.filter(|usage| !usage.is_null()) {
            self.answer.usage = Usage::read(usage);
        }
        self.answer.model = chunk.model.or(self.answer.model.take());
        let mut pieces = Vec::new();
        // There is one choice, since one is asked for.
        for choice in chunk.choices.into_iter().take(1) {
            if let Some(finish) = choice.finish_reason {
                self.answer.finish = Some(finish);
                self.whole = true;
            }
            self.add(choice.delta.or(choice.message).unwrap_or_default(), &mut pieces)?;
        }
        Ok(pieces)
    }

    /// The whole answer.
    pub(crate) fn finish(self) -> Result<ModelAnswer, ModelError> {
        match self.whole {
            true => Ok(self.answer),
            false => Err(ModelError::Cut),
        }
    }

    fn add(&mut self, delta: Delta, pieces: &mut Vec<Piece>) -> Result<(), ModelError> {
        if let Some(thoughts) = delta.reasoning_content.filter(|text| !text.is_empty()) {
            self.answer.thoughts.push_str(&thoughts);
            pieces.push(Piece::Thoughts(thoughts));
        }
        if let Some(text) = delta.content.filter(|text| !text.is_empty()) {
            self.answer.text.push_str(&text);
            pieces.push(Piece::Text(text));
        }
        for (place, call) in delta.tool_calls.unwrap_or_default().into_iter().enumerate() {
            self.add_call(place, call, pieces)?;
        }
        Ok(())
    }

    fn add_call(&mut self, place: usize, call: DeltaCall, pieces: &mut Vec<Piece>) -> Result<(), ModelError> {
        let number = call.index.unwrap_or(place as u64);
        let function = call.function.unwrap_or(Function { name: None, arguments: None });
        let at = match self.numbers.iter().position(|known| *known == number) {
            Some(at) => at,
            None if self.numbers.len() == MOST_CALLS => {
                return Err(ModelError::Broken { reason: format!("it has more than {MOST_CALLS} calls") });
            }
            None => {
                let id = call.id.filter(|id| !id.is_empty() && !self.has_call(id));
                let id = id.unwrap_or_else(|| format!("call_{}", crate::wire::uuid()));
                let name = function.name.unwrap_or_default();
                pieces.push(Piece::Call { at: self.numbers.len(), id: id.clone(), name: name.clone() });
                self.numbers.push(number);
                self.answer.calls.push(ToolCall { id, name, arguments: String::new() });
                self.numbers.len() - 1
            }
        };
        let text = match function.arguments {
            Some(Value::String(text)) => text,
            // Some send the object itself.
            Some(value) if !value.is_null() => value.to_string(),
            _ => String::new(),
        };
        if !text.is_empty() {
            self.answer.calls[at].arguments.push_str(&text);
            pieces.push(Piece::Arguments { at, text });
        }
        Ok(())
    }

    fn has_call(&self, id: &str) -> bool {
        self.answer.calls.iter().any(|call| call.id == id)
    }
}
