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
        let mut all = self.all();
        if all.len() == all.capacity() {
            // Nothing may ever change, and whoever comes and leaves must not stay here.
            forget_left(&mut all);
            // So that the next look is as many listeners away.
            let count = all.len();
            all.reserve(count.max(8));
        }
        all.push(Arc::downgrade(listener));
    }

    pub(crate) fn task(&self, task: &Task) {
        self.tell(|listener| listener.task(task));
    }

    fn tell(&self, what: impl Fn(&Listener)) {
        let listening: Vec<Arc<Listener>> = {
            let mut all = self.all();
            forget_left(&mut all);
            all.iter().filter_map(Weak::upgrade).collect()
        };
        listening.iter().for_each(|listener| what(listener));
    }

    fn all(&self) -> MutexGuard<'_, Vec<Weak<Listener>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn forget_left(all: &mut Vec<Weak<Listener>>) {
    all.retain(|listener| listener.strong_count() > 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_left_is_forgotten_though_nothing_changes() {
        let hub = Hub::default();
        let stays: Vec<_> = (0..50).map(|_| Arc::new(Listener::default())).collect();
        stays.iter().for_each(|listener| hub.join(listener));
        for _ in 0..10_000 {
            hub.join(&Arc::default());
        }
        assert!(hub.all().len() < 500, "{} are kept", hub.all().len());
        assert_eq!(hub.all().iter().filter_map(Weak::upgrade).count(), 50);
    }
}
