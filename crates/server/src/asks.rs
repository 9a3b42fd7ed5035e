//! Our requests to a legacy client, until it answers.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use codewhale_mcp_protocol::{CancelledParams, ErrorObject, Json, method};
use tokio::sync::oneshot;

use crate::outlet::Outlet;
use crate::{InputError, wire};

/// Our requests to one client.
#[derive(Debug, Default)]
pub(crate) struct Asks(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    next: u64,
    waiting: HashMap<u64, oneshot::Sender<Result<Json, ErrorObject>>>,
    ended: bool,
}

/// A request that nobody has answered. Dropped before that, the client is told that it need not.
struct Open<'a> {
    asks: &'a Asks,
    outlet: &'a Outlet,
    id: u64,
}

impl Asks {
    /// Asks and waits for the answer, however long that takes.
    pub(crate) async fn ask(&self, outlet: &Outlet, name: &str, params: &Json) -> Result<Json, InputError> {
        let (sender, receiver) = oneshot::channel();
        let id = {
            let mut state = self.state();
            if state.ended {
                return Err(InputError::Gone);
            }
            state.next += 1;
            let id = state.next;
            state.waiting.insert(id, sender);
            id
        };
        let open = Open { asks: self, outlet, id };
        outlet.send(wire::request(id, name, params)).await.map_err(|_| InputError::Gone)?;
        let answer = receiver.await.map_err(|_| InputError::Gone);
        drop(open);
        answer?.map_err(InputError::ClientRefused)
    }

    /// The client answered. An answer that nobody waits for is dropped.
    pub(crate) fn answered(&self, id: &str, answer: Result<Json, ErrorObject>) {
        // Some gateways make a text of a number.
        let id = id.strip_prefix('"').and_then(|id| id.strip_suffix('"')).unwrap_or(id);
        let waiting = id.parse().ok().and_then(|id: u64| self.state().waiting.remove(&id));
        if let Some(waiting) = waiting {
            // Whoever waited may have left this moment.
            let _ = waiting.send(answer);
        }
    }

    /// No answer will come any more.
    pub(crate) fn end(&self) {
        let mut state = self.state();
        state.ended = true;
        state.waiting.clear();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if self.asks.state().waiting.remove(&self.id).is_some() {
            let request_id = Json::encode(&self.id).ok();
            let params = CancelledParams { request_id, ..CancelledParams::default() };
            self.outlet.send_now(wire::notification(method::CANCELLED, &params));
        }
    }
}
