//! Tools: the list of them and calling one.

use crate::open::{member_group, open_object};
use crate::word::open_word;
use crate::{CacheScope, Content, Icons, InputResponses, Json, Meta, ResultType, TaskMetadata, Verbatim};

open_object! {
    /// One page of tools (MCP 2026-07-28, server/tools).
    pub struct ListToolsResult {
        /// How the result is to be read; absent means `complete`.
        optional result_type: ResultType = "resultType",
        /// The tools of this page.
        required tools: Vec<Tool> = "tools",
        /// Where the next page begins; absent at the end.
        optional next_cursor: String = "nextCursor",
        /// For how many milliseconds the page stays true, see [`Cacheable`](crate::Cacheable).
        optional ttl_ms: Json = "ttlMs",
        /// Who may share the page.
        optional cache_scope: CacheScope = "cacheScope",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// A tool as its server describes it.
    pub struct Tool {
        /// The name it is called by.
        required name: String = "name",
        /// A name for people (2025-06-18).
        optional title: String = "title",
        /// What it does.
        optional description: String = "description",
        /// The JSON Schema of its arguments, as it came. Servers that omit it are tolerated.
        optional input_schema: Json = "inputSchema",
        /// What the server says about its effects (2025-03-26).
        optional annotations: ToolAnnotations = "annotations",
    }
    /// What fewer tools have: there are lists of thousands.
    group more: MoreTool;
}

member_group! {
    /// The rarer members of a [`Tool`].
    pub struct MoreTool {
        /// The JSON Schema of `structuredContent` (2025-06-18), as it came.
        optional output_schema: Json = "outputSchema",
        /// Pictures (2025-11-25).
        optional icons: Icons = "icons",
        /// How it may run (2025-11-25 only).
        optional execution: Verbatim<ToolExecution> = "execution",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// Hints on what a tool does: the server's word, not a promise. Absent is not the same as false.
    pub struct ToolAnnotations {
        /// A name for people.
        optional title: String = "title",
        /// It changes nothing.
        hint read_only_hint: bool = "readOnlyHint",
        /// It may destroy something.
        hint destructive_hint: bool = "destructiveHint",
        /// Calling it again changes nothing more.
        hint idempotent_hint: bool = "idempotentHint",
        /// It reaches outside the server.
        hint open_world_hint: bool = "openWorldHint",
    }
}

open_object! {
    /// How a tool may run (MCP 2025-11-25, basic/utilities/tasks).
    pub struct ToolExecution {
        /// Whether it may run as a task. Absent means `forbidden`.
        optional task_support: TaskSupport = "taskSupport",
    }
}

open_word! {
    /// Whether a tool may run as a task (MCP 2025-11-25, basic/utilities/tasks).
    pub enum TaskSupport {
        /// Never.
        Forbidden = "forbidden",
        /// As the caller likes.
        Optional = "optional",
        /// Always.
        Required = "required",
    }
}

impl Tool {
    /// The JSON Schema of `structuredContent`, if it has one.
    #[must_use]
    pub fn output_schema(&self) -> Option<&Json> {
        self.more.as_ref()?.output_schema.as_ref()
    }

    /// The name for people: `title`, else the title among the annotations, else the name.
    #[must_use]
    pub fn display_name(&self) -> &str {
        let annotated = || self.annotations.as_ref().and_then(|hints| hints.title.as_deref());
        self.title.as_deref().or_else(annotated).unwrap_or(&self.name)
    }

    /// Whether it may run as a task of 2025-11-25; what is not said or not known is `forbidden`.
    #[must_use]
    pub fn task_support(&self) -> TaskSupport {
        let execution = self.more.as_ref().and_then(|more| more.execution.as_ref()?.read().ok());
        let support = execution.and_then(|execution| execution.task_support);
        support.filter(|support| !support.is_unknown()).unwrap_or(TaskSupport::Forbidden)
    }
}

open_object! {
    /// Which tool to call, with what.
    pub struct CallToolParams {
        /// The tool's name.
        required name: String = "name",
        /// Its arguments: a JSON object.
        optional arguments: Json = "arguments",
        /// Make a task of it (2025-11-25 only).
        optional task: TaskMetadata = "task",
        /// Modern, on a retry: answers to what the server wanted to know.
        optional input_responses: InputResponses = "inputResponses",
        /// Modern, on a retry: the server's own note, exactly as it came.
        optional request_state: Json = "requestState",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// What a tool answered.
    pub struct CallToolResult {
        /// How the result is to be read; absent means `complete`.
        optional result_type: ResultType = "resultType",
        /// The answer for a model or a person, in order.
        always content: Vec<Content> = "content",
        /// The answer for a program (2025-06-18); from 2026-07-28 any JSON value, `null` among them.
        nullable structured_content: Json = "structuredContent",
        /// The tool failed, and `content` says how.
        defaulted is_error: bool = "isError",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}
