//! The names of methods and notifications, with the eras that have them.
//!
//! "Legacy" is 2024-11-05 to 2025-11-25, "modern" 2026-07-28; what says neither is in both. Client to server
//! unless it says otherwise.

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
/// Lists resources, a page at a time.
pub const RESOURCES_LIST: &str = "resources/list";
/// Lists templates of resource addresses, a page at a time.
pub const RESOURCES_TEMPLATES_LIST: &str = "resources/templates/list";
/// Reads a resource.
pub const RESOURCES_READ: &str = "resources/read";
/// Legacy: asks to be told when a resource changes.
pub const RESOURCES_SUBSCRIBE: &str = "resources/subscribe";
/// Legacy: takes that back.
pub const RESOURCES_UNSUBSCRIBE: &str = "resources/unsubscribe";
/// Lists prompts, a page at a time.
pub const PROMPTS_LIST: &str = "prompts/list";
/// Fills in a prompt.
pub const PROMPTS_GET: &str = "prompts/get";
/// Asks how an argument might go on.
pub const COMPLETE: &str = "completion/complete";
/// Legacy: says from which level on log messages are wanted.
pub const SET_LEVEL: &str = "logging/setLevel";
/// Modern: asks to be told of changes.
pub const LISTEN: &str = "subscriptions/listen";
/// Tasks, 2025-11-25 (either direction) and modern extension: how a task stands.
pub const TASKS_GET: &str = "tasks/get";
/// Tasks, 2025-11-25 only (either direction): waits for a task's result.
pub const TASKS_RESULT: &str = "tasks/result";
/// Tasks, 2025-11-25 only (either direction): lists tasks.
pub const TASKS_LIST: &str = "tasks/list";
/// Tasks, modern extension only: gives a task the input it waits for.
pub const TASKS_UPDATE: &str = "tasks/update";
/// Tasks, 2025-11-25 (either direction) and modern extension: a task is no longer wanted.
pub const TASKS_CANCEL: &str = "tasks/cancel";
/// Skills extension: lists skills, a page at a time.
pub const SKILLS_LIST: &str = "skills/list";
/// Skills extension: one skill, by the address of its `SKILL.md`.
pub const SKILLS_GET: &str = "skills/get";

/// Server to client, modern only as an input request: asks the client's model.
pub const SAMPLING_CREATE_MESSAGE: &str = "sampling/createMessage";
/// Server to client, modern only as an input request: asks for directories.
pub const ROOTS_LIST: &str = "roots/list";
/// Server to client, modern only as an input request: asks a person (2025-06-18 and later).
pub const ELICITATION_CREATE: &str = "elicitation/create";

/// Legacy notification: the handshake is over.
pub const INITIALIZED: &str = "notifications/initialized";
/// Notification, either direction: a request is no longer wanted.
pub const CANCELLED: &str = "notifications/cancelled";
/// Notification, in the legacy era in either direction: how far a request has come.
pub const PROGRESS: &str = "notifications/progress";
/// Notification of the server: a log message.
pub const MESSAGE: &str = "notifications/message";
/// Notification of the server: the list of tools is another one now.
pub const TOOLS_LIST_CHANGED: &str = "notifications/tools/list_changed";
/// Notification of the server: the list of resources is another one now.
pub const RESOURCES_LIST_CHANGED: &str = "notifications/resources/list_changed";
/// Notification of the server: a resource says something else now.
pub const RESOURCES_UPDATED: &str = "notifications/resources/updated";
/// Notification of the server: the list of prompts is another one now.
pub const PROMPTS_LIST_CHANGED: &str = "notifications/prompts/list_changed";
/// Modern notification of the server: what a subscription will bring.
pub const SUBSCRIPTIONS_ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";
/// Legacy notification of the client: its directories are others now.
pub const ROOTS_LIST_CHANGED: &str = "notifications/roots/list_changed";
/// Notification of a server of 2025-11-25: what a person did at an address is done.
pub const ELICITATION_COMPLETE: &str = "notifications/elicitation/complete";
/// Notification of 2025-11-25, either direction: a task changed.
pub const TASKS_STATUS: &str = "notifications/tasks/status";
/// Notification of a server with the modern tasks extension: a task changed.
pub const TASKS: &str = "notifications/tasks";
