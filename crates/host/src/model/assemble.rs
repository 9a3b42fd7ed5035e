//! Pieces of an answer become one.

use serde_json::Value;

use super::chunk::{Chunk, Delta, DeltaCall, text};
use super::halves::Halves;
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
    /// What is known of each call besides, in the order of `answer.calls`.
    growing: Vec<Growing>,
    text: Halves,
    thoughts: Halves,
    /// Whether the API has said that it is whole.
    whole: bool,
}

/// A call on its way.
#[derive(Debug, Default)]
struct Growing {
    /// The number that the API gives it.
    index: Option<u64>,
    /// The id that the API gives it.
    id: Option<String>,
    arguments: Halves,
    /// Whether it was told: not before its name is known.
    told: bool,
}

impl Assembler {
    /// Takes the data of one event, or an answer in one piece.
    pub(crate) fn take(&mut self, data: &[u8]) -> Result<Vec<Piece>, ModelError> {
        match data.trim_ascii() {
            b"" => return Ok(Vec::new()),
            b"[DONE]" => {
                self.whole = true;
                return Ok(Vec::new());
            }
            _ => {}
        }
        let broken = |error: serde_json::Error| ModelError::Broken { reason: error.to_string() };
        let chunk: Chunk = serde_json::from_str(&String::from_utf8_lossy(data)).map_err(broken)?;
        if let Some(error) = chunk.error {
            let error = error.decode().unwrap_or_else(|_| Value::from(error.as_str()));
            return Err(ModelError::Said { message: super::error::message(&error) });
        }
        if let Some(usage) = chunk.usage.and_then(|usage| usage.decode().ok()) {
            self.answer.usage = Usage::read(usage);
        }
        self.answer.model = text(chunk.model.as_ref()).or(self.answer.model.take());
        let mut pieces = Vec::new();
        // There is one choice, since one is asked for.
        if let Some(choice) = chunk.choices.into_iter().flatten().flatten().next() {
            if let Some(finish) = choice.finish() {
                self.answer.finish = Some(finish);
                self.whole = true;
            }
            self.add(choice.delta(), &mut pieces)?;
        }
        Ok(pieces)
    }

    /// The whole answer.
    pub(crate) fn finish(mut self) -> Result<ModelAnswer, ModelError> {
        if !self.whole {
            return Err(ModelError::Cut);
        }
        self.answer.text.push_str(self.text.rest());
        self.answer.thoughts.push_str(self.thoughts.rest());
        for (call, growing) in self.answer.calls.iter_mut().zip(&self.growing) {
            call.arguments.push_str(growing.arguments.rest());
        }
        Ok(self.answer)
    }

    fn add(&mut self, delta: Delta, pieces: &mut Vec<Piece>) -> Result<(), ModelError> {
        let thoughts = self.thoughts.join(delta.thoughts());
        if !thoughts.is_empty() {
            self.answer.thoughts.push_str(&thoughts);
            pieces.push(Piece::Thoughts(thoughts));
        }
        let text = self.text.join(delta.text());
        if !text.is_empty() {
            self.answer.text.push_str(&text);
            pieces.push(Piece::Text(text));
        }
        delta.calls().try_for_each(|call| self.add_call(call, pieces))
    }

    fn add_call(&mut self, more: DeltaCall, pieces: &mut Vec<Piece>) -> Result<(), ModelError> {
        let (id, name) = (more.id(), more.name());
        let at = match self.place_of(more.index(), id.as_deref(), name.is_some()) {
            Some(at) => at,
            None if self.growing.len() == MOST_CALLS => {
                return Err(ModelError::Broken { reason: format!("it has more than {MOST_CALLS} calls") });
            }
            None => {
                let id = format!("call_{}", crate::wire::uuid());
                self.answer.calls.push(ToolCall { id, ..ToolCall::default() });
                self.growing.push(Growing { index: more.index(), ..Growing::default() });
                self.growing.len() - 1
            }
        };
        let id = id.filter(|id| !self.answer.calls.iter().any(|call| call.id == *id));
        let (growing, call) = (&mut self.growing[at], &mut self.answer.calls[at]);
        if let Some(id) = id.filter(|_| growing.id.is_none() && !growing.told) {
            growing.id = Some(id.clone());
            call.id = id;
        }
        if let Some(name) = name.filter(|_| call.name.is_empty()) {
            call.name = name;
        }
        let mut text = growing.arguments.join(more.arguments());
        call.arguments.push_str(&text);
        if !growing.told && !call.name.is_empty() {
            growing.told = true;
            pieces.push(Piece::Call { at, id: call.id.clone(), name: call.name.clone() });
            text.clone_from(&call.arguments);
        }
        if growing.told && !text.is_empty() {
            pieces.push(Piece::Arguments { at, text });
        }
        Ok(())
    }

    /// Which call more is said of; `None` if of a new one. Some give their calls no number, or all of them the same:
    /// then an id or a name makes a new one. Some give a call another id in every piece, but its name
    /// once.
    fn place_of(&self, index: Option<u64>, id: Option<&str>, named: bool) -> Option<usize> {
        let is_it = |known: &Growing| match (index, id, &known.id) {
            (Some(_), Some(id), Some(known_id)) if named => known.index == index && known_id == id,
            (Some(_), ..) => known.index == index,
            (None, Some(id), known_id) => known_id.as_deref() == Some(id),
            (None, None, _) => true,
        };
        let at = self.growing.iter().rposition(is_it)?;
        let is_new = index.is_none() && id.is_none() && named && self.growing[at].told;
        (!is_new).then_some(at)
    }
}
