//! What is open on a connection: ids, progress tokens, cursors, and how far the opening has come.

use crate::message::Message;
use crate::out::Watch;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

/// Shared by the side that reads and by all that write.
#[derive(Clone, Default)]
pub(super) struct Ledger(Arc<Mutex<Seen>>);

/// How far a legacy opening has come.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Opening {
    #[default]
    Nothing,
    /// `initialize` waits for its answer.
    Asked,
    /// `notifications/initialized` is awaited.
    Answered,
    Done,
}

/// Everything by its raw JSON text.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) opening: Opening,
    /// The client has had an answer that only a modern server gives.
    pub(super) modern: bool,
    /// Every id the client has used, with its method.
    pub(super) used: HashMap<String, String>,
    /// Requests of the client that wait, with their progress token.
    pub(super) open: HashMap<String, Option<String>>,
    /// Requests of the server that wait, with method and params.
    pub(super) asked: HashMap<String, (String, String)>,
    /// Requests of the server that it took back.
    pub(super) withdrawn: HashSet<String>,
    pub(super) cursors: HashSet<String>,
}

impl Ledger {
    pub(super) fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().expect("no holder panics")
    }
}

impl Watch for Ledger {
    fn sent(&self, line: &[u8]) {
        if let Some(message) = Message::parse(line) {
            self.seen().sent(&message);
        } else if let Ok(batch) = serde_json::from_slice::<Vec<Box<RawValue>>>(line) {
            let messages = batch.iter().filter_map(|one| Message::parse(one.get().as_bytes()));
            messages.for_each(|message| self.seen().sent(&message));
        }
    }
}

impl Seen {
    fn sent(&mut self, message: &Message) {
        match (message.id(), message.method()) {
            (Some(id), Some(method)) => {
                let params = Value::from_iter(message.params().into_iter().map(|(name, raw)| {
                    (name.to_owned(), serde_json::from_str::<Value>(raw).unwrap_or_default())
                }));
                self.asked.insert(id.to_owned(), (method, params.to_string()));
            }
            (Some(id), None) => self.answered(id, message),
            (None, Some(method)) if method == "notifications/cancelled" => {
                let id = message.param("requestId").unwrap_or_default();
                if self.asked.remove(id).is_some() {
                    self.withdrawn.insert(id.to_owned());
                }
            }
            _ => {}
        }
    }

    fn answered(&mut self, id: &str, message: &Message) {
        if self.open.remove(id).is_none() {
            return;
        }
        let result = message.member("result");
        match self.used.get(id).map(String::as_str) {
            Some("initialize") if self.opening == Opening::Asked => {
                self.opening = if result.is_some() { Opening::Answered } else { Opening::Nothing };
            }
            Some("server/discover") => self.modern |= result.is_some(),
            Some(method) if method.ends_with("/list") => {
                let result: Value = result.and_then(|raw| serde_json::from_str(raw).ok()).unwrap_or_default();
                self.cursors.extend(result["nextCursor"].as_str().map(str::to_owned));
            }
            _ => {}
        }
    }
}
