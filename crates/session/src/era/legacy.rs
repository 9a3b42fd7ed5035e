//! The legacy era after its handshake: a session in which the server asks, too.

use std::borrow::Cow;

use codewhale_mcp_protocol::{ClientCapabilities, code, method};
use serde_json::value::RawValue;

use crate::asks::{Asks, is_declared};
use crate::outcome::Received;
use crate::pen::Pen;

/// A session that `initialize` opened.
#[derive(Debug)]
pub(crate) struct Legacy;

impl Legacy {
    /// A request before the session is open: only a ping may come that early, and it is always answered
    /// (MCP 2025-11-25, basic/utilities/ping, basic/lifecycle).
    pub(crate) fn early<'f>(id: &str, method: &str, out: &mut Vec<u8>) -> Received<'f> {
        match method {
            method::PING => Pen::empty_result(id, out),
            _ => Pen::method_not_found(id, out),
        }
        Received::Handled
    }

    /// A request in an open session: what was declared is handed on, anything else is declined.
    pub(crate) fn asked<'f>(
        capabilities: &ClientCapabilities,
        asks: &mut Asks,
        (id, method, params): (&'f RawValue, Cow<'f, str>, Option<&'f RawValue>),
        out: &mut Vec<u8>,
    ) -> Received<'f> {
        if !is_declared(capabilities, &method) {
            return Self::early(id.get(), &method, out);
        }
        match asks.open(id.get()) {
            Some(ask) => Received::Request { ask, id, method, params },
            None => {
                Pen::error(id.get(), code::INTERNAL_ERROR, "too many requests at one time", out);
                Received::Handled
            }
        }
    }
}
