//! The server behind the connections: leads a request through the gates to the part that answers it.

use super::channel::Channel;
use super::event_stream::Streams;
use super::exchange::Exchange;
use super::legacy::Legacy;
use super::log::Log;
use super::modern::Modern;
use super::plan::{Eras, Knock, Passage, Plan};
use super::request::HttpRequest;
use super::response::Response;
use super::wire::Wire;
use crate::base::{LEGACY, MODERN, Reply};
use crate::message::Message;
use crate::out::Record;
use std::collections::HashMap;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

/// One run, from its start to its end.
pub(super) struct Server {
    pub(super) plan: Plan,
    pub(super) record: Record,
    pub(super) log: Arc<Log>,
    pub(super) port: u16,
    pub(super) other: u16,
    pub(super) modern: Modern,
    pub(super) legacy: Legacy,
    pub(super) streams: Streams,
    pub(super) stopped: AtomicBool,
    /// What a server does that is told to exit.
    pub(super) exit: fn(&Server, i32),
    connections: Mutex<HashMap<u64, TcpStream>>,
    channels: Mutex<Vec<Weak<Channel>>>,
}

/// A request at work.
pub(super) struct Call<'a> {
    pub(super) request: &'a HttpRequest,
    pub(super) wire: &'a mut Wire,
    pub(super) exchange: &'a Exchange,
}

impl Call<'_> {
    /// Answers with what is known as a whole.
    pub(super) fn respond(&mut self, response: &Response) -> io::Result<()> {
        self.exchange.done();
        response.write(self.wire)
    }

    /// Refuses a message with an error of JSON-RPC.
    pub(super) fn refuse(&mut self, status: u16, id: &str, code: i32, text: &str) -> io::Result<()> {
        self.respond(&Response::json(status, Reply::error(id, code, text, None).render()))
    }
}

impl Server {
    pub(super) fn new(
        plan: Plan,
        record: Record,
        log: Arc<Log>,
        ports: (u16, u16),
        exit: fn(&Server, i32),
    ) -> Server {
        Server {
            modern: Modern::new(&plan),
            legacy: Legacy::new(&plan, log.started()),
            streams: Streams::default(),
            plan,
            record,
            log,
            port: ports.0,
            other: ports.1,
            stopped: AtomicBool::new(false),
            exit,
            connections: Mutex::default(),
            channels: Mutex::default(),
        }
    }

    /// Answers one request, or fails to because the connection is at its end.
    pub(super) fn answer(
        self: &Arc<Self>,
        request: &HttpRequest,
        wire: &mut Wire,
        exchange: &Exchange,
    ) -> io::Result<()> {
        let message = Message::parse(&request.body).filter(|_| request.method == "POST");
        let mut call = Call { request, wire, exchange };
        match self.passage(request, message.as_ref()) {
            Passage::Open => {}
            Passage::Silence => {
                exchange.wait_for_leave();
                return call.wire.hang_up();
            }
            Passage::Answer(response) => return call.respond(&response),
        }
        let path = request.path.split('?').next().unwrap_or_default();
        if request.query("session").is_some() && request.method == "POST" {
            return self.post_to_stream(&mut call, message.as_ref());
        }
        if path.ends_with("/sse") && self.plan.eras != Eras::Modern {
            return match request.method.as_str() {
                "GET" => self.open_stream(&mut call),
                _ => call.respond(&Response::empty(self.plan.event_stream.post).with("Allow", "GET")),
            };
        }
        if self.plan.event_stream.alone {
            return call.respond(&Response::html(404));
        }
        match (request.method.as_str(), message) {
            ("POST", Some(message)) if self.is_modern(request, &message) => {
                self.answer_modern(&mut call, &message)
            }
            ("POST", Some(message)) => self.answer_legacy(&mut call, &message),
            ("POST", None) => call.refuse(400, "null", -32700, "parse error"),
            ("GET" | "DELETE", _) if self.plan.eras == Eras::Modern => {
                self.violation(&format!("{} has no place in the modern era", request.method));
                call.respond(&Response::empty(405).with("Allow", "POST"))
            }
            ("GET", _) => self.get(&mut call),
            ("DELETE", _) => self.delete(&mut call),
            _ => call.respond(&Response::empty(405).with("Allow", "POST, GET, DELETE")),
        }
    }

    fn passage(&self, request: &HttpRequest, message: Option<&Message>) -> Passage {
        let method = message.and_then(Message::method).unwrap_or_default();
        let knock = Knock { request, message, method: &method, other: self.other };
        let mut gates = self.plan.gates.lock().expect("no holder panics");
        let mut passages = gates.iter_mut().map(|gate| gate(&knock));
        passages.find(|passage| !matches!(passage, Passage::Open)).unwrap_or(Passage::Open)
    }

    /// Whether the modern era answers, by what the request says of itself.
    fn is_modern(&self, request: &HttpRequest, message: &Message) -> bool {
        match self.plan.eras {
            Eras::Modern => true,
            Eras::Legacy => false,
            Eras::Both => {
                let version = request.header("mcp-protocol-version").unwrap_or(LEGACY[0]);
                let is_old = LEGACY.contains(&version) || message.is_method("initialize");
                message.meta("io.modelcontextprotocol/protocolVersion").is_some()
                    || version == MODERN
                    || !is_old && request.header("mcp-session-id").is_none()
            }
        }
    }

    pub(super) fn violation(&self, what: &str) {
        self.record.note("violation:", what.as_bytes());
    }

    /// A channel that a test can close.
    pub(super) fn channel(&self) -> Arc<Channel> {
        let channel = Arc::new(Channel::default());
        let mut channels = self.channels.lock().expect("no holder panics");
        channels.retain(|known| known.strong_count() > 0);
        channels.push(Arc::downgrade(&channel));
        channel
    }

    pub(super) fn close_streams(&self) {
        let channels = self.channels.lock().expect("no holder panics");
        channels.iter().filter_map(Weak::upgrade).for_each(|channel| channel.detach());
    }

    pub(super) fn connections(&self) -> MutexGuard<'_, HashMap<u64, TcpStream>> {
        self.connections.lock().expect("no holder panics")
    }

    pub(super) fn cut_connections(&self) {
        for stream in self.connections().values() {
            // One that is closed already is cut as well.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Takes nothing new and drops what there is.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        for port in [self.port, self.other] {
            // Wakes the thread that accepts, so that it sees the order.
            let _ = TcpStream::connect(("127.0.0.1", port));
        }
        self.cut_connections();
    }
}
