//! What the requests of one message come to: one answer, or, of a batch, an array of them.

use std::task::{Context, Poll};

use codewhale_mcp_protocol::{ErrorObject, code};

use crate::in_flight::Held;
use crate::running::{Running, Sent};
use crate::wire;

/// The requests of one message, until all are answered.
#[derive(Default)]
pub(crate) struct Work {
    running: Vec<(Box<Running>, Option<Held>)>,
    /// What is written already: one answer, or the beginning of an array.
    written: Vec<u8>,
    sent: Option<Sent>,
    form: Form,
    /// The most bytes of the answers to a batch.
    limit: usize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Form {
    #[default]
    One,
    /// An array (2025-03-26).
    Batch,
}

/// Answers to a message, whole.
#[derive(Debug)]
pub(crate) struct Answers {
    pub(crate) text: Vec<u8>,
    pub(crate) sent: Sent,
}

impl Work {
    /// One request.
    pub(crate) fn one(running: Box<Running>, held: Option<Held>) -> Self {
        Self { running: vec![(running, held)], ..Self::default() }
    }

    /// One answer that is there.
    pub(crate) fn done(text: Vec<u8>, sent: Sent) -> Self {
        Self { written: text, sent: Some(sent), ..Self::default() }
    }

    /// A batch, without requests so far, whose answers have at most so many bytes together.
    pub(crate) fn batch(limit: usize) -> Self {
        Self { form: Form::Batch, limit, ..Self::default() }
    }

    /// Whether the answers are as long as they may be, so that no further request need be taken up.
    pub(crate) fn is_full(&self) -> bool {
        self.written.len() >= self.limit
    }

    /// An answer more, of a batch; where it is too long, its request is told so.
    pub(crate) fn answer(&mut self, id: &str, sent: Sent, text: &[u8]) {
        if self.written.len() + text.len() <= self.limit {
            return self.write(sent, |out| out.extend_from_slice(text));
        }
        self.refuse(id);
    }

    /// There is no room for the answer to a request.
    pub(crate) fn refuse(&mut self, id: &str) {
        let message = format!("the answers to a batch have at most {} bytes together", self.limit);
        let error = ErrorObject { code: code::INVALID_REQUEST, message, ..ErrorObject::default() };
        self.write(Sent::Error(error.code), |out| wire::error(Some(id), &error, out));
    }

    /// A request more, of a batch.
    pub(crate) fn add(&mut self, running: Box<Running>, held: Option<Held>) {
        self.running.push((running, held));
    }

    /// An answer more, of a batch.
    pub(crate) fn write(&mut self, sent: Sent, write: impl FnOnce(&mut Vec<u8>)) {
        let before = self.written.len();
        self.written.push(if self.written.is_empty() { b'[' } else { b',' });
        write(&mut self.written);
        if self.written.len() == before + 1 {
            self.written.truncate(before);
        } else {
            self.sent = Some(sent);
        }
    }

    /// The answers, when all are there; `None` where nobody wants one any more, or nothing was asked.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Answers>> {
        let mut at = 0;
        while let Some((running, _)) = self.running.get_mut(at) {
            let mut text = Vec::new();
            match running.poll(cx, &mut text) {
                Poll::Pending => at += 1,
                Poll::Ready(sent) => {
                    let (running, _held) = self.running.swap_remove(at);
                    match self.form {
                        Form::Batch if text.is_empty() => {}
                        Form::Batch => self.answer(running.id(), sent, &text),
                        Form::One if sent != Sent::Withdrawn => {
                            (self.written, self.sent) = (text, Some(sent))
                        }
                        Form::One => {}
                    }
                }
            }
        }
        if !self.running.is_empty() {
            return Poll::Pending;
        }
        let Some(sent) = self.sent.take() else { return Poll::Ready(None) };
        let mut text = std::mem::take(&mut self.written);
        if self.form == Form::Batch {
            text.push(b']');
        }
        Poll::Ready(Some(Answers { text, sent }))
    }
}
