//! The commands that run, all of which end with the server.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use codewhale_mcp_process::{Ladder, Process};
use tokio::sync::watch;

use crate::Fault;

/// How a command is ended: its input is closed already, so it is told to leave at once, and ended soon.
pub(super) const LADDER: Ladder =
    Ladder { stdin_wait: Duration::ZERO, term_wait: Duration::from_millis(400) };

/// The most commands at one time, those that are being ended included.
pub(super) const AT_ONCE: usize = 16;

/// Counts commands, from before their start until nobody of their group is left.
#[derive(Debug)]
pub(super) struct Running {
    count: watch::Sender<usize>,
    /// Whether no more are started.
    ended: Mutex<bool>,
}

impl Default for Running {
    fn default() -> Self {
        Self { count: watch::Sender::new(0), ended: Mutex::new(false) }
    }
}

impl Running {
    /// Announces a command. That is refused when there are too many, and when no more are started.
    pub(super) fn begin(self: &Arc<Self>) -> Result<Turn, Fault> {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if *ended {
            return Err(Fault::Cancelled);
        }
        let room = self.count.send_if_modified(|count| {
            let room = *count < AT_ONCE;
            *count += usize::from(room);
            room
        });
        if room { Ok(Turn { running: self.clone() }) } else { Err(Fault::TooManyCommands { limit: AT_ONCE }) }
    }

    /// Starts no more, and waits until none is left.
    pub(super) async fn end(&self) {
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        // The sender is ours, so this cannot fail.
        let _ = self.count.subscribe().wait_for(|count| *count == 0).await;
    }
}

/// One command, from before its start until nobody of its group is left.
#[derive(Debug)]
pub(super) struct Turn {
    running: Arc<Running>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.running.count.send_modify(|count| *count -= 1);
    }
}

/// Ends a command when nobody waits for it any more.
pub(super) struct Held {
    process: Process,
    turn: Option<Turn>,
}

impl Held {
    pub(super) fn new(process: Process, turn: Turn) -> Self {
        Self { process, turn: Some(turn) }
    }

    pub(super) fn process(&self) -> &Process {
        &self.process
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let (process, turn) = (self.process.clone(), self.turn.take());
        // Without a runtime the process is ended by force with it.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                process.stop(LADDER).await;
                drop(turn);
            });
        }
    }
}
