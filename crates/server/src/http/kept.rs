//! One stream of a legacy session: what was said on it, kept within bounds for a reader that is slow, gone or coming back.
//!
//! ```text
//!   say ──▶ [ 7 | 8 | 9 ] ──▶ one reader, from any number on
//!            ▲ the oldest go when there are too many and nobody reads;
//!              while somebody reads, whoever says more waits for them
//! ```
//!
//! A reader that comes takes the place of the one before: a connection that is dead without our knowledge keeps nobody out.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::Notify;

use super::body::Source;
use super::event;

/// How much of a stream is kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) events: usize,
    pub(super) bytes: usize,
}

/// One stream of a session.
#[derive(Debug)]
pub(super) struct Kept {
    /// What the ids of its events begin with.
    number: u64,
    bounds: Bounds,
    state: Mutex<State>,
    /// A reader has taken something, or nobody reads any more.
    room: Notify,
    /// Something was said, or it is over.
    said: Notify,
}

#[derive(Debug, Default)]
struct State {
    events: VecDeque<Bytes>,
    /// The number of the first event that is kept, counted from 1.
    first: u64,
    bytes: usize,
    /// How many events a reader has taken at least once, from the first one ever on.
    taken: u64,
    /// Nothing follows any more.
    over: bool,
    reader: Option<Reading>,
    readers: u64,
}

/// Whoever reads at present.
#[derive(Debug)]
struct Reading {
    which: u64,
    /// The number of the event that they read next.
    next: u64,
    waker: Option<Waker>,
}

/// Why somebody cannot read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Forgotten;

impl Kept {
    pub(super) fn new(number: u64, bounds: Bounds) -> Arc<Self> {
        let state = Mutex::new(State { first: 1, ..State::default() });
        Arc::new(Self { number, bounds, state, room: Notify::new(), said: Notify::new() })
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no holder panics")
    }

    /// Says a message, once a reader that is there has taken enough of what was said before.
    pub(super) async fn say(&self, message: Bytes) {
        loop {
            let mut room = std::pin::pin!(self.room.notified());
            room.as_mut().enable();
            {
                let mut state = self.state();
                if state.over {
                    return;
                }
                if state.has_room(self.bounds) {
                    state.push(message, self.bounds);
                    break;
                }
            }
            room.await;
        }
        self.said.notify_waiters();
    }

    /// Says the last message, which never waits.
    pub(super) fn finish(&self, last: Option<Bytes>) {
        let mut state = self.state();
        if let Some(last) = last {
            state.push(last, self.bounds);
        }
        state.over = true;
        state.wake();
        drop(state);
        self.room.notify_waiters();
        self.said.notify_waiters();
    }

    /// Waits until something is said, or nothing will be.
    pub(super) async fn begun(&self) {
        loop {
            let mut said = std::pin::pin!(self.said.notified());
            said.as_mut().enable();
            if !self.is_silent() {
                return;
            }
            said.await;
        }
    }

    /// Has the reader leave; the stream goes on, and somebody may come back for the rest.
    pub(super) fn dismiss(&self) {
        let reading = self.state().reader.take();
        if let Some(Reading { waker: Some(waker), .. }) = reading {
            waker.wake();
        }
        self.room.notify_waiters();
    }

    /// Whether nothing was said yet, and it is not over.
    fn is_silent(&self) -> bool {
        let state = self.state();
        state.first == 1 && state.events.is_empty() && !state.over
    }

    /// Whether it has come to its end, and nothing was ever said.
    pub(super) fn is_over_without_a_word(&self) -> bool {
        let state = self.state();
        state.over && state.first == 1 && state.events.is_empty()
    }

    /// The only message of a stream that is over, which no reader has to come for.
    pub(super) fn only_message(&self) -> Option<Bytes> {
        let state = self.state();
        let alone = state.over && state.first == 1 && state.events.len() == 1;
        alone.then(|| state.events[0].clone())
    }

    /// A reader of what no reader has taken yet, and the number of the last event that one has.
    pub(super) fn read_on(self: &Arc<Self>, retry: Duration) -> (u64, Reader) {
        let mut state = self.state();
        let behind = state.taken.max(state.first - 1);
        let reader = self.attach(&mut state, behind + 1, retry);
        (behind, reader)
    }

