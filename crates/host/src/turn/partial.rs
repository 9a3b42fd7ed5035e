//! Pieces of an answer as events of a stream, in the form that SDKs know.

use serde_json::{Value, json};

use crate::model::{ModelAnswer, Piece, Usage};

/// The events of one answer.
#[derive(Debug)]
pub(super) struct Partial {
    id: String,
    model: String,
    begun: bool,
    /// What the open block holds, and how many blocks there were before it.
    open: Option<Block>,
    blocks: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    Text,
    Thoughts,
    /// The call of this place.
    Call(usize),
}

impl Partial {
    pub(super) fn new(id: String, model: String) -> Self {
        Self { id, model, begun: false, open: None, blocks: 0 }
    }

    /// What a piece says. Calls that come mixed are told one after the other, so that a block is closed before the next
    /// one opens: of those that are not open, what comes later is told at the end only.
    pub(super) fn piece(&mut self, piece: &Piece) -> Vec<Value> {
        let mut events = self.begin();
        match piece {
            Piece::Text(text) => {
                self.turn_to(Block::Text, json!({"type": "text", "text": ""}), &mut events);
                events.push(self.delta(json!({"type": "text_delta", "text": text})));
            }
            Piece::Thoughts(text) => {
                let block = json!({"type": "thinking", "thinking": "", "signature": ""});
                self.turn_to(Block::Thoughts, block, &mut events);
                events.push(self.delta(json!({"type": "thinking_delta", "thinking": text})));
            }
            Piece::Call { at, id, name } => {
                let block = json!({"type": "tool_use", "id": id, "name": name, "input": {}});
                self.turn_to(Block::Call(*at), block, &mut events);
            }
            Piece::Arguments { at, text } if self.open == Some(Block::Call(*at)) => {
                events.push(self.delta(json!({"type": "input_json_delta", "partial_json": text})));
            }
            Piece::Arguments { .. } => {}
        }
        events
    }

    /// What the end of the answer says.
    pub(super) fn finish(mut self, answer: &ModelAnswer) -> Vec<Value> {
        let mut events = self.begin();
        self.close(&mut events);
        let delta = json!({"stop_reason": answer.stop_reason(), "stop_sequence": null});
        events.push(json!({"type": "message_delta", "delta": delta, "usage": answer.usage.told()}));
        events.push(json!({"type": "message_stop"}));
        events
    }

    fn begin(&mut self) -> Vec<Value> {
        if std::mem::replace(&mut self.begun, true) {
            return Vec::new();
        }
        let message = json!({
            "id": self.id,
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": [],
            "stop_reason": null,
            "stop_sequence": null,
            "usage": Usage::default().told(),
        });
        vec![json!({"type": "message_start", "message": message})]
    }

    fn turn_to(&mut self, block: Block, content: Value, events: &mut Vec<Value>) {
        if self.open == Some(block) {
            return;
        }
        self.close(events);
        self.open = Some(block);
        let index = self.blocks;
        events.push(json!({"type": "content_block_start", "index": index, "content_block": content}));
    }

    fn close(&mut self, events: &mut Vec<Value>) {
        if self.open.take().is_some() {
            events.push(json!({"type": "content_block_stop", "index": self.blocks}));
            self.blocks += 1;
        }
    }

    fn delta(&self, delta: Value) -> Value {
        json!({"type": "content_block_delta", "index": self.blocks, "delta": delta})
    }
}
