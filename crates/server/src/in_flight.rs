//! The requests of one connection that are not answered yet.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use codewhale_mcp_protocol::RequestId;

use crate::Context;

/// The requests of one connection that are not answered yet.
#[derive(Debug, Default)]
pub(crate) struct InFlight(Mutex<HashMap<RequestId, Context>>);

/// A request cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotTaken {
    /// Another one has the same id.
    SameId,
    /// There are too many.
    TooMany { limit: usize },
}

/// One of them, which is none any more when this is dropped.
#[derive(Debug)]
pub(crate) struct Held {
    all: Arc<InFlight>,
    key: RequestId,
}

impl InFlight {
    /// Whether one more could be taken. One that is answered at once is never held.
    pub(crate) fn has_room(&self, key: &RequestId, limit: usize) -> Result<(), NotTaken> {
        let all = self.all();
        if !all.is_empty() && all.contains_key(key) {
            return Err(NotTaken::SameId);
        }
        if all.len() >= limit { Err(NotTaken::TooMany { limit }) } else { Ok(()) }
    }

    /// Holds one more.
    pub(crate) fn hold(self: &Arc<Self>, key: RequestId, context: Context) -> Held {
        self.all().insert(key.clone(), context);
        Held { all: Arc::clone(self), key }
    }

    /// The client does not want this one any more.
    pub(crate) fn cancel(&self, key: &RequestId) {
        let context = self.all().get(key).cloned();
        if let Some(context) = context {
            context.parts().control.cancel();
        }
    }

    /// The client wants none any more.
    pub(crate) fn cancel_all(&self) {
        let all: Vec<Context> = self.all().values().cloned().collect();
        for context in all {
            context.parts().control.cancel();
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<RequestId, Context>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.all.all().remove(&self.key);
    }
}
