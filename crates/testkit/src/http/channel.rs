//! The messages of one stream, apart from the connection that carries them at the moment.

use crate::out::Sink;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// A log of messages with at most one reader, who may leave and be followed by another.
#[derive(Default)]
pub(super) struct Channel {
    held: Mutex<Held>,
    changed: Condvar,
}

#[derive(Default)]
struct Held {
    messages: Vec<String>,
    ended: bool,
    /// The number of the reader; who has an older one has been replaced or sent away.
    reader: u64,
    /// How many messages some reader has taken.
    taken: usize,
}

/// What a reader finds.
pub(super) enum Next {
    Message(String),
    /// There will be no more.
    End,
    /// The reader is to stop; the stream goes on without it.
    Detached,
}

impl Channel {
    pub(super) fn push(&self, message: String) {
        let mut held = self.held();
        if !held.ended {
            held.messages.push(message);
            self.changed.notify_all();
        }
    }

    pub(super) fn end(&self) {
        self.held().ended = true;
        self.changed.notify_all();
    }

    /// Becomes the reader, in the place of whoever it was.
    pub(super) fn attach(&self) -> u64 {
        let mut held = self.held();
        held.reader += 1;
        self.changed.notify_all();
        held.reader
    }

    /// Sends this reader away, if it still is the reader.
    pub(super) fn dismiss(&self, reader: u64) {
        let mut held = self.held();
        if held.reader == reader {
            held.reader += 1;
            self.changed.notify_all();
        }
    }

    /// Sends the reader away.
    pub(super) fn detach(&self) {
        self.held().reader += 1;
        self.changed.notify_all();
    }

    /// Where a reader begins who knows of no earlier one.
    pub(super) fn taken(&self) -> usize {
        self.held().taken
    }

    /// Waits for the message of this number, from 0.
    pub(super) fn next(&self, number: usize, reader: u64) -> Next {
        let mut held = self.held();
        loop {
            if held.reader != reader {
                return Next::Detached;
            }
            if let Some(message) = held.messages.get(number).cloned() {
                held.taken = held.taken.max(number + 1);
                return Next::Message(message);
            }
            if held.ended {
                return Next::End;
            }
            held = self.changed.wait(held).expect("no holder panics");
        }
    }

    /// Waits until the reader is sent away.
    pub(super) fn wait_for_detach(&self, reader: u64) {
        let held = self.held();
        drop(self.changed.wait_while(held, |held| held.reader == reader).expect("no holder panics"));
    }

    /// Says everything on another channel, to the end of this one.
    pub(super) fn pour_into(&self, other: &Channel) {
        let reader = self.attach();
        for number in 0.. {
            let Next::Message(message) = self.next(number, reader) else { break };
            other.push(message);
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().expect("no holder panics")
    }
}

/// Writes into a channel that others write into as well.
pub(super) struct Into(pub(super) Arc<Channel>);

impl Sink for Into {
    fn message(&mut self, line: &[u8]) -> io::Result<()> {
        self.0.push(String::from_utf8_lossy(line).into_owned());
        Ok(())
    }

    fn raw(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }
}

/// Writes into the channel of one request, which ends when nobody can write into it any more. What belongs to no
/// request goes to the general channel of the session, if there is one.
pub(super) struct ForOne {
    pub(super) own: Arc<Channel>,
    pub(super) general: Option<Arc<Channel>>,
}

impl Sink for ForOne {
    fn message(&mut self, line: &[u8]) -> io::Result<()> {
        let text = String::from_utf8_lossy(line).into_owned();
        match &self.general {
            Some(general) if belongs_to_none(&text) => general.push(text),
            _ => self.own.push(text),
        }
        Ok(())
    }

    fn raw(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for ForOne {
    fn drop(&mut self) {
        self.own.end();
    }
}

fn belongs_to_none(line: &str) -> bool {
    let start = &line[..line.floor_char_boundary(200)];
    start.contains("/list_changed\"") || start.contains("\"notifications/resources/updated\"")
}
