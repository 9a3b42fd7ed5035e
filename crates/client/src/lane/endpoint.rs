//! The way to a server's endpoint, and the session on it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use codewhale_mcp_protocol::{LoggingLevel, Revision, ToolHeaders, header};
use codewhale_mcp_redact::Secret;
use codewhale_mcp_transport::{Answer, Carrier, Exchange, ExchangeError, Exchanging, Header, Verb};
use tokio::sync::{Semaphore, watch};

use super::message::{Message, version};
use super::renew::Renewal;
use super::unread::UNREAD;
use crate::lane::ExchangeFault;

/// How long the end of a session may take; a server that does not hear of it forgets it by itself.
const FAREWELL: Duration = Duration::from_secs(1);

/// How long a server may take to say whether it has a stream of its own, before requests leave all the same.
const HEARING: Duration = Duration::from_secs(1);

/// The most tools whose headers are known; a server whose tools never have the same names fills no memory.
const MOST_TOOLS: usize = 100_000;

/// The way to a server's endpoint.
#[derive(Debug)]
pub(crate) struct Lane {
    carrier: Arc<dyn Carrier>,
    /// Answers come on a stream of their own (HTTP+SSE).
    pub(crate) event_stream: bool,
    /// The most bytes of a message.
    pub(crate) limit: usize,
    session: watch::Sender<Session>,
    /// The session that the last `initialize` was offered.
    offered: Mutex<Session>,
    /// A new session is being asked for, by one for all that noticed.
    pub(crate) renewal: Mutex<Option<Renewal>>,
    /// Whether nothing is posted any more, because the connection closes.
    pub(crate) posted: watch::Sender<bool>,
    /// The server was told that we leave.
    left: AtomicBool,
    /// What came of `notifications/initialized`, once it was posted.
    pub(crate) greeted: watch::Sender<Option<Result<(), ExchangeFault>>>,
    /// Whether it is known what came of asking for the server's own stream in this session.
    pub(crate) stream_known: watch::Sender<bool>,
    /// What a new session has to be told.
    pub(crate) log_level: Mutex<Option<LoggingLevel>>,
    /// The headers that tools want, by the tool's name.
    tools: Mutex<HashMap<String, Arc<ToolHeaders>>>,
    /// Room for bodies of which nothing is expected.
    pub(super) unread: Arc<Semaphore>,
}

/// The session that a legacy server opened, if it keeps any.
#[derive(Debug, Clone, Default)]
pub(crate) struct Session {
    pub(crate) id: Option<Arc<Secret<String>>>,
    /// Which one it is on this lane.
    pub(crate) number: u64,
}

impl Lane {
    pub(crate) fn new(carrier: Arc<dyn Carrier>, event_stream: bool, limit: usize) -> Self {
        Self {
            carrier,
            event_stream,
            limit,
            session: watch::Sender::default(),
            offered: Mutex::default(),
            renewal: Mutex::default(),
            posted: watch::Sender::new(false),
            left: AtomicBool::new(false),
            greeted: watch::Sender::new(None),
            stream_known: watch::Sender::new(event_stream),
            log_level: Mutex::default(),
            tools: Mutex::default(),
            unread: Arc::new(Semaphore::new(UNREAD)),
        }
    }

    pub(crate) fn session(&self) -> Session {
        self.session.borrow().clone()
    }

    /// The present session and those that take its place.
    pub(crate) fn sessions(&self) -> watch::Receiver<Session> {
        self.session.subscribe()
    }

    /// An answer to `initialize` names a session, in which nothing but the end of the handshake happens yet. A name
    /// that is not visible ASCII is none (MCP 2025-11-25, basic/transports).
    pub(crate) fn offer(&self, id: Option<Secret<String>>) -> Session {
        let id = id.filter(|id| header::is_session_id(id.expose().as_bytes())).map(Arc::new);
        let session = Session { id, number: self.session().number + 1 };
        *self.offered.lock().unwrap_or_else(PoisonError::into_inner) = session.clone();
        session
    }

    /// The session that was offered last.
    pub(crate) fn offered(&self) -> Session {
        self.offered.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on messages are posted in this session.
    pub(crate) fn adopt(&self, session: Session) {
        self.session.send_replace(session);
        self.stream_known.send_replace(self.event_stream);
    }

    /// Waits until the server's own stream is open, or known not to be. Servers ask on it, and some drop what they
    /// would ask while it is not there. One that takes its time to say is waited for once.
    pub(crate) async fn hears(&self) {
        let mut known = self.stream_known.subscribe();
        let waited = tokio::time::timeout(HEARING, known.wait_for(|known| *known)).await.map(drop);
        if waited.is_err() {
            self.stream_known.send_replace(true);
        }
    }

    /// Posts a message in the present session, and says in which one it is.
    pub(crate) fn post(&self, message: Message) -> (Exchanging<'_>, Session) {
        let session = if message.opens_session { Session::default() } else { self.session() };
        (self.send(message, &session), session)
    }

    pub(crate) fn post_in(&self, message: &Message, session: &Session) -> Exchanging<'_> {
        self.send(message.clone(), session)
    }

    fn send(&self, message: Message, session: &Session) -> Exchanging<'_> {
        let Message { body, mut headers, .. } = message;
        headers.extend(session.id.as_deref().map(session_header));
        self.carrier.exchange(Exchange { verb: Verb::Post(body), headers })
    }

    /// Asks for a stream in a session, from the event after `last` on.
    pub(crate) async fn get(
        &self,
        session: &Session,
        revision: Option<Revision>,
        last: Option<&str>,
    ) -> Result<Answer, ExchangeError> {
        let mut headers = session_headers(session, revision);
        if let Some(last) = last {
            let value = Secret::new(last.to_owned().into());
            headers.push(Header { name: header::LAST_EVENT_ID.into(), value });
        }
        self.carrier.exchange(Exchange { verb: Verb::Get, headers }).await
    }

    /// Waits for the last posts of a connection that closes, then ends the session, as far as the server wants to know;
    /// it is told once.
    pub(crate) async fn leave(&self, revision: Option<Revision>) {
        let _ = tokio::time::timeout(FAREWELL, self.posted.subscribe().wait_for(|posted| *posted)).await;
        let session = self.session();
        if session.id.is_none() || self.left.swap(true, Ordering::Relaxed) {
            return;
        }
        let exchange = Exchange { verb: Verb::Delete, headers: session_headers(&session, revision) };
        // Servers that do not offer this say so; there is nothing else to be done in any case.
        let _ = tokio::time::timeout(FAREWELL, self.carrier.exchange(exchange)).await;
    }

    /// Which headers a tool wants, as its server last described it.
    pub(crate) fn headers_of(&self, tool: &str) -> Option<Arc<ToolHeaders>> {
        self.tools.lock().unwrap_or_else(PoisonError::into_inner).get(tool).cloned()
    }

    /// Takes note of what a tool wants, which may be nothing.
    pub(crate) fn learn(&self, tool: &str, headers: ToolHeaders) {
        let mut tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        if headers.is_empty() {
            tools.remove(tool);
        } else {
            if tools.len() == MOST_TOOLS {
                tools.clear();
            }
            tools.insert(tool.to_owned(), Arc::new(headers));
        }
    }
}

fn session_headers(session: &Session, revision: Option<Revision>) -> Vec<Header> {
    revision.and_then(version).into_iter().chain(session.id.as_deref().map(session_header)).collect()
}

fn session_header(id: &Secret<String>) -> Header {
    Header { name: header::SESSION_ID.into(), value: id.map(|id| id.clone().into()) }
}
