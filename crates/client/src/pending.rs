//! A request that waits for its answer; dropping it cancels it.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use bytes::Bytes;
use codewhale_mcp_session::{Ticket, Time};

use crate::shared::{Left, Shared};
use crate::state::Outcome;

/// A request that waits for its answer; dropping it cancels it.
#[derive(Debug)]
pub(crate) struct Pending {
    shared: Arc<Shared>,
    ticket: Ticket,
    key: u32,
    since: Time,
    left: Left,
    settled: bool,
}

/// What came first.
#[derive(Debug)]
pub(crate) enum Step {
    /// The params of a progress notification, or a whole notification of a stream.
    Note(Bytes),
    Outcome(Outcome),
}

impl Pending {
    pub(crate) fn new(shared: Arc<Shared>, ticket: Ticket, key: u32, since: Time) -> Self {
        Self { shared, ticket, key, since, left: Left::Nothing, settled: false }
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
            Some(Err(note)) => Poll::Ready(Step::Note(note)),
            Some(Ok(outcome)) => {
                self.settled = true;
                Poll::Ready(Step::Outcome(outcome))
            }
        })
        .await
    }

    pub(crate) fn is_settled(&self) -> bool {
        self.settled
    }

    /// When it was sent.
    pub(crate) fn since(&self) -> Time {
        self.since
    }

    /// Whether notes were lost since this was asked the last time.
    pub(crate) fn missed(&self) -> bool {
        std::mem::take(&mut self.shared.lock().waiters[self.key as usize].missed)
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
