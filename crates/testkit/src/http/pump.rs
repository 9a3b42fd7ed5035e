//! Carries the messages of a channel to a connection, as JSON or as events.

use super::channel::{Channel, Next};
use super::exchange::Exchange;
use super::response::{Response, head};
use super::shape::{Answers, Ending, Filler, Polling, Shape, Stall};
use super::wire::Wire;
use crate::message::Message;
use serde_json::Value;
use std::io;
use std::sync::Arc;

/// One reader of a channel.
pub(super) struct Pump<'a> {
    pub(super) wire: &'a mut Wire,
    pub(super) exchange: &'a Exchange,
    pub(super) channel: &'a Arc<Channel>,
    pub(super) shape: Shape,
    /// Headers of the answer's own.
    pub(super) headers: Vec<(String, String)>,
    /// What the ids of the events begin with, where they have ids.
    pub(super) stream: Option<String>,
    /// The stream begins with an event that has an id and no data (2025-11-25).
    pub(super) primes: bool,
    /// The first message that this reader has not seen.
    pub(super) from: usize,
    /// The stream continues an earlier one.
    pub(super) resumes: bool,
    /// Modern errors have a status of their own.
    pub(super) modern: bool,
    /// Answers end the stream.
    pub(super) ends: bool,
}

impl Pump<'_> {
    pub(super) fn run(mut self) -> io::Result<()> {
        let reader = self.channel.attach();
        let channel = self.channel.clone();
        // Who has left takes its own reader along, and none that has come in its place.
        self.exchange.on_leave(move || channel.dismiss(reader));
        if self.shape.cut.is_some() {
            // It is this side that ends the connection.
            self.exchange.done();
        }
        self.wire.pieces = self.shape.pieces;
        self.wire.cut = self.shape.cut;
        if self.shape.stall == Stall::Head {
            self.channel.wait_for_detach(reader);
            return self.wire.hang_up();
        }
        let mut open = self.shape.answers == Answers::Events && !self.modern;
        if open {
            self.open(reader)?;
            let polled = match self.shape.polling {
                Polling::No => false,
                Polling::Once => !self.resumes,
                Polling::Always => true,
            };
            if polled {
                self.exchange.done();
                return self.wire.last_chunk();
            }
        }
        for number in self.from.. {
            let Next::Message(message) = self.channel.next(number, reader) else { break };
            let is_answer = is_answer(&message);
            if !open {
                if is_answer
                    && (self.shape.answers != Answers::Events || status(&message, self.modern) != 200)
                {
                    return self.json(message);
                }
                if self.shape.answers == Answers::Json {
                    continue;
                }
                self.open(reader)?;
                open = true;
            }
            if !is_answer {
                self.event(number, &message)?;
            } else if self.answer(number, message)? {
                return self.wire.last_chunk();
            }
        }
        self.exchange.done();
        if !open {
            self.open(reader)?;
        }
        self.wire.last_chunk()
    }

    fn json(&mut self, message: String) -> io::Result<()> {
        self.exchange.done();
        let mut response = Response::empty(status(&message, self.modern));
        response.headers = self.headers.clone();
        let kind = self.shape.json_type.clone();
        response.headers.extend(kind.map(|kind| ("Content-Type".to_owned(), kind)));
        if let Filler::Json(bytes) = self.shape.filler {
            self.wire.write(&head(response.status, &response.headers, Some("Transfer-Encoding: chunked")))?;
            let (start, end) = message.split_at(message.len() - 1);
            self.wire.chunk(format!(r#"{start},"filler":""#).as_bytes())?;
            self.fill(bytes, &"x".repeat(1 << 16))?;
            self.wire.chunk(format!(r#""{end}"#).as_bytes())?;
            return self.wire.last_chunk();
        }
        response.body(message).write(self.wire)
    }

    fn open(&mut self, reader: u64) -> io::Result<()> {
        let mut headers = std::mem::take(&mut self.headers);
        headers.extend(self.shape.events_type.clone().map(|kind| ("Content-Type".to_owned(), kind)));
        headers.push(("Cache-Control".to_owned(), "no-cache".to_owned()));
        self.wire.write(&head(200, &headers, Some("Transfer-Encoding: chunked")))?;
        if self.shape.stall == Stall::Body {
            self.channel.wait_for_detach(reader);
            return self.wire.hang_up();
        }
        self.wire.chunk(self.shape.preamble.as_bytes())?;
        let id = self.id(self.from).filter(|_| self.primes);
        let retry = self.shape.retry.map(|retry| retry.to_string());
        let mut fields: Vec<(&str, &str)> = Vec::new();
        fields.extend(id.as_deref().map(|id| ("id", id)));
        fields.extend(retry.as_deref().map(|retry| ("retry", retry)));
        if fields.is_empty() {
            return Ok(());
        }
        fields.push(("data", ""));
        self.wire.chunk(&self.shape.framing.event(&fields))
    }

    fn event(&mut self, number: usize, message: &str) -> io::Result<()> {
        let id = self.id(number + 1);
        self.wire.chunk(&self.shape.framing.message(id.as_deref(), message))
    }

    /// Whether the stream is to end after it.
    fn answer(&mut self, number: usize, mut message: String) -> io::Result<bool> {
        match self.shape.filler {
            Filler::Comments(bytes) => self.fill(bytes, &": still here\n\n".repeat(1 << 12))?,
            Filler::Data(bytes) => {
                self.wire.chunk(b"data: ")?;
                self.fill(bytes, &"x".repeat(1 << 16))?;
                self.wire.chunk(b"\n\n")?;
            }
            Filler::Nothing | Filler::Json(_) => {}
        }
        match self.shape.ending {
            Ending::Lost => {}
            Ending::Broken => {
                self.exchange.done();
                return self.wire.hang_up().map(|()| true);
            }
            Ending::Answered | Ending::Twice => {
                if self.ends {
                    self.exchange.done();
                }
                if self.shape.batch {
                    let log = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"batch"}}"#;
                    message = format!("[{log},{message}]");
                }
                self.event(number, &message)?;
                if self.shape.ending == Ending::Twice {
                    self.event(number, &message)?;
                }
            }
        }
        if self.shape.ending == Ending::Lost {
            self.exchange.done();
        }
        Ok(self.ends)
    }

    fn fill(&mut self, bytes: u64, piece: &str) -> io::Result<()> {
        let mut left = bytes;
        while left > 0 {
            let size = usize::try_from(left).unwrap_or(usize::MAX).min(piece.len());
            self.wire.chunk(&piece.as_bytes()[..size])?;
            left -= size as u64;
        }
        Ok(())
    }

    fn id(&self, number: usize) -> Option<String> {
        let stream = self.stream.as_ref().filter(|_| self.shape.ids)?;
        Some(format!("{stream}-{number}"))
    }
}

fn is_answer(line: &str) -> bool {
    Message::parse(line.as_bytes()).is_some_and(|message| message.is_response())
}

/// Legacy errors ride on 200; modern ones have a status of their own.
fn status(line: &str, modern: bool) -> u16 {
    let message = Message::parse(line.as_bytes()).filter(|_| modern);
    let error = message.and_then(|message| message.member("error").map(str::to_owned));
    let error: Value = error.and_then(|raw| serde_json::from_str(&raw).ok()).unwrap_or_default();
    match error["code"].as_i64() {
        Some(-32601) => 404,
        Some(-32600 | -32602 | -32700 | -32022..=-32020) => 400,
        _ => 200,
    }
}
