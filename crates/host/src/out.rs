//! Which messages leave, by the format of the output.

use codewhale_mcp_redact::{safe_json, safe_text};

use crate::flags::{Asked, Output};
use crate::wire::{Ending, Outbox};

/// Lets out what the output's format has room for.
#[derive(Debug, Clone)]
pub(crate) struct Out {
    outbox: Outbox,
    format: Output,
    /// Whether it is told what the first prompt waits for.
    window: bool,
}

impl Out {
    pub(crate) fn new(asked: &Asked, outbox: Outbox) -> Self {
        Self { outbox, format: asked.output, window: !asked.print }
    }

    /// Whether messages tell what happens.
    pub(crate) fn has_messages(&self) -> bool {
        self.format == Output::StreamJson
    }

    /// A message of a session.
    pub(crate) fn message(&self, line: String) {
        if self.format == Output::StreamJson {
            self.outbox.push(line);
        }
    }

    /// The same when not too much waits to leave.
    pub(crate) async fn message_in_turn(&self, line: String) {
        if self.format == Output::StreamJson {
            self.outbox.push_in_turn(line).await;
        }
    }

    /// What is told of the first prompt's wait.
    pub(crate) fn window(&self, line: impl FnOnce() -> String) {
        if self.window && self.format == Output::StreamJson {
            self.outbox.push(line());
        }
    }

    /// Waits until not too much waits to leave.
    pub(crate) async fn room(&self) {
        self.outbox.room().await;
    }

    /// How a prompt ended.
    pub(crate) fn result(&self, ending: &Ending, line: String) {
        match self.format {
            Output::StreamJson => self.outbox.push(line),
            // A terminal may stand behind it, and behind text.
            Output::Json => self.outbox.push(safe_json(&line).into_owned()),
            Output::Text if ending.subtype == "success" => {
                self.outbox.push(safe_text(&ending.result).into_owned());
            }
            // What went wrong is for standard error.
            Output::Text => {}
        }
    }
}
