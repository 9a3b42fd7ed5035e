//! The modern era over HTTP: requests that stand alone, streams that end with their answer, and clients who cancel
//! by leaving.

use super::channel::ForOne;
use super::headers;
use super::plan::Plan;
use super::pump::Pump;
use super::response::Response;
use super::server::{Call, Server};
use crate::base::{Era, Reply, TOOLS_CHANGED};
use crate::fault::Context;
use crate::faults::Setup;
use crate::message::Message;
use crate::out::Out;
use crate::serve::turn;
use std::io;
use std::sync::{Arc, Mutex};

/// The one server that all modern clients share.
pub(super) struct Modern {
    setup: Mutex<Setup>,
}

impl Modern {
    pub(super) fn new(plan: &Plan) -> Modern {
        Modern { setup: Mutex::new(plan.setup(Era::Modern)) }
    }

    fn setup(&self) -> std::sync::MutexGuard<'_, Setup> {
        self.setup.lock().expect("no holder panics")
    }
}

impl Server {
    pub(super) fn answer_modern(self: &Arc<Self>, call: &mut Call<'_>, message: &Message) -> io::Result<()> {
        if call.request.header("mcp-session-id").is_some() {
            self.violation("MCP-Session-Id has no place in the modern era");
        }
        if call.request.header("last-event-id").is_some() {
            self.violation("Last-Event-ID has no place in the modern era");
        }
        let Some(id) = message.id().filter(|_| message.is_request()).map(str::to_owned) else {
            let what = if message.is_response() { "a response" } else { "a notification" };
            self.violation(&format!("{what} has no place in the modern era over HTTP"));
            return call.respond(&self.plan.accepted);
        };
        let fault = {
            let setup = self.modern.setup();
            headers::fault(call.request, message, &setup.base.catalogue.tools)
        };
        if let Some(fault) = fault.filter(|_| !message.is_method("initialize")) {
            if fault.breaks_a_rule {
                self.violation(&fault.text);
            }
            let reply = Reply::error(&id, -32020, &format!("header mismatch: {}", fault.text), None);
            return call.respond(&Response::json(400, reply.render()));
        }
        let own = self.channel();
        let sink = ForOne { own: own.clone(), general: None };
        let mut setup = self.modern.setup();
        let out = Out::new(Box::new(sink), self.record.clone()).watched(setup.watch.clone());
        let (mark, cancels) = (out.mark(), setup.base.cancels_apart());
        let turned = {
            let Setup { base, faults, .. } = &mut *setup;
            turn(message, faults, &mut Context { base, out: &out })
        };
        if self.plan.grows_when_heard && message.is_method("subscriptions/listen") {
            setup.base.catalogue.grow();
            setup.base.changed(TOOLS_CHANGED, &out);
        }
        drop((setup, out));
        if let Err(code) = turned {
            (self.exit)(self, code);
            return call.wire.hang_up();
        }
        {
            let server = self.clone();
            call.exchange.on_leave(move || {
                cancels.cancel(&id);
                server.modern.setup().base.forget_listener(&mark);
                server.record.note("left", id.as_bytes());
            });
        }
        let method = message.method().unwrap_or_default();
        let shape = self.plan.shape_for(&method).asked(message);
        let headers = shape.more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Pump {
            wire: call.wire,
            exchange: call.exchange,
            channel: &own,
            stream: shape.more.iter().any(|(name, _)| *name == "MCP-Session-Id").then(|| "odd".to_owned()),
            shape,
            headers,
            primes: false,
            from: 0,
            resumes: false,
            modern: true,
            ends: true,
        }
        .run()
    }

    /// Tells every modern subscription a message as it is.
    pub(super) fn say_modern(&self, line: &str) {
        self.modern.setup().base.say_to_listeners(line);
    }
}
