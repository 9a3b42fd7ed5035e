//! One message of a client and what comes of it: the seam for transports that answer each message by itself.

use std::fmt;
use std::future::poll_fn;
use std::task::{Context, Poll};

use codewhale_mcp_protocol::{ErrorObject, code};
use tokio::sync::mpsc;

use crate::batch::{batch, not_here};
use crate::era::{legacy, modern};
use crate::in_flight::{Held, InFlight, NotTaken};
use crate::incoming::{Body, Incoming};
use crate::outlet::Outlet;
use crate::running::{Begun, Sent, refused};
use crate::session::Session;
use crate::work::Work;
use crate::{Facts, Server};

/// How many messages of one exchange wait for a slow reader.
const WAITING: usize = 16;

/// One message of a client and what comes of it. Dropping it cancels the request.
///
/// An exchange that brings nothing was a notification or a response (over HTTP: 202). One whose first message is the
/// answer can be sent as one JSON text; otherwise it becomes a stream of events.
pub struct Exchange {
    work: Work,
    answer: Option<Outgoing>,
    messages: mpsc::Receiver<Vec<u8>>,
}

/// A message that leaves: a whole JSON text without an end of line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// The message.
    pub text: Vec<u8>,
    /// What it is.
    pub kind: OutgoingKind,
}

/// What a message that leaves is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutgoingKind {
    /// The answer, after which nothing comes; or the answers, of a batch.
    Answer {
        /// The code, if it is an error.
        error: Option<i64>,
    },
    /// A notification, or in the legacy era a request of ours.
    Message,
}

impl Server {
    /// Answers a message of the modern era.
    ///
    /// A request is refused unless its `_meta` says what it has to say (MCP 2026-07-28, basic/index). What comes with the
    /// message, such as HTTP headers, has to be judged before.
    #[must_use]
    pub fn exchange(&self, message: &Incoming<'_>, facts: Facts) -> Exchange {
        let (sender, messages) = mpsc::channel(WAITING);
        let mut out = Vec::new();
        let work = match &message.body {
            Body::Request { id, key, method, params } => {
                let outlet = Outlet::Exchange(sender);
                let taken = modern::Taken { id, key, method, params, outlet, facts };
                match modern::answer(self, taken, &mut out).0 {
                    Begun::Answered(sent) => Work::done(out, sent),
                    Begun::Later(running) => Work::one(running, None),
                }
            }
            Body::Batch(_) => {
                let error = not_here();
                Work::done(message.refuse(&error), Sent::Error(error.code))
            }
            Body::Notification { .. } | Body::Result { .. } | Body::Error { .. } => Work::default(),
        };
        Exchange { work, answer: None, messages }
    }
}

impl Exchange {
    pub(crate) fn in_session(session: &Session, message: &Incoming<'_>, facts: Facts) -> Self {
        let (sender, messages) = mpsc::channel(WAITING);
        let outlet = Outlet::Exchange(sender);
        let mut work = Work::default();
        match &message.body {
            Body::Batch(elements) => {
                work = batch(session, elements, &outlet, &facts)
                    .unwrap_or_else(|error| Work::done(message.refuse(&error), Sent::Error(error.code)));
            }
            _ => {
                let mut out = Vec::new();
                match single(session, message, outlet, facts, &mut out) {
                    Some((Begun::Answered(sent), _)) => work = Work::done(out, sent),
                    Some((Begun::Later(running), held)) => work = Work::one(running, held),
                    None => {}
                }
            }
        }
        Self { work, answer: None, messages }
    }

    /// The next message; `None` when there are no more. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<Outgoing> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        loop {
            if let Poll::Ready(Some(text)) = self.messages.poll_recv(cx) {
                return Poll::Ready(Some(Outgoing { text, kind: OutgoingKind::Message }));
            }
            if let Some(answer) = self.answer.take() {
                return Poll::Ready(Some(answer));
            }
            match self.work.poll(cx) {
                Poll::Pending => return Poll::Pending,
                // What was said before the answer goes before it.
                Poll::Ready(Some(answers)) => {
                    let error = match answers.sent {
                        Sent::Error(code) => Some(code),
                        Sent::Result | Sent::Withdrawn => None,
                    };
                    self.answer = Some(Outgoing { text: answers.text, kind: OutgoingKind::Answer { error } });
                }
                Poll::Ready(None) => return Poll::Ready(None),
            }
        }
    }
}

/// One message of a session; of a request, how its answer began.
pub(crate) fn single(
    session: &Session,
    message: &Incoming<'_>,
    outlet: Outlet,
    facts: Facts,
    out: &mut Vec<u8>,
) -> Option<(Begun, Option<Held>)> {
    match &message.body {
        Body::Request { id, key, method, params } => {
            let limit = session.server().limits().in_flight;
            if let Err(fault) = session.in_flight().has_room(key, limit) {
                return Some((Begun::Answered(refused(id, &not_taken(fault), out)), None));
            }
            let taken = legacy::Taken { id, method, params, outlet, facts };
            let (begun, context) = legacy::answer(session, taken, out);
            let begun = hold(begun, context, session.in_flight(), key);
            // Whoever ended the session a moment ago did not find this request.
            if matches!(begun, (Begun::Later(_), _)) && session.is_closed() {
                session.in_flight().cancel(key);
            }
            Some(begun)
        }
        Body::Notification { method, params } => {
            session.notified(method, *params);
            None
        }
        Body::Result { id, result } => {
            session.succeeded(id, result);
            None
        }
        Body::Error { id, error } => {
            session.failed(*id, error);
            None
        }
        Body::Batch(_) => None,
    }
}

/// Holds a request that is not answered yet.
pub(crate) fn hold(
    begun: Begun,
    context: Option<crate::Context>,
    in_flight: &std::sync::Arc<InFlight>,
    key: &codewhale_mcp_protocol::RequestId,
) -> (Begun, Option<Held>) {
    let held = match (&begun, context) {
        (Begun::Later(_), Some(context)) => Some(in_flight.hold(key.clone(), context)),
        _ => None,
    };
    (begun, held)
}

/// What a request is told that cannot be taken.
pub(crate) fn not_taken(fault: NotTaken) -> ErrorObject {
    let (code, message) = match fault {
        NotTaken::SameId => {
            (code::INVALID_REQUEST, "another request with this id is not answered yet".to_owned())
        }
        NotTaken::TooMany { limit } => (
            code::INTERNAL_ERROR,
            format!("{limit} requests are not answered yet, which is as many as there may be"),
        ),
    };
    ErrorObject { code, message, ..ErrorObject::default() }
}

impl fmt::Debug for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange").finish_non_exhaustive()
    }
}
