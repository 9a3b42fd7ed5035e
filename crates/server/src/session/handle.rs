//! The session itself.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use codewhale_mcp_protocol::{
    CancelledParams, ClientCapabilities, ErrorObject, Implementation, InitializeParams, Json, LoggingLevel,
    Revision, SubscriptionFilter, code, method, write_json,
};
use serde_json::value::RawValue;
use tokio::sync::watch;

use super::{Opening, opening};
use crate::asks::Asks;
use crate::in_flight::InFlight;
use crate::incoming::{Body, Incoming};
use crate::outlet::Outlet;
use crate::running::refused;
use crate::subscriptions::{Listener, notification};
use crate::{Exchange, Facts, InputError, Server, wire};

/// A session of the legacy era: what `initialize` began, and what belongs to it until it is closed (MCP 2025-11-25,
/// basic/lifecycle). Clones are the same.
#[derive(Clone)]
pub struct Session(Arc<Shared>);

struct Shared {
    server: Server,
    revision: Revision,
    client: InitializeParams,
    level: Mutex<LoggingLevel>,
    asks: Asks,
    in_flight: Arc<InFlight>,
    listener: Arc<Listener>,
    stage: watch::Sender<Stage>,
}

/// How far a session has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The client has not said that it is ready.
    Opening,
    Ready,
    Closed,
}

impl Session {
    /// Opens a session, and gives the answer to `initialize`.
    ///
    /// # Errors
    /// The answer, when there is no session: the message is not `initialize`, or cannot be read.
    pub fn open(server: &Server, initialize: &Incoming<'_>) -> Result<(Self, Vec<u8>), Vec<u8>> {
        Self::begin(server, initialize, Arc::default())
    }

    pub(crate) fn begin(
        server: &Server,
        initialize: &Incoming<'_>,
        in_flight: Arc<InFlight>,
    ) -> Result<(Self, Vec<u8>), Vec<u8>> {
        let (id, params) = match &initialize.body {
            Body::Request { id, method, params, .. } if method == method::INITIALIZE => (*id, params),
            _ => {
                let message = "a session begins with initialize".to_owned();
                let error = ErrorObject { code: code::INVALID_REQUEST, message, ..ErrorObject::default() };
                return Err(initialize.refuse(&error));
            }
        };
        let mut out = Vec::new();
        match opening(server, params.raw) {
            Err(error) => {
                refused(id, &error, &mut out);
                Err(out)
            }
            Ok(Opening { revision, client, result }) => {
                wire::result(id, &mut out, |out| {
                    write_json(&result, out).expect("wire types have a JSON form");
                });
                Ok((Self::new(server.clone(), revision, client, in_flight), out))
            }
        }
    }

    fn new(server: Server, revision: Revision, client: InitializeParams, in_flight: Arc<InFlight>) -> Self {
        let ours = server.capabilities();
        let told = |able: &Option<codewhale_mcp_protocol::ListCapability>| {
            Some(able.as_ref().is_some_and(|able| able.list_changed))
        };
        let listener = Arc::new(Listener::of(&SubscriptionFilter {
            tools_list_changed: told(&ours.tools),
            prompts_list_changed: told(&ours.prompts),
            resources_list_changed: told(&ours.resources),
            ..SubscriptionFilter::default()
        }));
        server.hub().join(&listener);
        Self(Arc::new(Shared {
            server,
            revision,
            client,
            // Until the client says otherwise, the server chooses.
            level: Mutex::new(LoggingLevel::Info),
            asks: Asks::default(),
            in_flight,
            listener,
            stage: watch::Sender::new(Stage::Opening),
        }))
    }

    /// Takes up a message of the client. What comes of it, up to the answer, comes by the exchange; nothing comes of a
    /// notification or a response.
    ///
    /// Dropping the exchange cancels the request. Over HTTP the end of a connection is not that (MCP 2025-11-25,
    /// basic/transports), so it goes on being asked for its messages by a task of its own.
    #[must_use]
    pub fn exchange(&self, message: &Incoming<'_>, facts: Facts) -> Exchange {
        Exchange::in_session(self, message, facts)
    }

    /// What the server says by itself. A session has one such stream; each message comes once.
    #[must_use]
    pub fn events(&self) -> Events {
        Events { session: self.clone(), stage: self.0.stage.subscribe() }
    }

