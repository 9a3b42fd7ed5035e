//! The deprecated transport HTTP+SSE: one stream on which the server says everything, and POSTs that get nothing
//! (MCP 2024-11-05, basic/transports).

use super::channel::{Channel, Into};
use super::pump::Pump;
use super::response::Response;
use super::server::{Call, Server};
use crate::base::Era;
use crate::fault::Context;
use crate::faults::Setup;
use crate::message::Message;
use crate::out::Out;
use crate::serve::turn;
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

/// The open streams.
#[derive(Default)]
pub(super) struct Streams(Mutex<Held>);

#[derive(Default)]
struct Held {
    opened: u64,
    open: HashMap<String, Arc<Stream>>,
}

/// One stream and the server behind it.
struct Stream {
    setup: Mutex<Setup>,
    channel: Arc<Channel>,
    out: Out,
}

impl Streams {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().expect("no holder panics")
    }

    /// Says a message on every stream.
    pub(super) fn say(&self, line: &str) {
        self.held().open.values().for_each(|stream| stream.out.message(line));
    }
}

impl Server {
    /// Opens a stream, and answers with it until it ends.
    pub(super) fn open_stream(self: &Arc<Self>, call: &mut Call<'_>) -> io::Result<()> {
        let setup = self.plan.setup(Era::Legacy);
        let channel = self.channel();
        let out = Out::new(Box::new(Into(channel.clone())), self.record.clone()).watched(setup.watch.clone());
        let stream = Arc::new(Stream { setup: Mutex::new(setup), channel: channel.clone(), out });
        let name = {
            let mut held = self.streams.held();
            held.opened += 1;
            let name = held.opened.to_string();
            held.open.insert(name.clone(), stream);
            name
        };
        {
            let (server, name) = (self.clone(), name.clone());
            call.exchange.on_leave(move || {
                server.streams.held().open.remove(&name);
                server.record.note("left", b"SSE");
            });
        }
        let mut shape = self.plan.shape_for("GET");
        shape.ids = false;
        let mut preamble = std::mem::take(&mut shape.preamble);
        for endpoint in &self.plan.event_stream.endpoints {
            let data = endpoint
                .replace("{}", &name)
                .replace("{port}", &self.port.to_string())
                .replace("{other}", &self.other.to_string());
            let event = shape.framing.event(&[("event", "endpoint"), ("data", &data)]);
            preamble.push_str(&String::from_utf8_lossy(&event));
        }
        shape.preamble = preamble;
        Pump {
            wire: call.wire,
            exchange: call.exchange,
            channel: &channel,
            stream: None,
            shape,
            headers: Vec::new(),
            primes: false,
            from: 0,
            resumes: false,
            modern: false,
            ends: false,
        }
        .run()
    }

    /// Takes a message for the stream that the query names.
    pub(super) fn post_to_stream(&self, call: &mut Call<'_>, message: Option<&Message>) -> io::Result<()> {
        let name = call.request.query("session").unwrap_or_default();
        let stream = self.streams.held().open.get(name).cloned();
        let (Some(stream), Some(message)) = (stream, message) else {
            return call.respond(&Response::html(404));
        };
        if self.plan.event_stream.dies_on_call && message.is_method("tools/call") {
            call.respond(&Response::empty(202).body("Accepted"))?;
            stream.channel.detach();
            return Ok(());
        }
        // The stream may say the answer before the POST gets its own.
        let turned = {
            let mut setup = stream.setup.lock().expect("no holder panics");
            let Setup { base, faults, .. } = &mut *setup;
            turn(message, faults, &mut Context { base, out: &stream.out })
        };
        if let Err(code) = turned {
            (self.exit)(self, code);
            return call.wire.hang_up();
        }
        call.respond(&Response::empty(202).with("Content-Type", "text/plain").body("Accepted"))
    }
}
