//! What a session is at.

use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::window::Window;
use crate::wire::{Ending, Prompt};

/// What a session is at.
#[derive(Debug, Default)]
pub(super) enum Stage {
    /// Nothing.
    #[default]
    Resting,
    /// The first prompt waits for servers.
    Waiting { prompt: Prompt, window: Window, began: Instant },
    /// A turn is taken.
    Turning { turn: Task, interrupt: watch::Sender<bool>, began: Instant },
}

impl Stage {
    /// How much longer the first prompt waits at most; `None` if it does not, or without an end.
    pub(super) fn deadline(&self) -> Option<Duration> {
        match self {
            Self::Waiting { window, .. } => window.deadline(),
            _ => None,
        }
    }

    pub(super) fn is_resting(&self) -> bool {
        matches!(self, Self::Resting)
    }
}

/// A turn in a task of its own, which is given up when this is dropped.
#[derive(Debug)]
pub(super) struct Task(pub(super) JoinHandle<Ending>);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Waits for the end of the turn that is taken; for ever if there is none. One that panicked says with what.
pub(super) async fn turned(stage: &mut Stage) -> Result<Ending, String> {
    match stage {
        Stage::Turning { turn, .. } => (&mut turn.0).await.map_err(|error| match error.try_into_panic() {
            Ok(panic) => match panic.downcast::<String>() {
                Ok(text) => *text,
                Err(panic) => panic
                    .downcast::<&str>()
                    .map_or_else(|_| "it panicked".to_owned(), |text| text.to_string()),
            },
            Err(error) => error.to_string(),
        }),
        _ => std::future::pending().await,
    }
}
