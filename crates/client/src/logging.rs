//! Which log messages a server sends, and telling it of changed directories.

use std::sync::PoisonError;

use codewhale_mcp_protocol::{EmptyResult, LoggingLevel, SetLevelParams, method};
use codewhale_mcp_session::{Budget, Pen};

use crate::client::Client;
use crate::error::CallError;
use crate::request::Request;
use crate::shared::wake;

impl Client {
    /// Asks for log messages from `level` on; they come as [`Event::Message`](crate::Event::Message).
    ///
    /// A legacy server is told at once, if it offers that; a modern one with every further request (MCP 2026-07-28,
    /// server/utilities/logging).
    ///
    /// # Errors
    /// As for any request; [`CallError::ServerLacks`] for a legacy server without the capability `logging`.
    pub async fn set_log_level(&self, level: LoggingLevel) -> Result<(), CallError> {
        if self.shared().lock().session.want_log_messages(Some(level.as_str())) {
            return Ok(());
        }
        if self.server().capabilities.logging.is_none() {
            return Err(CallError::ServerLacks { capability: "logging" });
        }
        let params = SetLevelParams { level: level.clone(), ..SetLevelParams::default() };
        let budget = Budget::total(self.options().read_timeout);
        let request: Request<'_, _, EmptyResult> = Request::new(self, method::SET_LEVEL, params, budget);
        request.send().await?;
        if let Some(lane) = self.shared().lane_if_any() {
            *lane.log_level.lock().unwrap_or_else(PoisonError::into_inner) = Some(level);
        }
        Ok(())
    }

    /// Tells a legacy server that the directories it may look at are others now. The modern era has no such message
    /// (MCP 2026-07-28, changelog), and a server that was not told that we say so is not told either.
    pub fn roots_changed(&self) {
        let declared = self.options().capabilities.roots.as_ref();
        let says_so = declared.is_some_and(|roots| roots.list_changed == Some(true));
        if !says_so || self.server().era() != codewhale_mcp_protocol::Era::Legacy {
            return;
        }
        let mut frame = Vec::new();
        Pen::notification(method::ROOTS_LIST_CHANGED, &mut frame);
        let waker = {
            let mut state = self.shared().lock();
            if state.gone.is_some() || state.closing { None } else { state.append(&frame) }
        };
        wake(waker);
    }
}
