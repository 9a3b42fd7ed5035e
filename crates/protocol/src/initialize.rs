//! The legacy handshake: `initialize`.

use crate::open::open_object;
use crate::{ClientCapabilities, Implementation, Meta, ServerCapabilities};

open_object! {
    /// What the client says first (MCP 2025-11-25, basic/lifecycle).
    pub struct InitializeParams {
        /// The revision the client would like.
        required protocol_version: String = "protocolVersion",
        /// What the client can do.
        required capabilities: ClientCapabilities = "capabilities",
        /// Who the client is.
        required client_info: Implementation = "clientInfo",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// What the server answers.
    pub struct InitializeResult {
        /// The revision the session is held in.
        required protocol_version: String = "protocolVersion",
        /// What the server offers.
        always capabilities: ServerCapabilities = "capabilities",
        /// Who the server is.
        optional server_info: Implementation = "serverInfo",
        /// How to use the server, in its own words.
        optional instructions: String = "instructions",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}
