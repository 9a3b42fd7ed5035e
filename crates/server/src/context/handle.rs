//! The handle that a handler has on its request and its client.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use codewhale_mcp_protocol::{
    ClientCapabilities, Era, Implementation, Json, LoggingLevel, Meta, ProgressParams, Revision, method,
};
use serde::Serialize;

use super::{Control, Rounds};
use crate::outlet::Outlet;
use crate::session::Session;
use crate::tasks::Entry;
use crate::{Facts, Server, wire};

/// What a handler is given beside the request: the client it answers, and ways to reach it. Clones are the same.
///
/// A request that is not wanted any more has its handler dropped where it waits. What has to be done then belongs into a
/// `Drop`; work that goes on elsewhere, on a thread of its own, looks at [`is_cancelled`](Self::is_cancelled).
#[derive(Clone)]
pub struct Context(pub(super) Arc<Parts>);

/// What a context is made of.
pub(crate) struct Parts {
    pub(crate) server: Server,
    pub(crate) revision: Revision,
    pub(crate) asking: Asking,
    pub(crate) meta: Option<Meta>,
    pub(crate) progress_token: Option<Json>,
    pub(crate) log_level: Option<LoggingLevel>,
    /// What a modern request says its client can do, decoded when somebody asks.
    pub(crate) capabilities: OnceLock<ClientCapabilities>,
    pub(crate) outlet: Outlet,
    pub(crate) facts: Facts,
    pub(crate) control: Control,
}

/// How the client is asked for something.
pub(crate) enum Asking {
    /// By a request of ours (legacy).
    Session(Session),
    /// By a result (modern).
    Rounds(Box<Rounds>),
    /// As what a task waits for.
    Task {
        /// The task.
        entry: Arc<Entry>,
        /// Where it was begun in one (legacy).
        session: Option<Session>,
    },
}

impl Asking {
    /// The session that the request, or the task that it became, belongs to.
    pub(crate) fn session(&self) -> Option<&Session> {
        match self {
            Self::Session(session) | Self::Task { session: Some(session), .. } => Some(session),
            Self::Rounds(_) | Self::Task { session: None, .. } => None,
        }
    }
}

impl Context {
    pub(crate) fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// The server that answers.
    #[must_use]
    pub fn server(&self) -> &Server {
        &self.0.server
    }

    /// The revision that the request is answered in.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.0.revision
    }

    /// The era of that revision.
    #[must_use]
    pub fn era(&self) -> Era {
        self.0.revision.era()
    }

    /// What the client says it can do: of a modern request, in that request.
    #[must_use]
    pub fn client_capabilities(&self) -> &ClientCapabilities {
        match self.0.asking.session() {
            Some(session) => session.capabilities(),
            None => self
                .0
                .capabilities
                .get_or_init(|| self.0.meta.as_ref().and_then(Meta::client_capabilities).unwrap_or_default()),
        }
    }

    /// Who the client says it is. Nothing may depend on that (MCP 2026-07-28, basic/index).
    #[must_use]
    pub fn client_info(&self) -> Option<Cow<'_, Implementation>> {
        match self.0.asking.session() {
            Some(session) => Some(Cow::Borrowed(session.client_info())),
            None => self.0.meta.as_ref()?.client_info().map(Cow::Owned),
        }
    }

    /// The request's `_meta`, as it came.
    #[must_use]
    pub fn meta(&self) -> Option<&Meta> {
        self.0.meta.as_ref()
    }

    /// What the transport knows of the request.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.0.facts
    }

    /// Says how far the request has come, where the client wants to know. `done` grows with each call; `total` is what
    /// there is to do, if known. Waits while the client does not read.
    pub async fn progress(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        let Some(token) = &self.0.progress_token else { return };
        let params = ProgressParams {
            progress_token: token.clone(),
            progress: done,
            total,
            message: message.filter(|_| self.0.revision >= Revision::V2025_03_26).map(ToOwned::to_owned),
            ..ProgressParams::default()
        };
        self.tell(method::PROGRESS, &params).await;
    }

    /// Sends a log message, where the client wants messages of that level (MCP 2026-07-28, server/utilities/logging).
    /// Waits while the client does not read.
    pub async fn log<T: Serialize + ?Sized>(&self, level: LoggingLevel, logger: Option<&str>, data: &T) {
        let least = match &self.0.asking {
            Asking::Session(session) => session.log_level(),
            Asking::Rounds(_) => self.0.log_level.clone(),
            // Tasks have neither progress nor messages.
            Asking::Task { .. } => None,
        };
        if !self.0.server.logs() || least.is_none_or(|least| level < least) {
            return;
        }
        let Ok(data) = Json::encode(data) else { return };
        let params = codewhale_mcp_protocol::MessageParams {
            level: level.as_str().to_owned(),
            logger: logger.map(ToOwned::to_owned),
            data: Some(data),
            ..Default::default()
        };
        self.tell(method::MESSAGE, &params).await;
    }

    /// Whether the request is not wanted any more.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.control.is_cancelled()
    }

    /// Waits until the request is not wanted any more; for work that goes on outside of the handler.
    pub async fn cancelled(&self) {
        self.0.control.cancelled().await;
    }

    async fn tell<T: Serialize>(&self, method: &str, params: &T) {
        if !self.is_cancelled() {
            // Whoever left need not be told.
            let _ = self.0.outlet.send(wire::notification(method, params)).await;
        }
    }

    pub(crate) fn parts(&self) -> &Parts {
        &self.0
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("revision", &self.0.revision).finish_non_exhaustive()
    }
}
