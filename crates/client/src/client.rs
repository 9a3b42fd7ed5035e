//! The handle on a connection.

use std::sync::Arc;

use codewhale_mcp_protocol::{Era, method};
use codewhale_mcp_session::{Budget, Established, Memory};
use codewhale_mcp_transport::{End, Peer};
use serde::de::IgnoredAny;

use crate::cache::Kind;
use crate::error::{CallError, Gone};
use crate::event::Events;
use crate::options::Options;
use crate::request::Request;
use crate::shared::Shared;

/// A handle on a connection to one server. Clones share the connection; when the last is dropped, the
/// connection is closed in the background.
#[derive(Debug, Clone)]
pub struct Client(pub(crate) Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) link: OpenLink,
    pub(crate) established: Established,
    pub(crate) options: Arc<Options>,
}

impl Client {
    /// What the server said about itself.
    #[must_use]
    pub fn server(&self) -> &Established {
        &self.0.established
    }

    /// What is worth knowing when this server is connected to the next time.
    #[must_use]
    pub fn memory(&self) -> Memory {
        self.shared().lock().session.memory()
    }

    /// Everything the server says of its own accord, from now on.
    #[must_use]
    pub fn events(&self) -> Events {
        let listener = self.shared().events.listener();
        match self.gone() {
            None => Events::new(listener),
            Some(_) => Events::over(listener),
        }
    }

    /// How the server was lost, once it is.
    #[must_use]
    pub fn gone(&self) -> Option<Arc<Gone>> {
        self.shared().lock().gone.clone()
    }

    /// How often the server has said that its list of tools changed, whether anybody listened or not.
    #[must_use]
    pub fn tool_changes(&self) -> u64 {
        self.shared().lock().changes.of(Kind::Tools)
    }

    /// The last lines that the server wrote beside the protocol, oldest first. They may hold anything.
    #[must_use]
    pub fn last_words(&self) -> Vec<String> {
        self.0.link.peer.last_words()
    }

    /// Asks a legacy server for a sign of life.
    ///
    /// # Errors
    /// As for any request; [`CallError::ServerLacks`] in the modern era, which has no such request.
    pub async fn ping(&self) -> Result<(), CallError> {
        if self.server().era() == Era::Modern {
            return Err(CallError::ServerLacks { capability: "ping" });
        }
        let budget = Budget::total(self.options().read_timeout);
        let request: Request<'_, (), IgnoredAny> = Request::new(self, method::PING, (), budget);
        request.send().await.map(drop)
    }

    /// Closes the connection and waits until the server is gone. Whatever waits for an answer gets an error.
    pub async fn close(&self) -> End {
        self.0.link.close().await
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.0.link.shared
    }

    pub(crate) fn options(&self) -> &Options {
        &self.0.options
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.shared().lock().closing
    }

    /// Whether we said that we can (MCP 2025-11-25, client/elicitation).
    pub(crate) fn sends_people_to_addresses(&self) -> bool {
        self.options().capabilities.elicitation.as_ref().is_some_and(|declared| declared.url.is_some())
    }

    pub(crate) fn execute_budget(&self) -> Budget {
        Budget { total: self.options().execute_timeout, idle: self.options().idle_timeout }
    }
}

/// A link whose tasks run. Dropping it closes the link in the background.
#[derive(Debug)]
pub(crate) struct OpenLink {
    pub(crate) shared: Arc<Shared>,
    pub(crate) peer: Arc<dyn Peer>,
}

impl OpenLink {
    pub(crate) async fn close(&self) -> End {
        self.shared.begin_closing();
        if let Some(lane) = self.shared.lane_if_any() {
            lane.leave(self.shared.revision()).await;
        }
        let end = self.peer.stop().await;
        self.shared.close(Gone { end: end.clone(), fault: None, last_words: self.peer.last_words() });
        end
    }
}

impl Drop for OpenLink {
    fn drop(&mut self) {
        {
            let state = self.shared.lock();
            if state.closing && state.gone.is_some() {
                return;
            }
        }
        self.shared.begin_closing();
        // Without a runtime nothing can be waited for; the process behind the peer has its own way to end.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let (shared, peer) = (self.shared.clone(), self.peer.clone());
            runtime.spawn(async move {
                if let Some(lane) = shared.lane_if_any() {
                    lane.leave(shared.revision()).await;
                }
                let end = peer.stop().await;
                shared.close(Gone { end, fault: None, last_words: Vec::new() });
            });
        }
    }
}
