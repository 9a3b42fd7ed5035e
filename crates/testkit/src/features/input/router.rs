//! Leads the client's answers to the calls that wait for them.

use crate::message::Message;
use crate::out::Out;
use std::collections::HashMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard};

/// What a waiting call learns.
pub(in crate::features) enum Heard {
    /// The raw id of one of its requests, and the member `result` or `error`.
    Answer(String, Result<String, String>),
    /// The client has cancelled the call.
    Cancelled,
}

/// Open requests of the server and the calls that wait for them.
#[derive(Clone, Default)]
pub(in crate::features) struct Router(Arc<Mutex<Routes>>);

#[derive(Default)]
struct Routes {
    number: u64,
    /// By the raw id of the server's request.
    open: HashMap<String, SyncSender<Heard>>,
    /// By the raw id of the client's call.
    calls: HashMap<String, SyncSender<Heard>>,
    withdrawn: Vec<String>,
}

/// The place of one waiting call.
pub(in crate::features) struct Waiting {
    router: Router,
    call: String,
    /// Wakes the call.
    pub(in crate::features) sender: SyncSender<Heard>,
    pub(in crate::features) receiver: Receiver<Heard>,
}

impl Router {
    fn routes(&self) -> MutexGuard<'_, Routes> {
        self.0.lock().expect("no holder panics")
    }

    /// A number that was not given out before.
    pub(super) fn number(&self) -> u64 {
        let mut routes = self.routes();
        routes.number += 2;
        routes.number
    }

    pub(in crate::features) fn enter(&self, call: &str) -> Waiting {
        let (sender, receiver) = sync_channel(64);
        self.routes().calls.insert(call.to_owned(), sender.clone());
        Waiting { router: self.clone(), call: call.to_owned(), sender, receiver }
    }

    pub(super) fn cancel(&self, call: &str) {
        if let Some(sender) = self.routes().calls.remove(call) {
            // A call that has just ended needs no cancelling.
            let _ = sender.try_send(Heard::Cancelled);
        }
    }

    pub(super) fn answered(&self, message: &Message, out: &Out) {
        let Some(id) = message.id() else { return };
        let mut routes = self.routes();
        let Some(sender) = routes.open.remove(id) else {
            if !routes.withdrawn.iter().any(|known| known == id) {
                out.violation(&format!("a response to {id}, which nobody asked"));
            }
            return;
        };
        let answer = match (message.member("result"), message.member("error")) {
            (Some(result), None) => Ok(result.to_owned()),
            (_, error) => Err(error.unwrap_or("nothing").to_owned()),
        };
        // A call that has ended meanwhile wants no answer.
        let _ = sender.try_send(Heard::Answer(id.to_owned(), answer));
    }
}

impl Waiting {
    /// Sends a request of the server under this raw id.
    pub(super) fn ask(&self, id: &str, method: &str, params: &str, out: &Out) {
        self.router.routes().open.insert(id.to_owned(), self.sender.clone());
        let params = if params.is_empty() { String::new() } else { format!(r#","params":{params}"#) };
        out.message(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"{params}}}"#));
    }

    /// Takes a request back; an answer that is under way already is no fault.
    pub(super) fn withdraw(&self, id: &str, out: &Out) {
        let mut routes = self.router.routes();
        if routes.open.remove(id).is_some() {
            routes.withdrawn.push(id.to_owned());
            drop(routes);
            let reason = r#""reason":"no longer needed""#;
            out.message(format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},{reason}}}}}"#
            ));
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.router.routes().calls.remove(&self.call);
    }
}
