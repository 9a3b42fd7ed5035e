//! Which servers start when.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::JoinSet;

use super::handle::Fleet;
use crate::scope::Scope;
use crate::supervisor::{Fact, ServerState};

impl Fleet {
    /// Starts what a session waits for: the servers whose definition says so, and those that a list of names asks for,
    /// such as `[tools] always_load`. Returns at once; what has been started already goes on.
    pub fn start_eager(&self, always: &Scope) {
        for status in self.statuses() {
            if status.eager || always.asks_for(&status.name) {
                self.tell(&status.name, Fact::Wanted);
            }
        }
    }

    /// Starts the servers that a turn asks for by name. Returns at once.
    pub fn start_named(&self, turn: &Scope) {
        for status in self.statuses() {
            if turn.asks_for(&status.name) {
                self.tell(&status.name, Fact::Wanted);
            }
        }
    }

    /// Starts what has not been started, in the background and a few at a time. Returns at once.
    pub fn start_rest(&self) {
        let names = self.named(|state| state == ServerState::Configured);
        let (fleet, at_once) = (self.downgrade(), self.rules().at_once);
        let mut held = self.lock();
        if !held.is_closing {
            held.tasks.spawn(async move {
                let Some(starting) = fleet.upgrade().map(|fleet| Fleet(fleet).start_few(names, at_once))
                else {
                    return;
                };
                starting.await;
            });
        }
    }

    /// Starts a server that should be up: whatever failed before is tried again, and a server that is degraded is asked
    /// for its list again. Returns at once; false if there is no such server.
    pub fn connect(&self, server: &str) -> bool {
        self.told(server, Fact::Connect)
    }

    /// Switches a server on. It starts when it is needed. False if there is no such server.
    pub fn enable(&self, server: &str) -> bool {
        self.told(server, Fact::Enabled)
    }

    /// Switches a server off; what it works on is given up. False if there is no such server.
    pub fn disable(&self, server: &str) -> bool {
        self.told(server, Fact::Disabled)
    }

    fn told(&self, server: &str, fact: Fact) -> bool {
        let mut held = self.lock();
        held.tell(self, server, fact, |_| {});
        held.members.contains_key(server)
    }

    fn named(&self, pick: impl Fn(ServerState) -> bool) -> Vec<String> {
        let held = self.lock();
        let picked = |name: &&String| held.members.get(*name).is_some_and(|member| pick(member.life.state()));
        held.order.iter().filter(picked).cloned().collect()
    }

    /// Starts servers, each when fewer than `at_once` of them are on their way, and waits until all have settled. It
    /// does not keep the fleet.
    pub(super) fn start_few(
        &self,
        names: Vec<String>,
        at_once: usize,
    ) -> impl Future<Output = ()> + Send + use<> {
        let (fleet, workers) = (self.downgrade(), at_once.min(names.len()));
        let waiting = Arc::new(Mutex::new(names.into_iter()));
        async move {
            let mut starting = JoinSet::new();
            for _ in 0..workers {
                let (fleet, waiting) = (fleet.clone(), waiting.clone());
                starting.spawn(async move {
                    loop {
                        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
                        let Some((name, fleet)) = next.zip(fleet.upgrade().map(Fleet)) else { return };
                        fleet.tell(&name, Fact::Wanted);
                        let settled = fleet.settling(&name);
                        drop(fleet);
                        settled.await;
                    }
                });
            }
            while starting.join_next().await.is_some() {}
        }
    }
}
