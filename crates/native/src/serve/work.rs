//! Work on a thread of its own, which ends with its call.

use std::sync::Arc;

use codewhale_mcp_server::Failure;
use tokio::sync::Semaphore;

use crate::{Fault, Stop};

/// How many pieces of work go on at one time; the others wait.
const AT_ONCE: usize = 8;

/// Where work that blocks is done.
#[derive(Debug, Clone)]
pub(super) struct Work(Arc<Semaphore>);

impl Default for Work {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl Work {
    /// Does it. When this is dropped, the work ends at the next place where it looks.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Stop) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Failure> {
        let turn = Arc::clone(&self.0).acquire_owned().await?;
        let stop = Stop::default();
        let _unwanted = Unwanted(stop.clone());
        let done = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work(&stop)
        });
        Ok(done.await??)
    }
}

/// Stops work that nobody waits for any more.
struct Unwanted(Stop);

impl Drop for Unwanted {
    fn drop(&mut self) {
        self.0.stop();
    }
}
