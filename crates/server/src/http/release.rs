//! A handler's way to send its client away while it goes on.

use std::sync::{Arc, Weak};

use super::kept::Kept;

/// Lets go of the connection on which a request waits: of a legacy session, whose client is told when to come back for the
/// rest (MCP 2025-11-25, basic/transports). A handler finds it among the [`Facts`](crate::Facts) of its request:
///
/// ```
/// use codewhale_mcp_server::Context;
/// use codewhale_mcp_server::http::Release;
///
/// fn takes_an_hour(context: &Context) {
///     if let Some(connection) = context.facts().value::<Release>() {
///         connection.release();
///     }
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Release(Weak<Kept>);

impl Release {
    pub(super) fn of(kept: &Arc<Kept>) -> Self {
        Self(Arc::downgrade(kept))
    }

    /// Lets go of it. What the request says from here on is kept until its client comes back.
    pub fn release(&self) {
        if let Some(kept) = self.0.upgrade() {
            kept.dismiss();
        }
    }
}
