//! How many answers are still under way.

use std::sync::Arc;

use tokio::sync::watch;

/// How many answers are still under way: not there yet, or not handed to the outbox.
#[derive(Debug, Default)]
pub(super) struct Busy(watch::Sender<usize>);

/// One of them, until this is dropped.
#[derive(Debug)]
pub(super) struct Answering(Arc<Busy>);

impl Busy {
    /// One more.
    pub(super) fn begin(self: &Arc<Self>) -> Answering {
        self.0.send_modify(|count| *count += 1);
        Answering(Arc::clone(self))
    }

    /// Waits until there is none.
    pub(super) async fn idle(&self) {
        // The sender is this.
        let _ = self.0.subscribe().wait_for(|count| *count == 0).await;
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.0.send_modify(|count| *count -= 1);
    }
}
