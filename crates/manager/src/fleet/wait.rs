//! Until a server is up, or will not be.

use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_client::Client;
use tokio::time::{Instant, timeout, timeout_at};

use super::error::FleetError;
use super::handle::Fleet;
use super::live::Live;
use super::member::Member;
use super::status::ServerStatus;
use crate::supervisor::{Fact, Origin, ServerState, Stage};

impl Fleet {
    /// A connection to a server, for requests that are no calls of tools. A server that was never started is started;
    /// one that is connecting, or about to be tried again, is waited for, `patience` at most.
    ///
    /// # Errors
    /// When it is not up in time, or will not be.
    pub async fn connected(&self, server: &str, patience: Duration) -> Result<Client, FleetError> {
        let live = self.live(server, deadline(patience)).await?;
        Ok(live.client.clone())
    }

    /// The connection to a server that is up. Starts nothing and waits for nothing.
    #[must_use]
    pub fn client(&self, server: &str) -> Option<Client> {
        self.lock().members.get(server)?.live.as_ref().map(|live| live.client.clone())
    }

    /// Waits until all of these servers have settled, or all that are on their way where none is named, `patience` at
    /// most; how they are then, in the order of the configuration. Named servers are started.
    pub async fn wait(&self, servers: Option<&[String]>, patience: Duration) -> Vec<ServerStatus> {
        let chosen = |status: &ServerStatus| match servers {
            Some(names) => names.contains(&status.name),
            None => status.state != ServerState::Disabled && status.state != ServerState::Configured,
        };
        let names: Vec<String> =
            self.statuses().into_iter().filter(chosen).map(|status| status.name).collect();
        let all = async {
            for name in &names {
                self.tell(name, Fact::Wanted);
            }
            for name in &names {
                self.settling(name).await;
            }
        };
        let _ = timeout(patience, all).await;
        self.statuses().into_iter().filter(|status| names.contains(&status.name)).collect()
    }

    /// Comes true when a server is not on its way any more. It does not keep the fleet.
    pub(super) fn settling(&self, server: &str) -> impl Future<Output = ()> + Send + use<> {
        let (fleet, server) = (self.downgrade(), server.to_owned());
        let changed = self.lock().members.get(&server).map(|member| member.changed.subscribe());
        async move {
            let Some(mut changed) = changed else { return };
            loop {
                match fleet.upgrade().map(Fleet) {
                    Some(fleet) if fleet.is_on_its_way(&server) => {}
                    _ => return,
                }
                if changed.changed().await.is_err() {
                    return;
                }
            }
        }
    }

    fn is_on_its_way(&self, server: &str) -> bool {
        let held = self.lock();
        let stage = held.members.get(server).filter(|_| !held.is_closing).map(|member| member.life.stage);
        matches!(stage, Some(Stage::Connecting { .. } | Stage::Offline { retry: Some(_) }))
    }

    /// A connection to a server, started and waited for as far as that is of use.
    pub(super) async fn live(
        &self,
        server: &str,
        deadline: Option<Instant>,
    ) -> Result<Arc<Live>, FleetError> {
        // A server that is tried again is waited for once: what it comes to then is the answer.
        let mut waited_for = None;
        loop {
            let mut changed = {
                let mut held = self.lock();
                if held.is_closing {
                    return Err(FleetError::ServerStopped { server: server.to_owned() });
                }
                let is_up = |member: &Member| member.live.clone();
                if let Some(live) = held.members.get(server).and_then(is_up) {
                    return Ok(live);
                }
                held.tell(self, server, Fact::Wanted, |_| {});
                let Some(member) = held.members.get(server) else {
                    return Err(FleetError::ServerUnknown { server: server.to_owned() });
                };
                let attempt = member.life.attempt;
                let comes = match member.life.stage {
                    Stage::Connecting { origin: Origin::Asked, .. } => true,
                    Stage::Connecting { .. } => *waited_for.get_or_insert(attempt) == attempt,
                    Stage::Offline { retry: Some(_) } => *waited_for.get_or_insert(attempt + 1) > attempt,
                    _ => false,
                };
                if !comes {
                    return Err(member.unready(server, self.now()));
                }
                member.changed.subscribe()
            };
            let in_time = match deadline {
                Some(deadline) => timeout_at(deadline, changed.changed()).await.is_ok(),
                None => changed.changed().await.is_ok(),
            };
            if !in_time {
                let held = self.lock();
                let unknown = || FleetError::ServerUnknown { server: server.to_owned() };
                let member = held.members.get(server).ok_or_else(unknown)?;
                return member.live.clone().ok_or_else(|| member.unready(server, self.now()));
            }
        }
    }
}

/// A moment so far from now; one that no clock can show never comes.
pub(super) fn deadline(patience: Duration) -> Option<Instant> {
    Instant::now().checked_add(patience)
}
