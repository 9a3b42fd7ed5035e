//! One request and its answer, as seen by both threads that have to do with it: one writes the answer, the other
//! sees the client leave.

use std::sync::{Condvar, Mutex, MutexGuard};

type Deed = Box<dyn FnOnce() + Send>;

/// Whether the answer is out, and whether the client waited for it.
#[derive(Default)]
pub(super) struct Exchange {
    held: Mutex<Held>,
    changed: Condvar,
}

#[derive(Default)]
struct Held {
    done: bool,
    left: bool,
    on_leave: Vec<Deed>,
}

impl Exchange {
    /// The answer is as good as out: a client that leaves now has all it wants.
    pub(super) fn done(&self) {
        self.held().done = true;
    }

    /// The client has closed the connection.
    pub(super) fn leave(&self) {
        let mut held = self.held();
        held.left = true;
        let deeds = if held.done { Vec::new() } else { std::mem::take(&mut held.on_leave) };
        drop(held);
        deeds.into_iter().rev().for_each(|deed| deed());
        self.changed.notify_all();
    }

    /// What is to be done when the client leaves before the answer is out: before all that was asked for earlier.
    pub(super) fn on_leave(&self, deed: impl FnOnce() + Send + 'static) {
        let mut held = self.held();
        if held.left {
            drop(held);
            return deed();
        }
        held.on_leave.push(Box::new(deed));
    }

    /// Waits until the client has left.
    pub(super) fn wait_for_leave(&self) {
        let held = self.held();
        drop(self.changed.wait_while(held, |held| !held.left).expect("no holder panics"));
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().expect("no holder panics")
    }
}
