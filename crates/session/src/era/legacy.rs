//! The legacy era after its handshake: a session in which the server asks, too.

use codewhale_mcp_protocol::method;

use crate::outcome::Received;
use crate::pen::Pen;

/// A session that `initialize` opened.
#[derive(Debug)]
pub(crate) struct Legacy;

impl Legacy {
    /// Answers a request of the server: a ping at any time, also before the handshake is over; anything else
    /// needs a capability that was not declared (MCP 2025-11-25, basic/utilities/ping, basic/lifecycle).
    pub(crate) fn answer<'f>(id: &str, method: &str, out: &mut Vec<u8>) -> Received<'f> {
        match method {
            method::PING => Pen::empty_result(id, out),
            _ => Pen::method_not_found(id, out),
        }
        Received::Handled
    }
}
