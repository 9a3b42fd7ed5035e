//! What is told, and to whom.

use std::sync::Weak;

use tokio::sync::broadcast;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use super::handle::{Fleet, Inner};
use super::status::ServerStatus;

/// Something that happened to the servers.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum FleetEvent {
    /// How all servers are, in the order of the configuration. A listener hears this first, and again in the place of
    /// what it was too slow for.
    Snapshot(Vec<ServerStatus>),
    /// A server is not as it was, or is new.
    Changed(Box<ServerStatus>),
    /// A server offers other tools than before.
    ToolsChanged {
        /// Its name.
        server: String,
    },
    /// A server said that its resources changed, or a resource that was subscribed to.
    ResourcesChanged {
        /// Its name.
        server: String,
    },
    /// A server said that its prompts changed.
    PromptsChanged {
        /// Its name.
        server: String,
    },
    /// A server stands in the configuration no more.
    Removed {
        /// Its name.
        server: String,
    },
}

/// What happens to the servers, for one listener. It may be as slow as it likes: nobody waits for it.
#[derive(Debug)]
pub struct FleetEvents {
    receiver: broadcast::Receiver<FleetEvent>,
    fleet: Weak<Inner>,
    snapshot: Option<Vec<ServerStatus>>,
}

impl FleetEvents {
    pub(super) fn new(
        receiver: broadcast::Receiver<FleetEvent>,
        fleet: Weak<Inner>,
        snapshot: Vec<ServerStatus>,
    ) -> Self {
        Self { receiver, fleet, snapshot: Some(snapshot) }
    }

    /// The next event, or `None` when there is no fleet any more. May be dropped while it waits.
    pub async fn next(&mut self) -> Option<FleetEvent> {
        loop {
            if let Some(snapshot) = self.snapshot.take() {
                return Some(FleetEvent::Snapshot(snapshot));
            }
            match self.receiver.recv().await {
                Ok(event) => return Some(event),
                Err(RecvError::Lagged(_)) => self.begin_again()?,
                Err(RecvError::Closed) => return None,
            }
        }
    }

    /// An event that is there already.
    pub fn ready(&mut self) -> Option<FleetEvent> {
        loop {
            if let Some(snapshot) = self.snapshot.take() {
                return Some(FleetEvent::Snapshot(snapshot));
            }
            match self.receiver.try_recv() {
                Ok(event) => return Some(event),
                Err(TryRecvError::Lagged(_)) => self.begin_again()?,
                Err(_) => return None,
            }
        }
    }

    /// What was missed is told at once, by how it stands now.
    fn begin_again(&mut self) -> Option<()> {
        let fleet = Fleet(self.fleet.upgrade()?);
        *self = fleet.events();
        Some(())
    }
}
