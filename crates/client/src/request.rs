//! A request that is being put together, and the way it takes.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_protocol::{Era, ProgressParams, ReplyError};
use codewhale_mcp_session::Budget;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::client::Client;
use crate::error::CallError;
use crate::pending::{Pending, Step};
use crate::shared::{NotSent, Progress, Shared};
use crate::state::Outcome;

/// A request that has not been sent yet.
#[must_use = "a request is sent by `send`"]
pub struct Request<'a, P, R> {
    ask: Ask<'a, P>,
    on_progress: Option<Box<dyn FnMut(ProgressParams) + Send + 'a>>,
    result: PhantomData<fn() -> R>,
}

/// What is asked of whom.
#[derive(Debug)]
struct Ask<'a, P> {
    client: &'a Client,
    method: &'static str,
    params: P,
    budget: Budget,
}

impl<P: fmt::Debug, R> fmt::Debug for Request<'_, P, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request").field("ask", &self.ask).finish_non_exhaustive()
    }
}

impl<'a, P: Serialize, R: DeserializeOwned + ResultType> Request<'a, P, R> {
    pub(crate) fn new(client: &'a Client, method: &'static str, params: P, budget: Budget) -> Self {
        let ask = Ask { client, method, params, budget };
        Self { ask, on_progress: None, result: PhantomData }
    }

    /// The time the request may take, from now to its answer.
    pub fn timeout(mut self, total: Duration) -> Self {
        self.ask.budget.total = total;
        self
    }

    /// The longest silence; progress ends it.
    pub fn idle_timeout(mut self, idle: Duration) -> Self {
        self.ask.budget.idle = Some(idle);
        self
    }

    /// Calls `handler` for each progress notification, in the task that waits for the answer. When it does
    /// not keep up, the oldest notifications are lost.
    pub fn on_progress(mut self, handler: impl FnMut(ProgressParams) + Send + 'a) -> Self {
        self.on_progress = Some(Box::new(handler));
        self
    }

    /// Sends the request and waits for its result. Dropping the future cancels the request.
    ///
    /// # Errors
    /// [`CallError`] says who is to blame for what.
    pub async fn send(self) -> Result<R, CallError> {
        let Self { ask, mut on_progress, .. } = self;
        let progress = if on_progress.is_some() { Progress::Wanted } else { Progress::Unwanted };
        let mut pending = ask.submit(ask.client.shared(), progress).await?;
        let outcome = loop {
            match pending.next().await {
                Step::Outcome(outcome) => break outcome,
                Step::Progress(params) => {
                    if let (Some(handler), Ok(progress)) = (&mut on_progress, serde_json::from_slice(&params))
                    {
                        handler(progress);
                    }
                }
            }
        };
        drop(pending);
        ask.finish(outcome)
    }
}

impl<P: Serialize> Ask<'_, P> {
    async fn submit(&self, shared: &Arc<Shared>, progress: Progress) -> Result<Pending, CallError> {
        match shared.submit(self.method, &self.params, self.budget, progress) {
            Err(NotSent::NoRoom) => self.submit_when_there_is_room(shared, progress).await,
            other => other.map_err(|error| self.not_sent(error)),
        }
    }

    async fn submit_when_there_is_room(
        &self,
        shared: &Arc<Shared>,
        progress: Progress,
    ) -> Result<Pending, CallError> {
        let queue = InQueue::join(shared);
        let attempt = async {
            loop {
                let freed = shared.room.notified();
                match shared.submit(self.method, &self.params, self.budget, progress) {
                    Err(NotSent::NoRoom) => freed.await,
                    other => return other,
                }
            }
        };
        let waited = tokio::time::timeout(self.budget.total, attempt).await;
        drop(queue);
        shared.room.notify_one();
        match waited {
            Ok(sent) => sent.map_err(|error| self.not_sent(error)),
            Err(_) => Err(CallError::ServerTimedOut { method: self.method, after: self.budget.total }),
        }
    }

    fn not_sent(&self, error: NotSent) -> CallError {
        match error {
            NotSent::Encode(source) => CallError::CallerParamsInvalid { method: self.method, source },
            NotSent::Gone(gone) => CallError::ServerGone(gone),
            NotSent::ClosedHere | NotSent::NoRoom => CallError::ClosedHere,
        }
    }

    fn finish<R: DeserializeOwned + ResultType>(&self, outcome: Outcome) -> Result<R, CallError> {
        let method = self.method;
        let invalid = |reason| CallError::ServerReplyInvalid { method, reason };
        match outcome {
            Outcome::Reply(frame, reply) => match reply.decode::<R>(&frame) {
                Ok(result) => match result.result_type() {
                    Some(kind) if kind != "complete" && self.client.server().era() == Era::Modern => {
                        Err(invalid(format!("it has the unknown resultType {kind:?}")))
                    }
                    _ => Ok(result),
                },
                Err(ReplyError::Peer(error)) => Err(CallError::ServerError { method, error }),
                Err(other) => Err(invalid(other.to_string())),
            },
            Outcome::Broken(fault) => Err(invalid(fault.to_string())),
            Outcome::TimedOut(None) => Err(CallError::ServerTimedOut { method, after: self.budget.total }),
            Outcome::TimedOut(Some(after)) => Err(CallError::ServerSilent { method, after }),
            Outcome::Gone(gone) if self.client.is_closing() => {
                drop(gone);
                Err(CallError::ClosedHere)
            }
            Outcome::Gone(gone) => Err(CallError::ServerGone(gone)),
        }
    }
}

/// Counts the requests that wait for room, so that nobody is woken for nothing.
struct InQueue<'a>(&'a Shared);

impl<'a> InQueue<'a> {
    fn join(shared: &'a Shared) -> Self {
        shared.lock().waiting_for_room += 1;
        Self(shared)
    }
}

impl Drop for InQueue<'_> {
    fn drop(&mut self) {
        self.0.lock().waiting_for_room -= 1;
    }
}

/// A result that may say how it is to be read (MCP 2026-07-28, basic/index).
pub trait ResultType {
    /// The `resultType` member; absent means `complete`.
    fn result_type(&self) -> Option<&str>;
}

impl ResultType for codewhale_mcp_protocol::ListToolsResult {
    fn result_type(&self) -> Option<&str> {
        self.result_type.as_deref()
    }
}

impl ResultType for codewhale_mcp_protocol::CallToolResult {
    fn result_type(&self) -> Option<&str> {
        self.result_type.as_deref()
    }
}

impl ResultType for serde::de::IgnoredAny {
    fn result_type(&self) -> Option<&str> {
        None
    }
}
