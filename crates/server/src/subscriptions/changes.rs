//! The handle that a server's owner says with what changed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use codewhale_mcp_protocol::Task;

use super::Listener;

/// Says what changed, to every client that wants to hear it. What a client has not heard yet is told once, however often
/// it changed meanwhile. Clones are the same.
#[derive(Debug, Clone)]
pub struct Changes(Arc<Hub>);

/// All who listen.
#[derive(Debug, Default)]
pub(crate) struct Hub(Mutex<Vec<Weak<Listener>>>);

impl Changes {
    pub(crate) fn new(hub: Arc<Hub>) -> Self {
        Self(hub)
    }

    /// The list of tools is another one now.
    pub fn tools(&self) {
        self.0.tell(|listener| listener.tools());
    }

    /// The list of prompts is another one now.
    pub fn prompts(&self) {
        self.0.tell(|listener| listener.prompts());
    }

    /// The list of resources is another one now.
    pub fn resources(&self) {
        self.0.tell(|listener| listener.resources());
    }

    /// A resource says something else now.
    pub fn resource(&self, uri: &str) {
        self.0.tell(|listener| listener.resource(uri));
    }
}

impl Hub {
    pub(crate) fn join(&self, listener: &Arc<Listener>) {
        self.all().push(Arc::downgrade(listener));
    }

    pub(crate) fn task(&self, task: &Task) {
        self.tell(|listener| listener.task(task));
    }

    fn tell(&self, what: impl Fn(&Listener)) {
        let listening: Vec<Arc<Listener>> = {
            let mut all = self.all();
            all.retain(|listener| listener.strong_count() > 0);
            all.iter().filter_map(Weak::upgrade).collect()
        };
        listening.iter().for_each(|listener| what(listener));
    }

    fn all(&self) -> MutexGuard<'_, Vec<Weak<Listener>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
