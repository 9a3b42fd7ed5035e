//! An input that is read before it is wanted, so that its end is known while its reader waits for something else.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long a client whose input is at its end may take nothing, while there is no room for more.
pub(super) const LOOK: Duration = Duration::from_millis(100);

/// What a thread of its own has read. Clones are the same input.
#[derive(Clone)]
pub(super) struct Ahead(Arc<Shared>);

struct Shared {
    /// How much is read before it is wanted.
    most: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    read: VecDeque<u8>,
    /// How it came to its end.
    over: Option<io::Result<()>>,
    /// Nobody wants to read any more.
    left: bool,
}

impl Ahead {
    /// Begins to read, at most so much before it is wanted.
    pub(super) fn of<R: Read + Send + 'static>(input: R, most: usize) -> io::Result<Self> {
        let ahead = Self(Arc::new(Shared { most, state: Mutex::default(), changed: Condvar::new() }));
        let theirs = ahead.clone();
        thread::Builder::new().name("mcp read ahead".into()).spawn(move || theirs.fill(input))?;
        Ok(ahead)
    }

    /// Whether the input has come to its end.
    pub(super) fn is_over(&self) -> bool {
        self.state().over.is_some()
    }

    /// Nothing more is wanted.
    pub(super) fn leave(&self) {
        self.state().left = true;
        self.0.changed.notify_all();
    }

    fn fill(&self, mut input: impl Read) {
        let mut bytes = vec![0; 64 << 10];
        loop {
            let read = input.read(&mut bytes);
            let mut state = self.state();
            match read {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Ok(0) => state.over = Some(Ok(())),
                Err(error) => state.over = Some(Err(error)),
                Ok(count) => state.read.extend(&bytes[..count]),
            }
            let ended = state.over.is_some();
            self.0.changed.notify_all();
            while state.read.len() >= self.0.most && !state.left {
                state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if ended || state.left {
                return;
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Read for Ahead {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut state = self.state();
        loop {
            if !state.read.is_empty() {
                let count = state.read.read(into);
                self.0.changed.notify_all();
                return count;
            }
            if state.left {
                return Ok(0);
            }
            match &mut state.over {
                Some(how) => return std::mem::replace(how, Ok(())).map(|()| 0),
                None => state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}
