//! What a fake has seen, for the test that asks or waits for it.

use super::request::HttpRequest;
use crate::out::Heard;
use std::future::poll_fn;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

/// How long a thread waits before it says that nothing happened.
const PATIENCE: Duration = Duration::from_secs(60);

/// Everything since the fake was first started.
#[derive(Default)]
pub(crate) struct Log {
    held: Mutex<Held>,
    changed: Condvar,
}

#[derive(Default)]
struct Held {
    requests: Vec<HttpRequest>,
    notes: Vec<String>,
    runs: u64,
    connections: u64,
    open: usize,
    wakers: Vec<Waker>,
}

impl Log {
    /// The server starts; returns how often it has.
    pub(crate) fn started(&self) -> u64 {
        let mut held = self.held();
        held.runs += 1;
        held.runs
    }

    /// A new connection; returns its number.
    pub(crate) fn opened(&self) -> u64 {
        let mut held = self.held();
        held.connections += 1;
        held.open += 1;
        let number = held.connections;
        self.wake(held);
        number
    }

    pub(crate) fn closed(&self) {
        let mut held = self.held();
        held.open -= 1;
        self.wake(held);
    }

    pub(crate) fn request(&self, request: HttpRequest) {
        let mut held = self.held();
        held.requests.push(request);
        self.wake(held);
    }

    pub(crate) fn requests(&self) -> Vec<HttpRequest> {
        self.held().requests.clone()
    }

    pub(crate) fn notes(&self) -> Vec<String> {
        self.held().notes.clone()
    }

    pub(crate) fn connections(&self) -> u64 {
        self.held().connections
    }

    pub(crate) fn open(&self) -> usize {
        self.held().open
    }

    /// Blocks this thread until it is so.
    pub(crate) fn wait(&self, mut is_so: impl FnMut() -> bool) {
        let end = Instant::now() + PATIENCE;
        while !is_so() {
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "what was awaited has not happened; seen so far: {:#?}", self.notes());
            // Whatever happens between the look and the wait is seen at the next look.
            let held = self.held();
            drop(self.changed.wait_timeout(held, left.min(Duration::from_millis(20))));
        }
    }

    /// Completes when it is so.
    pub(crate) async fn until(&self, mut is_so: impl FnMut() -> bool) {
        poll_fn(|context| {
            self.held().wakers.push(context.waker().clone());
            if is_so() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().expect("no holder panics")
    }

    fn wake(&self, mut held: MutexGuard<'_, Held>) {
        let wakers = std::mem::take(&mut held.wakers);
        drop(held);
        self.changed.notify_all();
        wakers.into_iter().for_each(Waker::wake);
    }
}

impl Heard for Log {
    fn note(&self, kind: &str, line: &[u8]) {
        let mut held = self.held();
        held.notes.push(format!("{kind} {}", String::from_utf8_lossy(line)));
        self.wake(held);
    }
}
