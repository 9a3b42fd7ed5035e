//! JSON-RPC errors and their codes.

use std::fmt;

use crate::Json;
use crate::open::open_object;

/// Codes with a meaning in JSON-RPC 2.0 or in MCP.
pub mod code {
    /// The bytes were not JSON.
    pub const PARSE_ERROR: i64 = -32700;
    /// The JSON was not a request.
    pub const INVALID_REQUEST: i64 = -32600;
    /// The receiver does not have this method.
    pub const METHOD_NOT_FOUND: i64 = -32601;
    /// The params do not fit the method.
    pub const INVALID_PARAMS: i64 = -32602;
    /// The receiver failed.
    pub const INTERNAL_ERROR: i64 = -32603;
    /// Modern: headers and body disagree.
    pub const HEADER_MISMATCH: i64 = -32020;
    /// Modern: the request needs a capability that the client did not declare.
    pub const MISSING_REQUIRED_CLIENT_CAPABILITY: i64 = -32021;
    /// Modern: the server does not speak the request's revision.
    pub const UNSUPPORTED_PROTOCOL_VERSION: i64 = -32022;
    /// Legacy: there is no such resource. Modern servers say [`INVALID_PARAMS`].
    pub const RESOURCE_NOT_FOUND: i64 = -32002;
    /// 2025-11-25: a person has to visit an address first.
    pub const URL_ELICITATION_REQUIRED: i64 = -32042;
    /// Legacy: a person does not want the client's model to be asked.
    pub const USER_REJECTED_SAMPLING: i64 = -1;
}

open_object! {
    /// The `error` member of an error response.
    pub struct ErrorObject {
        /// What kind of error, see [`code`].
        required code: i64 = "code",
        /// A short sentence of the peer.
        always message: String = "message",
        /// Anything more that the peer says.
        optional data: Json = "data",
    }
}

impl ErrorObject {
    /// Whether only a server of the modern era sends this code (MCP 2026-07-28, basic/versioning).
    #[must_use]
    pub fn is_modern(&self) -> bool {
        matches!(
            self.code,
            code::HEADER_MISMATCH
                | code::MISSING_REQUIRED_CLIENT_CAPABILITY
                | code::UNSUPPORTED_PROTOCOL_VERSION
        )
    }
}

impl fmt::Display for ErrorObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (code {})", self.message, self.code)
    }
}
