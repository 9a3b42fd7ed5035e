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
    /// Something has left, or found room: whoever reads the input may go on.
    calm: Notify,
}

#[derive(Debug, Default)]
struct State {
    bytes: Vec<u8>,
    /// The bytes of messages that wait for room.
    waiting: usize,
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
        Self {
            state: Mutex::default(),
            limit,
            direct,
            work: Notify::new(),
            room: Notify::new(),
            calm: Notify::new(),
        }
    }

    /// From how many bytes on there is no room.
    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// Adds a message, and waits for room before that.
    pub(crate) async fn send(&self, message: Vec<u8>) -> Result<(), Gone> {
        let mut waiting = None;
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
                if waiting.is_none() {
                    state.waiting += message.len();
                    waiting = Some(Waiting { outbox: self, bytes: message.len() });
                }
            }
            notified.await;
        }
        drop(waiting);
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

    /// Whether there is room for more behind so many bytes and all that waits, or nobody is there to read it.
    pub(crate) fn has_room_for(&self, bytes: usize) -> bool {
        let state = self.state();
        state.stage == Stage::Closed || self.is_calm(&state, bytes)
    }

    fn is_calm(&self, state: &State, bytes: usize) -> bool {
        state.bytes.len().saturating_add(state.waiting).saturating_add(bytes) < self.limit
    }

    /// Whether nobody is there to read.
    pub(crate) fn is_closed(&self) -> bool {
        self.state().stage == Stage::Closed
    }

    /// Waits for room for more, with all that waits for it; an error says that nobody reads any more. Only whoever reads
    /// the input waits here.
    pub(crate) async fn room(&self) -> Result<(), Gone> {
        loop {
            {
                let state = self.state();
                if state.stage == Stage::Closed {
                    return Err(Gone);
                }
                if self.is_calm(&state, 0) {
                    return Ok(());
                }
            }
            self.calm.notified().await;
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
        self.calm.notify_one();
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
        self.calm.notify_one();
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

/// A message that waits for room.
struct Waiting<'a> {
    outbox: &'a Outbox,
    bytes: usize,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.outbox.state().waiting -= self.bytes;
        self.outbox.calm.notify_one();
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::task::yield_now;

    use super::*;

    #[tokio::test]
    async fn a_message_that_waits_leaves_no_room_for_more_input() {
        let outbox = Arc::new(Outbox::new(10, None));
        outbox.send(vec![b'x'; 20]).await.unwrap();
        let send = |byte| {
            let outbox = Arc::clone(&outbox);
            tokio::spawn(async move { outbox.send(vec![byte; 20]).await })
        };
        let (waits, leaves) = (send(b'y'), send(b'z'));
        yield_now().await;
        let first = outbox.next().await.unwrap();
        assert!(!outbox.has_room_for(0), "two wait");
        leaves.abort();
        assert!(leaves.await.unwrap_err().is_cancelled());
        assert!(!outbox.has_room_for(0), "one waits");
        outbox.wrote(first);
        waits.await.unwrap().unwrap();
        assert_eq!(outbox.next().await.unwrap().len(), 21);
        assert!(outbox.has_room_for(9) && !outbox.has_room_for(10));
        outbox.room().await.unwrap();
    }
}
