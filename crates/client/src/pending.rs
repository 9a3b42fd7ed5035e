//! A request that waits for its answer; dropping it cancels it.

use std::fmt;
use std::future::poll_fn;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use codewhale_mcp_session::{Ticket, Time};

use crate::request::OnProgress;
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
    /// It was sent a moment ago by whoever looks next, who will be woken and need not look before.
    was_just_sent: bool,
    exchange: Option<Exchange>,
}

/// The exchange of a request, which runs in the task that waits. Behind a lock that is never taken, because a future
/// need not be shareable.
struct Exchange(Mutex<Pin<Box<dyn Future<Output = ()> + Send>>>);

impl fmt::Debug for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Exchange")
    }
}

/// What came first.
#[derive(Debug)]
pub(crate) enum Step {
    /// The params of a progress notification, or a whole notification of a stream.
    Note(Bytes),
    Outcome(Outcome),
}

impl Pending {
    pub(crate) fn new(
        shared: Arc<Shared>,
        ticket: Ticket,
        key: u32,
        since: Time,
        was_just_sent: bool,
    ) -> Self {
        let (left, settled, exchange) = (Left::Nothing, false, None);
        Self { shared, ticket, key, since, left, settled, was_just_sent, exchange }
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

    /// It leaves in an exchange of its own.
    pub(crate) fn carried(mut self, exchange: Pin<Box<dyn Future<Output = ()> + Send>>) -> Self {
        self.exchange = Some(Exchange(Mutex::new(exchange)));
        self.sent()
    }

    pub(crate) fn next(&mut self) -> impl Future<Output = Step> {
        poll_fn(|context| self.poll(context))
    }

    /// What becomes of it. Whoever wants to know is told of progress.
    pub(crate) fn outcome(&mut self, on_progress: &mut OnProgress<'_>) -> impl Future<Output = Outcome> {
        poll_fn(|context| {
            loop {
                match ready!(self.poll(context)) {
                    Step::Outcome(outcome) => return Poll::Ready(outcome),
                    Step::Note(params) => {
                        if let (Some(handler), Ok(progress)) =
                            (&mut *on_progress, serde_json::from_slice(&params))
                        {
                            handler(progress);
                        }
                    }
                }
            }
        })
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Step> {
        if mem::take(&mut self.was_just_sent) {
            return Poll::Pending;
        }
        if self.exchange.is_some() {
            self.carry_on(context);
        }
        match self.shared.lock().poll(self.key, context.waker()) {
            None => Poll::Pending,
            Some(Err(note)) => Poll::Ready(Step::Note(note)),
            // Its place is free again.
            Some(Ok(outcome)) => {
                self.settled = true;
                Poll::Ready(Step::Outcome(outcome))
            }
        }
    }

    /// Kept apart: most requests have no exchange of their own.
    #[inline(never)]
    fn carry_on(&mut self, context: &mut Context<'_>) {
        // What the exchange brings is looked at right afterwards, so nobody has to be woken for it.
        self.shared.lock().waiters[self.key as usize].waker = None;
        if let Some(exchange) = &mut self.exchange {
            let exchange = exchange.0.get_mut().unwrap_or_else(PoisonError::into_inner);
            if exchange.as_mut().poll(context).is_ready() {
                self.exchange = None;
            }
        }
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
        let lost = || {
            let mut state = self.shared.lock();
            let notes = state.waiters[self.key as usize].notes.as_mut();
            notes.is_some_and(|notes| mem::take(&mut notes.missed))
        };
        !self.settled && lost()
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if !self.settled {
            self.shared.give_up(self.key, self.ticket, self.left);
        }
    }
}
