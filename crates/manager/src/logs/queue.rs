//! A bounded queue between those who never wait and one thread that does the work.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The most items that wait.
const ROOM: usize = 1024;
/// The most items that are taken at one time, so that one write stays small.
const BATCH: usize = 64;

/// A bounded queue.
pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    items: VecDeque<T>,
    /// What was taken last is not done yet.
    busy: bool,
    closed: bool,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        let state = State { items: VecDeque::new(), busy: false, closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }
}

impl<T> Queue<T> {
    /// Adds an item; false if there is no room or nobody works any more.
    pub(super) fn push(&self, item: T) -> bool {
        let mut state = self.lock();
        let taken = !state.closed && state.items.len() < ROOM;
        if taken {
            state.items.push_back(item);
            self.changed.notify_all();
        }
        taken
    }

    /// Some items, or `None` once the queue is closed and empty. To call it again says that the last ones are done.
    pub(super) fn take(&self) -> Option<Vec<T>> {
        let mut state = self.lock();
        state.busy = false;
        self.changed.notify_all();
        let waiting = |state: &mut State<T>| state.items.is_empty() && !state.closed;
        state = self.changed.wait_while(state, waiting).unwrap_or_else(PoisonError::into_inner);
        let count = state.items.len().min(BATCH);
        state.busy = count > 0;
        let items: Vec<T> = state.items.drain(..count).collect();
        (!items.is_empty()).then_some(items)
    }

    /// Waits until everything is done, at most for `limit`.
    pub(super) fn wait_idle(&self, limit: Duration) {
        let busy = |state: &mut State<T>| state.busy || !state.items.is_empty();
        let _ = self.changed.wait_timeout_while(self.lock(), limit, busy);
    }

    /// Takes no more items.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_refuses_and_a_closed_one_gives_what_it_has() {
        let queue = Queue::default();
        assert_eq!((0..ROOM + 10).filter(|item| queue.push(*item)).count(), ROOM);
        queue.close();
        assert!(!queue.push(0));
        let taken: Vec<usize> = std::iter::from_fn(|| queue.take()).flatten().collect();
        assert_eq!(taken, (0..ROOM).collect::<Vec<_>>());
    }
}
