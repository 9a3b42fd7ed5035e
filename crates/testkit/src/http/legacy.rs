//! Streamable HTTP of the legacy era: sessions, a stream for each request, one for the rest, and resumption
//! (MCP 2025-11-25, basic/transports).

use super::plan::{General, Plan, Sessions};
use super::pump::Pump;
use super::response::Response;
use super::server::{Call, Server};
use super::session::Session;
use super::shape::{Answers, Polling};
use crate::base::LEGACY;
use crate::message::Message;
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

/// The sessions of a server.
pub(super) struct Legacy {
    kind: Sessions,
    /// What the names of sessions begin with: a server that was started anew gives none a second time.
    prefix: String,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    opened: u64,
    sessions: HashMap<String, Arc<Session>>,
}

/// The name of what all clients share where there are no sessions.
const SHARED: &str = "";

impl Legacy {
    pub(super) fn new(plan: &Plan, run: u64) -> Legacy {
        let prefix = if run == 1 { "session".to_owned() } else { format!("session-{run}") };
        Legacy { kind: plan.sessions, prefix, held: Mutex::default() }
    }

    fn open(&self, session: Session) -> (String, Arc<Session>) {
        let mut held = self.held();
        held.opened += 1;
        let name = match self.kind {
            Sessions::Kept => format!("{}-{}", self.prefix, held.opened),
            Sessions::OddlyNamed => format!("session {} naïve", held.opened),
            Sessions::None => SHARED.to_owned(),
        };
        let session = Arc::new(session);
        held.sessions.insert(name.clone(), session.clone());
        (name, session)
    }

    fn find(&self, name: &str) -> Option<Arc<Session>> {
        self.held().sessions.get(name).cloned()
    }

    /// Forgets every session, as a server does that was started anew.
    pub(super) fn lose_all(&self) {
        self.held().sessions.drain().for_each(|(_, session)| session.end());
    }

    pub(super) fn all(&self) -> Vec<Arc<Session>> {
        self.held().sessions.values().cloned().collect()
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().expect("no holder panics")
    }
}

impl Server {
    pub(super) fn answer_legacy(self: &Arc<Self>, call: &mut Call<'_>, message: &Message) -> io::Result<()> {
        let version = call.request.header("mcp-protocol-version");
        if version.is_some_and(|version| !LEGACY.contains(&version)) {
            return call.refuse(400, "null", -32000, "Bad Request: Unsupported protocol version");
        }
        let mut headers = Vec::new();
        let session = if message.is_method("initialize") {
            let (name, session) = self.legacy.open(Session::new(&self.plan, self.channel()));
            if name != SHARED {
                headers.push(("MCP-Session-Id".to_owned(), name));
            }
            session
        } else {
            match self.session(call)? {
                Some(session) => session,
                None => return Ok(()),
            }
        };
        let own = self.channel();
        if let Err(code) = session.take(message, own.clone(), &self.record) {
            (self.exit)(self, code);
            return call.wire.hang_up();
        }
        if !message.is_request() {
            return call.respond(&self.plan.accepted);
        }
        let id = message.id().unwrap_or("null").to_owned();
        let method = message.method().unwrap_or_default();
        if self.plan.answers_on_general && method == "tools/call" {
            let general = session.general.clone();
            std::thread::spawn(move || own.pour_into(&general));
            return call.respond(&self.plan.accepted);
        }
        {
            let server = self.clone();
            call.exchange.on_leave(move || {
                server.record.note("left", id.as_bytes());
            });
        }
        let shape = self.plan.shape_for(&method).asked(message);
        headers.extend(shape.more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        // A client of an older revision takes an event without data for a fault.
        let primes = shape.ids && session.revision(message) == "2025-11-25" || shape.polling != Polling::No;
        Pump {
            wire: call.wire,
            exchange: call.exchange,
            channel: &own,
            stream: Some(session.keep(&own)),
            shape,
            headers,
            primes,
            from: 0,
            resumes: false,
            modern: false,
            ends: true,
        }
        .run()
    }

    /// The session that a request names, or none after the request was refused.
    fn session(&self, call: &mut Call<'_>) -> io::Result<Option<Arc<Session>>> {
        if self.plan.sessions == Sessions::None {
            let known = self.legacy.find(SHARED);
            return Ok(Some(
                known.unwrap_or_else(|| self.legacy.open(Session::new(&self.plan, self.channel())).1),
            ));
        }
        let Some(name) = call.request.header("mcp-session-id") else {
            call.refuse(400, "null", -32000, "Bad Request: Mcp-Session-Id header is required")?;
            return Ok(None);
        };
        let session = self.legacy.find(name);
        if session.is_none() {
            call.refuse(404, "null", -32001, "Session not found")?;
        }
        Ok(session)
    }

    /// The stream of the session, or the rest of an earlier one.
    pub(super) fn get(self: &Arc<Self>, call: &mut Call<'_>) -> io::Result<()> {
        let event = call.request.header("last-event-id");
        let refused = match (event, self.plan.general) {
            (None, General::Refused(status)) => Some(status),
            (None, _) => None,
            (Some(_), _) => self.plan.resume,
        };
        if let Some(status) = refused {
            return call.respond(&Response::empty(status));
        }
        if self.plan.sessions == Sessions::None {
            return call.respond(&Response::empty(405).with("Allow", "POST"));
        }
        let Some(session) = self.session(call)? else { return Ok(()) };
        let mut shape = self.plan.shape_for("GET");
        let found = match event {
            None => Some(("0".to_owned(), session.general.clone(), session.general.taken())),
            Some(event) => session.resumed(event),
        };
        let Some((stream, channel, from)) = found else {
            return call.refuse(400, "null", -32000, "Bad Request: unknown event");
        };
        if event.is_none() && self.plan.general == General::EndsAtOnce {
            call.exchange.done();
            let text = shape.retry.map(|retry| format!("retry: {retry}\n\n")).unwrap_or_default();
            return Response::empty(200)
                .with("Content-Type", "text/event-stream")
                .body(text)
                .write(call.wire);
        }
        if stream != "0" {
            shape.polling = match self.plan.shape_for("tools/call").polling {
                Polling::Always => Polling::Always,
                _ => Polling::No,
            };
        }
        shape.answers = Answers::Events;
        let server = self.clone();
        call.exchange.on_leave(move || {
            server.record.note("left", b"GET");
        });
        let resumes = event.is_some();
        Pump {
            wire: call.wire,
            exchange: call.exchange,
            channel: &channel,
            primes: shape.polling == Polling::Always,
            ends: stream != "0",
            stream: Some(stream),
            shape,
            headers: Vec::new(),
            from,
            resumes,
            modern: false,
        }
        .run()
    }

    /// Ends a session.
    pub(super) fn delete(&self, call: &mut Call<'_>) -> io::Result<()> {
        let Some(session) = self.session(call)? else { return Ok(()) };
        let name = call.request.header("mcp-session-id").unwrap_or_default();
        self.legacy.held().sessions.remove(name);
        session.end();
        call.respond(&Response::empty(200))
    }
}
