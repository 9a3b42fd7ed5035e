//! A connection in use, and who uses it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use codewhale_mcp_client::Client;
use tokio::sync::watch;
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
    uses: watch::Sender<usize>,
    closing: watch::Sender<bool>,
    succeeded: AtomicBool,
}

/// A request that is being made.
#[derive(Debug)]
pub(super) struct Use(Arc<Live>);

impl Live {
    pub(super) fn new(attempt: u64, client: Client, log: Log) -> Self {
        let (uses, closing) = (watch::Sender::new(0), watch::Sender::new(false));
        Self { attempt, client, log, uses, closing, succeeded: AtomicBool::new(false) }
    }

    pub(super) fn begin(self: &Arc<Self>) -> Use {
        self.uses.send_modify(|uses| *uses += 1);
        Use(self.clone())
    }

    /// Whether this is the first request that succeeds.
    pub(super) fn first_success(&self) -> bool {
        !self.succeeded.load(Ordering::Relaxed) && !self.succeeded.swap(true, Ordering::Relaxed)
    }

    /// Comes true when requests are to be given up.
    pub(super) async fn closing(&self) {
        // The sender lives as long as this does.
        let _ = self.closing.subscribe().wait_for(|closing| *closing).await;
    }

    /// Has every request given up, and waits until all are.
    pub(super) async fn drain(&self) {
        self.closing.send_replace(true);
        let _ = timeout(NOTICE, self.uses.subscribe().wait_for(|uses| *uses == 0)).await;
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        self.0.uses.send_modify(|uses| *uses -= 1);
    }
}
