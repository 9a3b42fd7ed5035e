//! Signals that wait while somebody gets ready to hear them.

use nix::sys::signal::{SigSet, SigmaskHow, Signal};

/// As long as it exists, `SIGINT` and `SIGTERM` that come are kept by the system and not delivered to this thread.
///
/// Only this thread keeps them: they are held back from the program as long as it is the only one.
#[derive(Debug)]
pub(super) struct Held {
    /// What this thread kept before; `None` if the system holds nothing back.
    before: Option<SigSet>,
}

impl Held {
    pub(super) fn back() -> Self {
        let signals: SigSet = [Signal::SIGINT, Signal::SIGTERM].into_iter().collect();
        Self { before: signals.thread_swap_mask(SigmaskHow::SIG_BLOCK).ok() }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // It took the first change, so it takes this one.
            let _ = before.thread_set_mask();
        }
    }
}