    /// A reader of everything behind an event.
    ///
    /// # Errors
    /// When something behind it is not kept any more, or was never said.
    pub(super) fn read(self: &Arc<Self>, behind: u64, retry: Duration) -> Result<Reader, Forgotten> {
        let mut state = self.state();
        let next = behind.checked_add(1).ok_or(Forgotten)?;
        if next < state.first || next > state.first + state.events.len() as u64 {
            return Err(Forgotten);
        }
        Ok(self.attach(&mut state, next, retry))
    }

    fn attach(self: &Arc<Self>, state: &mut State, next: u64, retry: Duration) -> Reader {
        state.wake();
        state.readers += 1;
        state.reader = Some(Reading { which: state.readers, next, waker: None });
        self.room.notify_waiters();
        Reader { stream: self.clone(), which: state.readers, beginning: None, retry, gone: false }
    }
}

impl State {
    fn push(&mut self, message: Bytes, bounds: Bounds) {
        self.bytes += message.len();
        self.events.push_back(message);
        while self.events.len() > 1
            && (self.events.len() > bounds.events || self.bytes > bounds.bytes)
            && self.reader.as_ref().is_none_or(|reader| reader.next > self.first)
        {
            let oldest = self.events.pop_front().expect("there are two");
            self.bytes -= oldest.len();
            self.first += 1;
        }
        self.wake();
    }

    /// Whether a reader has taken enough of what was said; it is kept for nobody who does not read.
    fn has_room(&self, bounds: Bounds) -> bool {
        let Some(reader) = &self.reader else { return true };
        let taken = usize::try_from(reader.next - self.first).unwrap_or(usize::MAX);
        let unread = self.events.iter().skip(taken);
        unread.len() < bounds.events && unread.map(Bytes::len).sum::<usize>() < bounds.bytes
    }

    fn wake(&mut self) {
        if let Some(waker) = self.reader.as_mut().and_then(|reader| reader.waker.take()) {
            waker.wake();
        }
    }
}

/// Reads a stream as events until its end, or until another reader comes.
pub(super) struct Reader {
    stream: Arc<Kept>,
    which: u64,
    beginning: Option<Bytes>,
    retry: Duration,
    gone: bool,
}

impl Reader {
    /// With a piece before all events.
    pub(super) fn beginning_with(mut self, beginning: Bytes) -> Self {
        self.beginning = Some(beginning);
        self
    }
}

impl Source for Reader {
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Some(beginning) = self.beginning.take() {
            return Poll::Ready(Some(beginning));
        }
        if self.gone {
            return Poll::Ready(None);
        }
        let mut state = self.stream.state();
        let State { events, first, taken, over, reader, .. } = &mut *state;
        let Some(reader) = reader.as_mut().filter(|reader| reader.which == self.which) else {
            // Who was sent away, and not for somebody else, is told when to come back.
            self.gone = true;
            let again = reader.is_none() && !*over;
            return Poll::Ready(again.then(|| event::retry(self.retry)));
        };
        let at = usize::try_from(reader.next - *first).expect("what is not read is kept");
        if let Some(message) = events.get(at) {
            let id = format!("{}-{}", self.stream.number, reader.next);
            *taken = (*taken).max(reader.next);
            reader.next += 1;
            let event = event::message(Some(&id), message);
            drop(state);
            self.stream.room.notify_waiters();
            return Poll::Ready(Some(event));
        }
        if *over {
            return Poll::Ready(None);
        }
        reader.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let mut state = self.stream.state();
        if state.reader.as_ref().is_some_and(|reader| reader.which == self.which) {
            state.reader = None;
        }
        drop(state);
        self.stream.room.notify_waiters();
    }
}

/// Stream and event that a `Last-Event-ID` names.
pub(super) fn place(id: &str) -> Option<(u64, u64)> {
    let (stream, event) = id.split_once('-')?;
    Some((stream.parse().ok()?, event.parse().ok()?))
}
