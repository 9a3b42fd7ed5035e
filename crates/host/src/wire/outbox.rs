//! Lines on their way out, written by a thread of their own: a write to a full pipe blocks.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// How many bytes may wait before whoever can wait does.
const ROOM: usize = 8 << 20;

/// How many bytes may wait before nothing more is taken in that would have to be answered.
const CROWDED: usize = 64 << 20;

/// Where lines are left that are to leave. Clones share it.
///
/// Nobody who leaves a line is held up by a reader that does not read. Whoever makes many asks for
/// [`room`](Self::room) first.
#[derive(Debug, Clone)]
pub(crate) struct Outbox(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// Lines came, or no more will.
    filled: Condvar,
    /// Lines left, or none can any more.
    emptied: Notify,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<String>,
    /// Of the lines that wait and the one that is being written.
    bytes: usize,
    /// No line will come.
    closed: bool,
    /// How the output failed.
    failed: Option<io::ErrorKind>,
    /// The thread has ended.
    ended: bool,
}

impl Outbox {
    /// Lines leave through `output`.
    ///
    /// # Errors
    /// When there can be no thread.
    pub(crate) fn start(output: Box<dyn Write + Send>) -> io::Result<Self> {
        let shared =
            Arc::new(Shared { state: Mutex::default(), filled: Condvar::new(), emptied: Notify::new() });
        let theirs = shared.clone();
        std::thread::Builder::new().name("output".into()).spawn(move || write_lines(output, &theirs))?;
        Ok(Self(shared))
    }

    /// Leaves a line, the end of it apart. Never waits.
    pub(crate) fn push(&self, line: String) {
        self.lock().push(line);
        self.0.filled.notify_one();
    }

    /// Waits until not too much waits to leave, or nothing can leave any more.
    pub(crate) async fn room(&self) {
        self.until(|state| state.has_room()).await;
    }

    /// Leaves a line when not too much waits to leave. Of many who do that at once one goes after the other.
    pub(crate) async fn push_in_turn(&self, line: String) {
        let mut line = Some(line);
        self.until(move |state| {
            let has_room = state.has_room();
            if let Some(line) = line.take_if(|_| has_room) {
                state.push(line);
                self.0.filled.notify_one();
            }
            has_room
        })
        .await;
    }

    /// Whether not too much waits to leave.
    pub(crate) fn has_room(&self) -> bool {
        self.lock().has_room()
    }

    /// Waits until what waits to leave is not far too much, or nothing can leave any more.
    pub(crate) async fn not_crowded(&self) {
        self.until(|state| state.bytes < CROWDED || state.failed.is_some()).await;
    }

    /// Waits until nothing can leave any more because nobody reads, and says how that came.
    pub(crate) async fn failed(&self) -> io::ErrorKind {
        self.until(|state| state.failed.is_some()).await;
        self.lock().failed.unwrap_or(io::ErrorKind::BrokenPipe)
    }

    /// Takes no more lines, waits until all have left or cannot, and says how it came if they cannot.
    pub(crate) async fn close(&self) -> Option<io::ErrorKind> {
        self.lock().closed = true;
        self.0.filled.notify_one();
        self.until(|state| state.ended).await;
        self.lock().failed
    }

    async fn until(&self, mut is_so: impl FnMut(&mut State) -> bool) {
        loop {
            let emptied = self.0.emptied.notified();
            tokio::pin!(emptied);
            // Before the look, so that nothing that happens after it is missed.
            emptied.as_mut().enable();
            if is_so(&mut self.lock()) {
                return;
            }
            emptied.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock()
    }
}

impl State {
    fn push(&mut self, line: String) {
        if !self.closed && self.failed.is_none() {
            self.bytes += line.len() + 1;
            self.lines.push_back(line);
        }
    }

    fn has_room(&self) -> bool {
        self.bytes < ROOM || self.failed.is_some()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lines that wait; waits for some.
    fn take(&self) -> Option<Vec<String>> {
        let waits = |state: &mut State| state.lines.is_empty() && !state.closed;
        let state = self.filled.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner);
        let mut state = state;
        let lines: Vec<String> = state.lines.drain(..).collect();
        (!lines.is_empty()).then_some(lines)
    }
}

fn write_lines(mut output: Box<dyn Write + Send>, shared: &Shared) {
    while let Some(lines) = shared.take() {
        for mut line in lines {
            line.push('\n');
            let written = output.write_all(line.as_bytes()).and_then(|()| output.flush());
            let mut state = shared.lock();
            state.bytes -= line.len();
            if let Err(error) = written {
                state.failed = Some(error.kind());
                state.ended = true;
            }
            drop(state);
            shared.emptied.notify_waiters();
            if shared.lock().failed.is_some() {
                return;
            }
        }
    }
    shared.lock().ended = true;
    shared.emptied.notify_waiters();
}
