//! The mode: checks every message before the server or another mode sees it.

use super::ledger::{Ledger, Opening};
use super::messages;
use crate::base::{Base, Era, Reply};
use crate::fault::{Context, Fault, Flow};
use crate::faults::Setup;
use crate::message::Message;
use crate::options::Options;
use std::sync::Arc;

/// Holds the client to the rules, whatever else the server does.
pub(crate) fn strict(_: &Options, setup: &mut Setup) {
    let ledger = Ledger::default();
    setup.watch = Some(Arc::new(ledger.clone()));
    setup.faults.insert(0, Box::new(Strict { ledger }));
}

struct Strict {
    ledger: Ledger,
}

impl Fault for Strict {
    fn message(&mut self, message: &Message, context: &mut Context<'_>) -> Flow {
        let mut seen = self.ledger.seen();
        let fault = match (message.is_request(), message.is_response()) {
            (true, _) => messages::request(message, context.base, &mut seen),
            (_, true) => messages::response(message, speaks_modern(context.base, seen.opening), &seen),
            _ => messages::notification(
                message,
                speaks_modern(context.base, seen.opening),
                context.base,
                &mut seen,
            ),
        };
        let asked = message.id().filter(|_| message.is_response()).and_then(|id| seen.asked.remove(id));
        let open = message.id().and_then(|id| seen.open.get(id).cloned());
        drop(seen);
        let Some(fault) = fault else { return Flow::Pass };
        let id = message.id().unwrap_or("null");
        let what = message.method().unwrap_or_else(|| "response".to_owned());
        context.out.violation(&format!("{what} {id}: {fault}"));
        if message.is_request() {
            context.out.message(Reply::error(id, -32600, &fault, None).render());
            // The refusal of an id used twice does not answer its first use.
            if let Some(token) = open {
                self.ledger.seen().open.insert(id.to_owned(), token);
            }
            return Flow::Handled;
        }
        // A bad answer is still the answer to what was asked.
        if message.is_response() && asked.is_none() { Flow::Handled } else { Flow::Pass }
    }

    fn unreadable(&mut self, line: &[u8], context: &mut Context<'_>) {
        let start = String::from_utf8_lossy(&line[..line.len().min(100)]).into_owned();
        context.out.violation(&format!("no JSON object: {start}"));
    }
}

/// Whether what belongs to no request is to be read by the modern revision.
fn speaks_modern(base: &Base, opening: Opening) -> bool {
    match base.era {
        Era::Modern => true,
        Era::Legacy => false,
        Era::Dual => opening == Opening::Nothing,
    }
}
