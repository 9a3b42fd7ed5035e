//! The names of methods and notifications.

/// Legacy: opens a session.
pub const INITIALIZE: &str = "initialize";
/// Modern: asks what the server speaks and offers.
pub const DISCOVER: &str = "server/discover";
/// Legacy: asks for a sign of life, in either direction.
pub const PING: &str = "ping";
/// Lists tools, a page at a time.
pub const TOOLS_LIST: &str = "tools/list";
/// Calls a tool.
pub const TOOLS_CALL: &str = "tools/call";

/// Legacy notification: the handshake is over.
pub const INITIALIZED: &str = "notifications/initialized";
/// Notification: a request is no longer wanted.
pub const CANCELLED: &str = "notifications/cancelled";
/// Notification: how far a request has come.
pub const PROGRESS: &str = "notifications/progress";
/// Notification: a log message of the server.
pub const MESSAGE: &str = "notifications/message";
/// Notification: the list of tools is another one now.
pub const TOOLS_LIST_CHANGED: &str = "notifications/tools/list_changed";
/// Legacy request of the server: which directories it may look at.
pub const ROOTS_LIST: &str = "roots/list";
/// Legacy request of the server: ask a model.
pub const SAMPLING_CREATE_MESSAGE: &str = "sampling/createMessage";
/// Legacy request of the server: ask a person (2025-06-18).
pub const ELICITATION_CREATE: &str = "elicitation/create";
