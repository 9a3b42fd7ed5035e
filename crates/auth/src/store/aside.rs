//! Calls that block, in a thread of their own.

use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

use crate::credentials::StoreError;

/// Runs `work` aside and waits for it, at most for `limit`. Work that takes longer, or that nobody waits for any more,
/// goes on and holds up neither the runtime nor the end of the process; what it brings is dropped.
pub(super) async fn aside<T: Send + 'static>(
    what: &'static str,
    limit: Duration,
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let unusable = |reason| Err(StoreError::Unusable { reason });
    let (sender, receiver) = oneshot::channel();
    let run = move || {
        let _ = sender.send(work());
    };
    if let Err(error) = thread::Builder::new().name("credentials".to_owned()).spawn(run) {
        return unusable(format!("cannot start a thread: {error}"));
    }
    match tokio::time::timeout(limit, receiver).await {
        Ok(Ok(result)) => result,
        Ok(Err(_)) => unusable(format!("{what} came to a sudden end")),
        Err(_) => unusable(format!("{what} did not answer within {} s", limit.as_secs_f32())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_never_answers_is_given_up() {
        let (hold, held) = std::sync::mpsc::sync_channel::<()>(0);
        let limit = Duration::from_millis(10);
        let given_up = aside("the keyring", limit, move || {
            let _ = held.recv();
            Ok(())
        });
        let error = given_up.await.unwrap_err().to_string();
        assert!(error.ends_with("the keyring did not answer within 0.01 s"), "{error}");
        drop(hold);
    }

    #[tokio::test]
    async fn a_panic_is_an_error() {
        let error = aside::<()>("it", Duration::from_secs(60), || panic!("no")).await.unwrap_err();
        assert!(error.to_string().ends_with("it came to a sudden end"), "{error}");
    }
}
