//! `_meta`: the names of its members and what they say (MCP 2026-07-28, basic/index).

use crate::open::open_object;
use crate::{ClientCapabilities, Implementation, Json, LoggingLevel, ProgressToken, RequestId, Verbatim};

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
/// The modern subscription that a message belongs to.
pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
/// The task that a message belongs to (2025-11-25).
pub const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
/// Tasks that the client finds related to its request (modern tasks extension).
pub const RELATED_TASK_IDS: &str = "io.modelcontextprotocol/relatedTaskIds";
/// What a model can be told while a task runs (2025-11-25).
pub const MODEL_IMMEDIATE_RESPONSE: &str = "io.modelcontextprotocol/model-immediate-response";
/// What progress notifications of a request are found by.
pub const PROGRESS_TOKEN: &str = "progressToken";
/// W3C trace context: where in a trace the message stands.
pub const TRACEPARENT: &str = "traceparent";
/// W3C trace context: what vendors add.
pub const TRACESTATE: &str = "tracestate";
/// W3C baggage.
pub const BAGGAGE: &str = "baggage";

/// The `_meta` member of anything, as it came.
///
/// The methods look for one member each and find it whatever else stands there; `read` gives all at once.
/// A member of a wrong form counts as absent.
///
/// ```
/// use codewhale_mcp_protocol::{Meta, MetaMembers};
///
/// let meta = Meta::from(&MetaMembers { progress_token: Some(7.into()), ..MetaMembers::default() });
/// assert_eq!(meta.json().as_str(), r#"{"progressToken":7}"#);
/// assert_eq!(meta.progress_token(), Some(7.into()));
/// assert_eq!(meta.subscription_id(), None);
/// ```
pub type Meta = Verbatim<MetaMembers>;

open_object! {
    /// What `_meta` of requests, results and notifications can say, with MCP's own names.
    pub struct MetaMembers {
        /// The revision a modern request is written in.
        optional protocol_version: String = "io.modelcontextprotocol/protocolVersion",
        /// Who sends a modern request.
        optional client_info: Implementation = "io.modelcontextprotocol/clientInfo",
        /// What the sender of a modern request can do.
        optional client_capabilities: ClientCapabilities = "io.modelcontextprotocol/clientCapabilities",
        /// The least severe log message a modern request wants.
        optional log_level: LoggingLevel = "io.modelcontextprotocol/logLevel",
        /// Who answers a modern request.
        optional server_info: Implementation = "io.modelcontextprotocol/serverInfo",
        /// The modern subscription that a message belongs to.
        optional subscription_id: RequestId = "io.modelcontextprotocol/subscriptionId",
        /// The task that a message belongs to (2025-11-25).
        optional related_task: RelatedTask = "io.modelcontextprotocol/related-task",
        /// Tasks that the client finds related to its request (modern tasks extension).
        optional related_task_ids: Vec<String> = "io.modelcontextprotocol/relatedTaskIds",
        /// What a model can be told while a task runs (2025-11-25).
        optional model_immediate_response: String = "io.modelcontextprotocol/model-immediate-response",
        /// What progress notifications of the request are found by.
        optional progress_token: ProgressToken = "progressToken",
        /// W3C trace context: where in a trace the message stands.
        optional traceparent: String = "traceparent",
        /// W3C trace context: what vendors add.
        optional tracestate: String = "tracestate",
        /// W3C baggage.
        optional baggage: String = "baggage",
    }
}

open_object! {
    /// The task that a message belongs to (MCP 2025-11-25, basic/utilities/tasks).
    pub struct RelatedTask {
        /// Its id.
        required task_id: String = "taskId",
    }
}

impl Meta {
    /// The member with this name, as it came.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<Json> {
        self.json().member(name)
    }

    /// What progress notifications of the request are found by.
    #[must_use]
    pub fn progress_token(&self) -> Option<ProgressToken> {
        self.member(PROGRESS_TOKEN)?.decode().ok()
    }

    /// The modern subscription that a message belongs to.
    #[must_use]
    pub fn subscription_id(&self) -> Option<RequestId> {
        self.member(SUBSCRIPTION_ID)?.decode().ok()
    }

    /// The id of the task that a message belongs to (2025-11-25).
    #[must_use]
    pub fn related_task(&self) -> Option<String> {
        self.member(RELATED_TASK)?.decode::<RelatedTask>().ok().map(|task| task.task_id)
    }

    /// The least severe log message a modern request wants.
    #[must_use]
    pub fn log_level(&self) -> Option<LoggingLevel> {
        self.member(LOG_LEVEL)?.decode().ok()
    }

    /// The revision a modern request is written in.
    #[must_use]
    pub fn protocol_version(&self) -> Option<String> {
        self.member(PROTOCOL_VERSION)?.decode().ok()
    }

    /// What the sender of a modern request can do.
    #[must_use]
    pub fn client_capabilities(&self) -> Option<ClientCapabilities> {
        self.member(CLIENT_CAPABILITIES)?.decode().ok()
    }

    /// Who sends a modern request.
    #[must_use]
    pub fn client_info(&self) -> Option<Implementation> {
        self.member(CLIENT_INFO)?.decode().ok()
    }

    /// Who answers a modern request.
    #[must_use]
    pub fn server_info(&self) -> Option<Implementation> {
        self.member(SERVER_INFO)?.decode().ok()
    }
}
