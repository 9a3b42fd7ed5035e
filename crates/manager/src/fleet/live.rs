//! A connection in use, and who uses it.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use std::time::Duration;

use codewhale_mcp_client::Client;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::logs::Log;

/// How long those who use a connection may take to notice that it closes.
const NOTICE: Duration = Duration::from_secs(1);

/// A connection in use.
#[derive(Debug)]
pub(super) struct Live {
    pub(super) attempt: u64,
    pub(super) client: Client,
    pub(super) log: Log,
    uses: Mutex<Uses>,
    /// Told when the last use of what closes is over.
    unused: Notify,
    succeeded: AtomicBool,
}

/// Who uses a connection: each has a place, and is woken when it closes.
#[derive(Debug, Default)]
struct Uses {
    wakers: Vec<Option<Waker>>,
    free: Vec<usize>,
    closing: bool,
}

/// A request that is being made.
pub(super) struct Use<'a> {
    live: &'a Live,
    place: usize,
}

impl Live {
    pub(super) fn new(attempt: u64, client: Client, log: Log) -> Self {
        let (uses, unused, succeeded) = (Mutex::default(), Notify::new(), AtomicBool::new(false));
        Self { attempt, client, log, uses, unused, succeeded }
    }

    /// Begins a use, which has to outlive its request: what was given up has been told to the server when the last use is
    /// over.
    pub(super) fn begin(&self) -> Use<'_> {
        let mut uses = self.uses();
        let place = uses.free.pop().unwrap_or_else(|| {
            uses.wakers.push(None);
            uses.wakers.len() - 1
        });
        Use { live: self, place }
    }

    /// Whether this is the first request that succeeds.
    pub(super) fn first_success(&self) -> bool {
        !self.succeeded.load(Ordering::Relaxed) && !self.succeeded.swap(true, Ordering::Relaxed)
    }

    /// Has every request given up, and waits until all are.
    pub(super) async fn drain(&self) {
        let wakers: Vec<Waker> = {
            let mut uses = self.uses();
            uses.closing = true;
            uses.wakers.iter_mut().filter_map(Option::take).collect()
        };
        wakers.into_iter().for_each(Waker::wake);
        let unused = async {
            loop {
                let unused = self.unused.notified();
                if self.uses().are_over() {
                    return;
                }
                unused.await;
            }
        };
        let _ = timeout(NOTICE, unused).await;
    }

    fn uses(&self) -> MutexGuard<'_, Uses> {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Uses {
    fn are_over(&self) -> bool {
        self.free.len() == self.wakers.len()
    }
}

impl Use<'_> {
    /// Makes a request. `None` if it is to be given up, because the connection closes.
    pub(super) async fn unless_closing<T>(&self, mut request: impl Future<Output = T> + Unpin) -> Option<T> {
        poll_fn(|context| match Pin::new(&mut request).poll(context) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending if self.is_closing(context.waker()) => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        })
        .await
    }

    /// Whether the connection closes; if not, `waker` is woken when it does.
    fn is_closing(&self, waker: &Waker) -> bool {
        let mut uses = self.live.uses();
        if uses.closing {
            return true;
        }
        match &mut uses.wakers[self.place] {
            Some(known) if known.will_wake(waker) => {}
            place => *place = Some(waker.clone()),
        }
        false
    }
}

impl Drop for Use<'_> {
    fn drop(&mut self) {
        let mut uses = self.live.uses();
        uses.wakers[self.place] = None;
        uses.free.push(self.place);
        if uses.closing && uses.are_over() {
            self.live.unused.notify_waiters();
        }
    }
}
