//! The tasks that serve connections, so that they can be ended.

use std::future::Future;
use std::sync::Arc;

use hyper::rt::Executor;
use tokio::sync::watch;

/// Runs the tasks of one set of connections. Closing drops them, and with each its connection.
#[derive(Debug)]
pub(super) struct Tasks {
    closed: watch::Sender<bool>,
    running: watch::Sender<usize>,
}

impl Tasks {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { closed: watch::Sender::new(false), running: watch::Sender::new(0) })
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
        let _ = self.running.subscribe().wait_for(|running| *running == 0).await;
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
            let tasks = Arc::clone(&running.0);
            tokio::select! {
                biased;
                () = tasks.closed() => {}
                _ = task => {}
            }
            drop(running);
        });
    }
}

/// Counts a task as long as it runs.
struct Running(Arc<Tasks>);

impl Running {
    fn one_more(tasks: &Arc<Tasks>) -> Self {
        tasks.running.send_modify(|running| *running += 1);
        Self(Arc::clone(tasks))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.send_modify(|running| *running -= 1);
    }
}
