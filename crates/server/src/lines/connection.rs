//! What a line of a client comes to, in either era.

use std::future::poll_fn;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use codewhale_mcp_protocol::{ErrorObject, LineTooLong, Revision, code, method, trim_line};
use tokio::time::{Instant, timeout_at};

use super::Outbox;
use super::busy::Busy;
use crate::batch::{batch, not_here};
use crate::era::modern;
use crate::exchange::{hold, not_taken, single};
use crate::in_flight::{Held, InFlight};
use crate::incoming::{Body, Incoming};
use crate::outlet::Outlet;
use crate::running::{Begun, refused};
use crate::session::{Session, cancelled};
use crate::work::Work;
use crate::{Facts, Server, wire};

/// How long requests that are not answered yet may go on when nothing more comes in.
const GRACE: Duration = Duration::from_millis(300);
/// Until then what is dropped has to be gone.
const GONE: Duration = Duration::from_millis(400);
/// Until then what was said last has to have left.
const LEFT: Duration = Duration::from_millis(700);

/// One connection: requests of the modern era, and after `initialize` a session beside them (MCP 2026-07-28,
/// basic/versioning).
#[derive(Debug)]
pub(crate) struct Connection {
    server: Server,
    session: OnceLock<Session>,
    in_flight: Arc<InFlight>,
    busy: Arc<Busy>,
    outbox: Arc<Outbox>,
}

impl Connection {
    pub(crate) fn new(server: &Server, outbox: Arc<Outbox>) -> Self {
        let server = server.clone();
        Self { server, session: OnceLock::new(), in_flight: Arc::default(), busy: Arc::default(), outbox }
    }

    /// Takes up a line. Answers that are there at once are written behind `out`, a line each; the others leave through
    /// the outbox, by tasks of this runtime.
    pub(crate) fn receive(&self, line: Result<&[u8], LineTooLong>, out: &mut Vec<u8>) {
        let before = out.len();
        match line.map(trim_line) {
            Ok([]) => {}
            Ok(line) => match Incoming::parse(line) {
                Ok(message) => self.take(&message, out),
                Err(unreadable) => self.unreadable(unreadable.id(), unreadable.error(), out),
            },
            Err(fault) => {
                let error = ErrorObject {
                    code: code::INVALID_REQUEST,
                    message: fault.to_string(),
                    ..Default::default()
                };
                self.unreadable(None, &error, out);
            }
        }
        if out.len() > before {
            out.push(b'\n');
        }
    }

    /// Nothing more comes in. What is being answered may go on for a moment, and what was said may leave for another one
    /// until the `writer` is done; all of it together has one end.
    pub(crate) async fn finish(&self, writer: impl Future) {
        let begun = Instant::now();
        tokio::pin!(writer);
        let answered = async {
            // What takes longer is dropped.
            let _ = timeout_at(begun + GRACE, self.busy.idle()).await;
            self.close();
            let _ = timeout_at(begun + GONE, self.busy.idle()).await;
            self.outbox.finish();
        };
        tokio::select! {
            _ = &mut writer => self.close(),
            () = answered => {
                // A client that does not read its last answers goes without.
                let _ = timeout_at(begun + LEFT, writer).await;
            }
        }
        // Nor do those that wait for room have anybody to speak to.
        self.outbox.close();
    }

    /// Nothing is wanted any more.
    pub(crate) fn close(&self) {
        self.in_flight.cancel_all();
        if let Some(session) = self.session.get() {
            session.close();
        }
    }

    /// Until 2025-06-18 an answer without an id was one whose id is `null`.
    fn unreadable(&self, id: Option<&str>, error: &ErrorObject, out: &mut Vec<u8>) {
        let early = self.session.get().is_some_and(|session| session.revision() < Revision::V2025_11_25);
        wire::error(id.or(early.then_some("null")), error, out);
    }

    fn take(&self, message: &Incoming<'_>, out: &mut Vec<u8>) {
        let outlet = || Outlet::Lines(Arc::clone(&self.outbox));
        match (&message.body, self.session.get()) {
            (Body::Request { id, key, method, params }, _) if message.is_modern() => {
                let limit = self.server.limits().in_flight;
                if let Err(fault) = self.in_flight.has_room(key, limit) {
                    refused(id, &not_taken(fault), out);
                    return;
                }
                let facts = Facts::default();
                let taken = modern::Taken { id, key, method, params, outlet: outlet(), facts };
                let (begun, context) = modern::answer(&self.server, taken, out);
                self.go_on(hold(begun, context, &self.in_flight, key));
            }
            (Body::Batch(elements), Some(session)) => {
                match batch(session, elements, &outlet(), &Facts::default()) {
                    Err(error) => self.unreadable(None, &error, out),
                    Ok(mut work) => match work.poll(&mut Context::from_waker(Waker::noop())) {
                        Poll::Ready(Some(answers)) => out.extend_from_slice(&answers.text),
                        Poll::Ready(None) => {}
                        Poll::Pending => self.spawn(work),
                    },
                }
            }
            (Body::Batch(_), None) => self.unreadable(None, &not_here(), out),
            (_, Some(session)) => {
                if let Some((begun, held)) = single(session, message, outlet(), Facts::default(), out) {
                    self.go_on((begun, held));
                }
            }
            (Body::Request { id, method, .. }, None) => self.before(message, id, method, out),
            (Body::Notification { method, params }, None) => {
                if method == method::CANCELLED {
                    cancelled(&self.in_flight, *params);
                }
            }
            // Nobody asked.
            (Body::Result { .. } | Body::Error { .. }, None) => {}
        }
    }

    /// A legacy request before there is a session.
    fn before(&self, message: &Incoming<'_>, id: &str, name: &str, out: &mut Vec<u8>) {
        match name {
            method::INITIALIZE => match Session::begin(&self.server, message, Arc::clone(&self.in_flight)) {
                Err(refusal) => out.extend_from_slice(&refusal),
                Ok((session, answer)) => {
                    out.extend_from_slice(&answer);
                    tokio::spawn(tell(session.clone(), Arc::clone(&self.outbox)));
                    // There was none.
                    let _ = self.session.set(session);
                }
            },
            method::PING => wire::result(id, out, |out| out.extend_from_slice(b"{}")),
            _ => {
                let message =
                    "no session is open, and _meta lacks io.modelcontextprotocol/protocolVersion".to_owned();
                let error = ErrorObject { code: code::INVALID_PARAMS, message, ..ErrorObject::default() };
                refused(id, &error, out);
            }
        }
    }

    fn go_on(&self, begun: (Begun, Option<Held>)) {
        if let (Begun::Later(running), held) = begun {
            self.spawn(Work::one(running, held));
        }
    }

    fn spawn(&self, mut work: Work) {
        let (outbox, answering) = (Arc::clone(&self.outbox), self.busy.begin());
        tokio::spawn(async move {
            let _answering = answering;
            if let Some(answers) = poll_fn(|cx| work.poll(cx)).await {
                // Whoever left need not be told.
                let _ = outbox.send(answers.text).await;
            }
        });
    }
}

/// Tells what the server says by itself.
async fn tell(session: Session, outbox: Arc<Outbox>) {
    let mut events = session.events();
    while let Some(message) = events.next().await {
        if outbox.send(message).await.is_err() {
            return;
        }
    }
}
