//! The names of members in `_meta` (MCP 2026-07-28, basic/index).

/// The revision a modern request is written in.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// Who sends a modern request.
pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// What the sender of a modern request can do.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// Who answers a modern request.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The least severe log message a modern request wants.
pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// What progress notifications of a request are found by.
pub const PROGRESS_TOKEN: &str = "progressToken";