    /// The revision it is held in.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.0.revision
    }

    /// What the client says it can do.
    #[must_use]
    pub fn capabilities(&self) -> &ClientCapabilities {
        &self.0.client.capabilities
    }

    /// Who the client says it is.
    #[must_use]
    pub fn client_info(&self) -> &Implementation {
        &self.0.client.client_info
    }

    /// The server.
    #[must_use]
    pub fn server(&self) -> &Server {
        &self.0.server
    }

    /// Ends it: requests are cancelled, and nobody waits for the client any more. An exchange that is under way says so
    /// by an error.
    pub fn close(&self) {
        self.0.stage.send_replace(Stage::Closed);
        self.0.in_flight.cancel_all();
        self.0.asks.end();
    }

    /// Whether the client has not said that it is ready.
    #[cfg(feature = "http")]
    pub(crate) fn is_opening(&self) -> bool {
        *self.0.stage.borrow() == Stage::Opening
    }

    /// Whether it was closed.
    pub(crate) fn is_closed(&self) -> bool {
        *self.0.stage.borrow() == Stage::Closed
    }

    pub(crate) fn in_flight(&self) -> &Arc<InFlight> {
        &self.0.in_flight
    }

    pub(crate) fn listener(&self) -> &Arc<Listener> {
        &self.0.listener
    }

    /// Whether there are tasks here: one revision has them.
    pub(crate) fn has_tasks(&self) -> bool {
        self.0.revision == Revision::V2025_11_25 && self.0.server.capabilities().tasks.is_some()
    }

    pub(crate) fn watches(&self) -> bool {
        self.0.server.capabilities().resources.as_ref().is_some_and(|resources| resources.subscribe)
    }

    pub(crate) fn log_level(&self) -> Option<LoggingLevel> {
        Some(self.level().clone())
    }

    pub(crate) fn set_log_level(&self, level: LoggingLevel) {
        *self.level() = level;
    }

    fn level(&self) -> MutexGuard<'_, LoggingLevel> {
        self.0.level.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) async fn ask(&self, outlet: &Outlet, name: &str, params: &Json) -> Result<Json, InputError> {
        self.0.asks.ask(outlet, name, params).await
    }

    /// The client said something that wants no answer.
    pub(crate) fn notified(&self, name: &str, params: Option<&RawValue>) {
        match name {
            method::INITIALIZED => {
                self.0.stage.send_if_modified(|stage| {
                    let opening = *stage == Stage::Opening;
                    if opening {
                        *stage = Stage::Ready;
                    }
                    opening
                });
            }
            method::CANCELLED => cancelled(&self.0.in_flight, params),
            // Whoever wants to know the directories asks for them.
            _ => {}
        }
    }

    /// The client answered a request of ours.
    pub(crate) fn succeeded(&self, id: &RawValue, result: &RawValue) {
        self.0.asks.answered(id.get(), Ok(Json::from(result)));
    }

    /// The client refused a request of ours.
    pub(crate) fn failed(&self, id: Option<&RawValue>, error: &RawValue) {
        let Some(id) = id else { return };
        let unreadable =
            |fault: serde_json::Error| ErrorObject { message: fault.to_string(), ..Default::default() };
        let error = serde_json::from_str(error.get()).unwrap_or_else(unreadable);
        self.0.asks.answered(id.get(), Err(error));
    }
}

/// The client does not want a request any more. What names none is ignored.
pub(crate) fn cancelled(in_flight: &InFlight, params: Option<&RawValue>) {
    let params = params.and_then(|params| serde_json::from_str::<CancelledParams>(params.get()).ok());
    let key = params.and_then(|params| params.request_id?.decode().ok());
    if let Some(key) = key {
        in_flight.cancel(&key);
    }
}

/// What a server says by itself within a session.
#[derive(Debug)]
pub struct Events {
    session: Session,
    stage: watch::Receiver<Stage>,
}

impl Events {
    /// The next message, whole; `None` when the session has ended. Nothing comes before the client is ready. Dropping the
    /// future loses nothing.
    pub async fn next(&mut self) -> Option<Vec<u8>> {
        // The sender is part of the session, which is held here.
        let stage = *self.stage.wait_for(|stage| *stage != Stage::Opening).await.ok()?;
        if stage == Stage::Closed {
            return None;
        }
        tokio::select! {
            biased;
            _ = self.stage.wait_for(|stage| *stage == Stage::Closed) => None,
            news = self.session.0.listener.next() => Some(notification(news, None)),
        }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("revision", &self.0.revision).finish_non_exhaustive()
    }
}
