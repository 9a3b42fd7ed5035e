//! Whether a request is still wanted.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use tokio::sync::Notify;

/// Whether a request is still wanted, and whom that concerns.
#[derive(Debug, Default)]
pub(crate) struct Control {
    state: Mutex<State>,
    cancelled: Notify,
}

#[derive(Debug, Default)]
struct State {
    cancelled: bool,
    /// Whoever drives the handler.
    driver: Option<Waker>,
}

impl Control {
    /// The request is not wanted any more. Whoever drives its handler drops it.
    pub(crate) fn cancel(&self) {
        let driver = {
            let mut state = self.state();
            state.cancelled = true;
            state.driver.take()
        };
        self.cancelled.notify_waiters();
        if let Some(driver) = driver {
            driver.wake();
        }
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.state().cancelled
    }

    /// Waits until the request is not wanted any more.
    pub(crate) async fn cancelled(&self) {
        loop {
            let notified = self.cancelled.notified();
            tokio::pin!(notified);
            notified.as_mut().enable();
            if self.is_cancelled() {
                return;
            }
            notified.await;
        }
    }

    /// Has the driver look again.
    pub(crate) fn wake_driver(&self) {
        let driver = self.state().driver.take();
        if let Some(driver) = driver {
            driver.wake();
        }
    }

    /// Says who drives the handler, and whether it is to be dropped.
    pub(crate) fn drive(&self, driver: &Waker) -> bool {
        let mut state = self.state();
        if !state.driver.as_ref().is_some_and(|known| known.will_wake(driver)) {
            state.driver = Some(driver.clone());
        }
        state.cancelled
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
