//! What is to happen later.

use tokio::task::AbortHandle;
use tokio::time::sleep_until;

use super::handle::Fleet;
use crate::supervisor::{Fact, Time};

/// A moment at which a server is looked at again. Dropped, it is not.
#[derive(Debug)]
pub(super) struct Timer {
    pub(super) due: Time,
    task: AbortHandle,
}

impl Timer {
    pub(super) fn new(fleet: &Fleet, server: &str, due: Time) -> Self {
        let (moment, server, fleet) = (fleet.moment(due), server.to_owned(), fleet.downgrade());
        let task = tokio::spawn(async move {
            sleep_until(moment).await;
            if let Some(fleet) = fleet.upgrade().map(Fleet) {
                fleet.tell(&server, Fact::Due);
            }
        });
        Self { due, task: task.abort_handle() }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.task.abort();
    }
}
