//! The caller at the other end, who can be asked.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use codewhale_mcp_protocol::Json;
use serde::Serialize;
use tokio::sync::oneshot;

use crate::wire::{Answer, Messages, Outbox};

/// The caller did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AskError {
    /// It says so.
    #[error("{0}")]
    Refused(String),
    /// It cannot answer any more.
    #[error("the input has ended, so nobody answers")]
    InputEnded,
}

/// The caller, for those who ask it. Clones are the same.
#[derive(Debug, Clone)]
pub(crate) struct Caller(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    outbox: Outbox,
    messages: Messages,
    next: AtomicU64,
    pending: Mutex<Pending>,
}

#[derive(Debug, Default)]
struct Pending {
    waiting: HashMap<String, oneshot::Sender<Result<Json, String>>>,
    ended: bool,
}

/// A question that nobody has answered. Dropped before that, the caller is told that it need not.
struct Open<'a> {
    caller: &'a Caller,
    id: String,
    /// Whether the caller knows of it.
    told: bool,
}

impl Caller {
    pub(crate) fn new(outbox: Outbox, messages: Messages) -> Self {
        Self(Arc::new(Inner { outbox, messages, next: AtomicU64::new(1), pending: Mutex::default() }))
    }

    /// Asks and waits for the answer, however long that takes. Dropping the future withdraws the question.
    pub(crate) async fn ask(&self, request: &impl Serialize) -> Result<Json, AskError> {
        let id = format!("cw_{}", self.0.next.fetch_add(1, Ordering::Relaxed));
        let (sender, receiver) = oneshot::channel();
        {
            let mut pending = self.pending();
            if pending.ended {
                return Err(AskError::InputEnded);
            }
            pending.waiting.insert(id.clone(), sender);
        }
        let mut open = Open { caller: self, id, told: false };
        self.0.outbox.push_in_turn(self.0.messages.request(&open.id, request)).await;
        open.told = true;
        match receiver.await {
            Ok(outcome) => outcome.map_err(AskError::Refused),
            Err(_) => Err(AskError::InputEnded),
        }
    }

    /// The caller answered. An answer that nobody waits for is dropped.
    pub(crate) fn answered(&self, answer: Answer) {
        if let Some(waiting) = self.pending().waiting.remove(&answer.id) {
            // Whoever waited may have left this moment.
            let _ = waiting.send(answer.outcome);
        }
    }

    /// No answer will come any more.
    pub(crate) fn end(&self) {
        let mut pending = self.pending();
        pending.ended = true;
        pending.waiting.clear();
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.0.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if self.caller.pending().waiting.remove(&self.id).is_some() && self.told {
            self.caller.0.outbox.push(self.caller.0.messages.cancel_request(&self.id));
        }
    }
}
