//! The handle of a running process.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use crate::stderr::Tail;
use crate::watcher::Facts;
use crate::{Exit, Ladder};

/// A started process and the group that it leads. Clones are the same process.
///
/// When the last clone is dropped without a [`stop`](Self::stop), the process is taken down the default
/// [`Ladder`] in the background. When the runtime itself goes, its group is ended with `SIGKILL` at once.
#[derive(Clone)]
pub struct Process {
    pid: u32,
    orders: Arc<watch::Sender<Option<Ladder>>>,
    facts: watch::Receiver<Facts>,
    tail: Arc<Mutex<Tail>>,
}

impl Process {
    pub(crate) fn new(
        pid: u32,
        orders: watch::Sender<Option<Ladder>>,
        facts: watch::Receiver<Facts>,
        tail: Arc<Mutex<Tail>>,
    ) -> Self {
        Self { pid, orders: Arc::new(orders), facts, tail }
    }

    /// The process's number, which is its group's number too.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// How it ended, if it has.
    pub fn exit(&self) -> Option<Exit> {
        self.facts.borrow().exit.clone()
    }

    /// Waits until the process has left and says how. What it wrote to standard error before is in
    /// [`last_lines`](Self::last_lines) by then. Descendants that outlive it are told to leave, but not waited for
    /// here.
    pub async fn exited(&self) -> Exit {
        self.known(|facts| facts.exit.is_some()).await
    }

    /// Takes the process down the ladder and waits until nobody of its group is left. May be called any number of
    /// times, also at the same time: the first ladder holds.
    ///
    /// The ladder's first step is that standard input closes, so [`Stdin`](crate::Stdin) must have been dropped.
    pub async fn stop(&self, ladder: Ladder) -> Exit {
        self.orders.send_if_modified(|order| {
            let first = order.is_none();
            order.get_or_insert(ladder);
            first
        });
        self.known(|facts| facts.empty).await
    }

    /// The last lines of standard error, oldest first, as they came: at most 200 lines and 64 KiB, each line cut
    /// at 4 KiB, bytes that are not UTF-8 replaced.
    pub fn last_lines(&self) -> Vec<String> {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner).to_vec()
    }

    async fn known(&self, enough: impl FnMut(&Facts) -> bool) -> Exit {
        let mut facts = self.facts.clone();
        // An error means that the runtime took the watching task away; what it had found out still holds.
        let _ = facts.wait_for(enough).await;
        let exit = facts.borrow().exit.clone();
        exit.unwrap_or(Exit::Unknown("its runtime was shut down"))
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Process").field("pid", &self.pid).field("exit", &self.exit()).finish_non_exhaustive()
    }
}
