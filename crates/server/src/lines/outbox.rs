//! What has to leave.

use std::fmt;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::outlet::Gone;

/// What has to leave, one message a line. There is one writer for it; where the output takes bytes without waiting,
/// whoever has something to say writes it, so that no thread has to wake for it.
pub(crate) struct Outbox {
    state: Mutex<State>,
    /// How many bytes may wait before whoever has something to say waits too.
    limit: usize,
    direct: Option<Box<dyn Direct>>,
    /// The writer has something to do, or nothing any more.
    work: Notify,
    /// Something has left.
    room: Notify,
}

#[derive(Debug, Default)]
struct State {
    bytes: Vec<u8>,
    /// Somebody writes what came before `bytes`.
    writing: bool,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Open,
    /// Nothing more comes, and what is here leaves.
    Finishing,
    /// Nobody reads any more.
    Closed,
}

/// An output that says how much it takes without waiting.
pub(crate) trait Direct: Send + Sync {
    /// Writes as much as leaves without waiting; zero where nothing does.
    fn write_now(&self, bytes: &[u8]) -> io::Result<usize>;
}

impl Outbox {
    pub(crate) fn new(limit: usize, direct: Option<Box<dyn Direct>>) -> Self {
        Self { state: Mutex::default(), limit, direct, work: Notify::new(), room: Notify::new() }
    }

    /// Adds a message, and waits for room before that.
    pub(crate) async fn send(&self, message: Vec<u8>) -> Result<(), Gone> {
        loop {
            let notified = self.room.notified();
            tokio::pin!(notified);
            notified.as_mut().enable();
            {
                let mut state = self.state();
                if state.stage == Stage::Closed {
                    return Err(Gone);
                }
                if state.bytes.len() < self.limit {
                    add(&mut state.bytes, message);
                    break;
                }
            }
            notified.await;
        }
        self.leave();
        Ok(())
    }

    /// Adds a message without waiting.
    pub(crate) fn push(&self, message: &[u8]) {
        {
            let mut state = self.state();
            if state.stage == Stage::Closed {
                return;
            }
            state.bytes.extend_from_slice(message);
            state.bytes.push(b'\n');
        }
        self.leave();
    }

    /// Adds lines, each with its end, without waiting; they are gone from `lines`.
    pub(crate) fn append(&self, lines: &mut Vec<u8>) {
        if lines.is_empty() {
            return;
        }
        {
            let mut state = self.state();
            if state.stage == Stage::Closed {
                lines.clear();
                return;
            }
            if state.bytes.is_empty() {
                std::mem::swap(&mut state.bytes, lines);
            } else {
                state.bytes.append(lines);
            }
        }
        self.leave();
    }

    /// Whether there is room for more, or nobody is there to read it.
    pub(crate) fn has_room(&self) -> bool {
        let state = self.state();
        state.stage == Stage::Closed || state.bytes.len() < self.limit
    }

    /// Whether nobody is there to read.
    pub(crate) fn is_closed(&self) -> bool {
        self.state().stage == Stage::Closed
    }

    /// Waits for room; an error says that nobody reads any more.
    pub(crate) async fn room(&self) -> Result<(), Gone> {
        loop {
            let notified = self.room.notified();
            tokio::pin!(notified);
            notified.as_mut().enable();
            {
                let state = self.state();
                if state.stage == Stage::Closed {
                    return Err(Gone);
                }
                if state.bytes.len() < self.limit {
                    return Ok(());
                }
            }
            notified.await;
        }
    }

    /// Nothing more comes. What is here leaves.
    pub(crate) fn finish(&self) {
        let mut state = self.state();
        if state.stage == Stage::Open {
            state.stage = Stage::Finishing;
        }
        drop(state);
        self.work.notify_one();
    }

    /// Nobody reads any more.
    pub(crate) fn close(&self) {
        {
            let mut state = self.state();
            state.stage = Stage::Closed;
            state.bytes = Vec::new();
        }
        self.work.notify_one();
        self.room.notify_waiters();
    }

    /// Waits for something to write, which the writer tells by [`Self::wrote`] when it has left; `None` when nothing more
    /// comes.
    pub(crate) async fn next(&self) -> Option<Vec<u8>> {
        loop {
            {
                let mut state = self.state();
                if state.stage == Stage::Closed {
                    return None;
                }
                if !state.writing {
                    if !state.bytes.is_empty() {
                        state.writing = true;
                        return Some(std::mem::take(&mut state.bytes));
                    }
                    if state.stage == Stage::Finishing {
                        return None;
                    }
                }
            }
            self.work.notified().await;
        }
    }

    /// What [`Self::next`] gave has left.
    pub(crate) fn wrote(&self, mut written: Vec<u8>) {
        {
            let mut state = self.state();
            state.writing = false;
            if state.bytes.is_empty() && written.capacity() <= self.limit {
                written.clear();
                state.bytes = written;
            }
        }
        self.room.notify_waiters();
    }

    /// Has what is here leave: at once if possible, otherwise by the writer.
    fn leave(&self) {
        let Some(direct) = &self.direct else { return self.work.notify_one() };
        loop {
            let mut bytes = {
                let mut state = self.state();
                if state.writing || state.bytes.is_empty() {
                    return;
                }
                state.writing = true;
                std::mem::take(&mut state.bytes)
            };
            let mut written = 0;
            while written < bytes.len() {
                match direct.write_now(&bytes[written..]) {
                    Ok(0) => break,
                    Ok(count) => written += count,
                    Err(_) => return self.close(),
                }
            }
            if written == bytes.len() {
                self.wrote(bytes);
                continue;
            }
            {
                let mut state = self.state();
                bytes.drain(..written);
                bytes.append(&mut state.bytes);
                state.bytes = bytes;
                state.writing = false;
            }
            return self.work.notify_one();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn add(bytes: &mut Vec<u8>, mut message: Vec<u8>) {
    if bytes.is_empty() && bytes.capacity() < message.len() {
        message.push(b'\n');
        *bytes = message;
    } else {
        bytes.extend_from_slice(&message);
        bytes.push(b'\n');
    }
}

impl fmt::Debug for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outbox").field("limit", &self.limit).finish_non_exhaustive()
    }
}
