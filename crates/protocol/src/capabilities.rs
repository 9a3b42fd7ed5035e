//! What each side says it can do.

use crate::open::open_object;
use crate::{Json, Members, method};

open_object! {
    /// What a server offers (`capabilities` of `initialize` and `server/discover`).
    pub struct ServerCapabilities {
        /// Legacy: log messages on request; modern: deprecated.
        optional logging: Json = "logging",
        /// Argument completion (2025-03-26 and later).
        optional completions: Json = "completions",
        /// Prompts.
        optional prompts: ListCapability = "prompts",
        /// Resources.
        optional resources: ListCapability = "resources",
        /// Tools.
        optional tools: ListCapability = "tools",
        /// Tasks of 2025-11-25, see [`TasksCapability`].
        optional tasks: Json = "tasks",
        /// Extensions by identifier.
        optional extensions: Json = "extensions",
        /// Whatever the server tries out.
        optional experimental: Json = "experimental",
    }
}

open_object! {
    /// A capability that lists things.
    pub struct ListCapability {
        /// The server says when the list changes.
        defaulted list_changed: bool = "listChanged",
        /// Resources only: single resources can be watched.
        defaulted subscribe: bool = "subscribe",
    }
}

open_object! {
    /// What a client can do for a server.
    pub struct ClientCapabilities {
        /// The client can name directories.
        optional roots: RootsCapability = "roots",
        /// The client can ask a model.
        optional sampling: SamplingCapability = "sampling",
        /// The client can ask a person (2025-06-18 and later).
        optional elicitation: ElicitationCapability = "elicitation",
        /// The client can run its side of requests as tasks (2025-11-25 only).
        optional tasks: TasksCapability = "tasks",
        /// Extensions by identifier.
        optional extensions: Json = "extensions",
        /// Whatever the client tries out.
        optional experimental: Json = "experimental",
    }
}

open_object! {
    /// The client can name directories.
    pub struct RootsCapability {
        /// Legacy: the client says when they change.
        optional list_changed: bool = "listChanged",
    }
}

open_object! {
    /// The client can ask a model (MCP 2025-11-25, client/sampling; earlier revisions say `{}`).
    pub struct SamplingCapability {
        /// It can add context of servers. Deprecated.
        optional context: Json = "context",
        /// It can let the model use the server's tools.
        optional tools: Json = "tools",
    }
}

open_object! {
    /// The client can ask a person. `{}` means forms only (MCP 2026-07-28, client/elicitation).
    pub struct ElicitationCapability {
        /// It can show forms.
        optional form: Json = "form",
        /// It can send a person to an address (2025-11-25 and later).
        optional url: Json = "url",
    }
}

open_object! {
    /// Which requests can become tasks (MCP 2025-11-25, basic/utilities/tasks).
    pub struct TasksCapability {
        /// `tasks/list` is there.
        optional list: Json = "list",
        /// `tasks/cancel` is there.
        optional cancel: Json = "cancel",
        /// The requests that can become tasks.
        optional requests: TaskRequestsCapability = "requests",
    }
}

open_object! {
    /// The requests that can become tasks, by the two parts of their method's name (MCP 2025-11-25).
    pub struct TaskRequestsCapability {
        /// `call` of a server.
        optional tools: Members<Json> = "tools",
        /// `createMessage` of a client.
        optional sampling: Members<Json> = "sampling",
        /// `create` of a client.
        optional elicitation: Members<Json> = "elicitation",
    }
}

impl ServerCapabilities {
    /// The settings of an extension, if the server has it.
    #[must_use]
    pub fn extension(&self, identifier: &str) -> Option<Json> {
        self.extensions.as_ref()?.member(identifier)
    }

    /// Tasks of 2025-11-25, if the server has them and says so in the form of that revision.
    #[must_use]
    pub fn tasks(&self) -> Option<TasksCapability> {
        self.tasks.as_ref()?.decode().ok()
    }
}

impl ClientCapabilities {
    /// The settings of an extension, if the client has it.
    #[must_use]
    pub fn extension(&self, identifier: &str) -> Option<Json> {
        self.extensions.as_ref()?.member(identifier)
    }
}

impl ElicitationCapability {
    /// Whether forms are possible: said so, or nothing else said.
    #[must_use]
    pub fn has_form(&self) -> bool {
        self.form.is_some() || self.url.is_none()
    }
}

impl TasksCapability {
    /// Whether requests of this method can become tasks.
    #[must_use]
    pub fn allows(&self, method: &str) -> bool {
        let Some(requests) = &self.requests else { return false };
        let (part, member) = match method {
            method::TOOLS_CALL => (&requests.tools, "call"),
            method::SAMPLING_CREATE_MESSAGE => (&requests.sampling, "createMessage"),
            method::ELICITATION_CREATE => (&requests.elicitation, "create"),
            _ => return false,
        };
        part.as_ref().and_then(|part| part.member(member)).is_some_and(|value| !value.is_null())
    }
}

/// The identifier of the modern tasks extension.
pub const TASKS_EXTENSION: &str = "io.modelcontextprotocol/tasks";
