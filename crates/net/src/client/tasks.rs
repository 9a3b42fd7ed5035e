//! The tasks that serve connections, so that they can be ended.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hyper::rt::Executor;
use tokio::sync::{Notify, watch};

/// Runs the tasks of one set of connections. Closing drops them, and with each its connection.
#[derive(Debug)]
pub(super) struct Tasks {
    closed: watch::Sender<bool>,
    running: AtomicUsize,
    /// Said when the last one has ended after closing.
    none_left: Notify,
}

impl Tasks {
    pub(super) fn new() -> Arc<Self> {
        let (closed, running) = (watch::Sender::new(false), AtomicUsize::new(0));
        Arc::new(Self { closed, running, none_left: Notify::new() })
    }

    pub(super) fn is_closed(&self) -> bool {
        *self.closed.borrow()
    }

    /// Waits until it is closed.
    pub(super) async fn closed(&self) {
        // The sender lives as long as we do.
        let _ = self.closed.subscribe().wait_for(|closed| *closed).await;
    }

    /// Ends all tasks, now and later, and waits until none is left.
    pub(super) async fn close(&self) {
        self.closed.send_replace(true);
        loop {
            let mut none_left = std::pin::pin!(self.none_left.notified());
            none_left.as_mut().enable();
            if self.running.load(Ordering::SeqCst) == 0 {
                return;
            }
            none_left.await;
        }
    }
}

/// Spawns onto [`Tasks`]. It keeps nothing alive but them.
#[derive(Debug, Clone)]
pub(super) struct Spawner(pub(super) Arc<Tasks>);

impl<F> Executor<F> for Spawner
where
    F: Future + Send + 'static,
    F::Output: Send,
{
    fn execute(&self, task: F) {
        let running = Running::one_more(&self.0);
        tokio::spawn(async move {
            tokio::select! {
                biased;
                () = running.0.closed() => {}
                _ = task => {}
            }
            // The connection is gone before it counts as gone.
            drop(running);
        });
    }
}

/// Counts a task as long as it runs.
struct Running(Arc<Tasks>);

impl Running {
    fn one_more(tasks: &Arc<Tasks>) -> Self {
        tasks.running.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(tasks))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Whoever closes looks at the number after closing, so one of the two sees the other.
        if self.0.running.fetch_sub(1, Ordering::SeqCst) == 1 && self.0.is_closed() {
            self.0.none_left.notify_waiters();
        }
    }
}
