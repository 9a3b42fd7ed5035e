//! Requests that leave before anybody waits for their answer.

use codewhale_mcp_protocol::Reply;
use serde::Serialize;

use crate::error::CallError;
use crate::pending::Pending;
use crate::request::Request;
use crate::result::RequestResult;
use crate::state::{Outcome, Wants};

/// A request that has left. Dropping it cancels it.
pub(crate) struct Early {
    pending: Pending,
    /// How often its kind had changed then.
    change: u64,
}

impl<P: Serialize, R: RequestResult> Request<'_, P, R> {
    /// Sends the request now, where that takes no waiting and no exchange of its own, and no kept result will do.
    pub(crate) fn send_early(&self) -> Option<Early> {
        let shared = self.ask.client.shared();
        if shared.lane_if_any().is_some() {
            return None;
        }
        let change = match self.ask.cached() {
            None => 0,
            Some(key) => self.ask.kept::<R>(key).err()?,
        };
        let pending = self.ask.submit_now(self.ask.budget, None, Wants::Answer, None).ok()?;
        Some(Early { pending, change })
    }

    /// As [`send`](Self::send), for a request that may have been sent early. `before` is shown the result before it is
    /// read, if the request was one.
    pub(crate) async fn send_on<T>(
        mut self,
        early: Option<Early>,
        before: impl FnOnce(&[u8]) -> T,
    ) -> Result<(R, Option<T>), CallError> {
        let Some(Early { mut pending, change }) = early.or_else(|| self.send_early()) else {
            return Ok((self.send().await?, None));
        };
        let outcome = pending.outcome(&mut self.on_progress).await;
        let seen = match &outcome {
            Outcome::Reply(frame, Reply::Unread(range) | Reply::Result(range)) => {
                Some(before(&frame[range.clone()]))
            }
            _ => None,
        };
        let result = match self.ask.conclude(outcome, change)? {
            Ok(result) => result,
            Err(unfinished) => {
                Box::pin(self.ask.finish(unfinished, pending.since(), self.on_progress)).await?
            }
        };
        Ok((result, seen))
    }
}
