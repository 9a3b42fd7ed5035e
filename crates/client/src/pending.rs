//! A request that waits for its answer; dropping it cancels it.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use bytes::Bytes;
use codewhale_mcp_session::Ticket;

use crate::shared::{Left, Shared};
use crate::state::Outcome;

/// A request that waits for its answer; dropping it cancels it.
#[derive(Debug)]
pub(crate) struct Pending {
    shared: Arc<Shared>,
    ticket: Ticket,
    key: u32,
    left: Left,
    settled: bool,
}

/// What came first.
#[derive(Debug)]
pub(crate) enum Step {
    /// The params of a progress notification.
    Progress(Bytes),
    Outcome(Outcome),
}

impl Pending {
    pub(crate) fn new(shared: Arc<Shared>, ticket: Ticket, key: u32) -> Self {
        Self { shared, ticket, key, left: Left::Nothing, settled: false }
    }

    pub(crate) fn ticket(&self) -> Ticket {
        self.ticket
    }

    pub(crate) fn key(&self) -> u32 {
        self.key
    }

    pub(crate) fn sent(mut self) -> Self {
        self.left = Left::Frame;
        self
    }

    pub(crate) async fn next(&mut self) -> Step {
        poll_fn(|context| match self.shared.lock().poll(self.key, context.waker()) {
            None => Poll::Pending,
            Some(Err(progress)) => Poll::Ready(Step::Progress(progress)),
            Some(Ok(outcome)) => {
                self.settled = true;
                Poll::Ready(Step::Outcome(outcome))
            }
        })
        .await
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if self.settled {
            self.shared.lock().remove_waiter(self.key);
        } else {
            self.shared.give_up(self.key, self.ticket, self.left);
        }
    }
}
