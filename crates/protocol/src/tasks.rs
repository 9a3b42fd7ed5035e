//! Tasks: requests that go on after their answer. The experiment of 2025-11-25 and the modern extension
//! `io.modelcontextprotocol/tasks` have the same states and different forms.

use std::time::Duration;

use crate::open::open_object;
use crate::result::milliseconds;
use crate::word::open_word;
use crate::{ErrorObject, InputRequests, InputResponses, Json, Meta, ResultType};

open_object! {
    /// How a task stands.
    ///
    /// Modern (tasks extension): `CreateTaskResult` with `resultType` `task`, and `DetailedTask`, the result of
    /// `tasks/get` and the params of `notifications/tasks`, are this object, flat. 2025-11-25: the results of
    /// `tasks/get` and `tasks/cancel` and the params of `notifications/tasks/status` are; the result that makes
    /// a task has it inside, see [`NestedCreateTaskResult`].
    pub struct Task {
        /// How the result is to be read; absent means `complete`.
        optional result_type: ResultType = "resultType",
        /// What it is found by.
        required task_id: String = "taskId",
        /// How it stands.
        required status: TaskStatus = "status",
        /// More on that, for people.
        optional status_message: String = "statusMessage",
        /// When it was made, ISO 8601, by the server's clock.
        optional created_at: String = "createdAt",
        /// When it changed, ISO 8601, by the server's clock.
        optional last_updated_at: String = "lastUpdatedAt",
        /// For how many milliseconds it is kept, `null` for ever (2025-11-25). See [`lifetime`](Self::lifetime).
        nullable ttl: Json = "ttl",
        /// How many milliseconds to wait before asking again (2025-11-25).
        optional poll_interval: Json = "pollInterval",
        /// For how many milliseconds it is kept, `null` for ever (modern). See [`lifetime`](Self::lifetime).
        nullable ttl_ms: Json = "ttlMs",
        /// How many milliseconds to wait before asking again (modern).
        optional poll_interval_ms: Json = "pollIntervalMs",
        /// When `completed`: the result of the request that the task was made of (modern).
        optional result: Json = "result",
        /// When `failed`: the error of that request (modern).
        optional error: ErrorObject = "error",
        /// When `input_required`: all that the server still wants to know (modern).
        optional input_requests: InputRequests = "inputRequests",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_word! {
    /// How a task stands.
    pub enum TaskStatus {
        /// It runs.
        Working = "working",
        /// It waits for input.
        InputRequired = "input_required",
        /// It has a result. Modern: also one that says `isError`.
        Completed = "completed",
        /// It has an error. 2025-11-25: also a result that says `isError`.
        Failed = "failed",
        /// It was no longer wanted.
        Cancelled = "cancelled",
    }
}

impl TaskStatus {
    /// Whether nothing will change any more.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// For how long a task is kept, from when it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskLifetime {
    /// The server does not say.
    Unknown,
    /// For ever.
    Unlimited,
    /// For this long.
    Limited(Duration),
}

impl Task {
    /// For how long it is kept.
    #[must_use]
    pub fn lifetime(&self) -> TaskLifetime {
        match self.ttl_ms.as_ref().or(self.ttl.as_ref()) {
            None => TaskLifetime::Unknown,
            Some(ttl) if ttl.is_null() => TaskLifetime::Unlimited,
            Some(ttl) => TaskLifetime::Limited(milliseconds(Some(ttl))),
        }
    }

    /// How long to wait before asking again, where the server says so.
    #[must_use]
    pub fn poll_interval(&self) -> Option<Duration> {
        let interval = self.poll_interval_ms.as_ref().or(self.poll_interval.as_ref())?;
        Some(milliseconds(Some(interval)))
    }
}

open_object! {
    /// A task was made (`CreateTaskResult` of 2025-11-25).
    pub struct NestedCreateTaskResult {
        /// The task.
        required task: Task = "task",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// Make a task of a request (MCP 2025-11-25, basic/utilities/tasks).
    pub struct TaskMetadata {
        /// For how many milliseconds to keep it.
        optional ttl: Json = "ttl",
    }
}

open_object! {
    /// Which task is meant: `tasks/get`, `tasks/cancel`, and `tasks/result` of 2025-11-25.
    pub struct TaskParams {
        /// Its id.
        required task_id: String = "taskId",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// What a task waits for (`tasks/update` of the modern extension).
    pub struct UpdateTaskParams {
        /// The task's id.
        required task_id: String = "taskId",
        /// Answers, not necessarily to all that it wants to know.
        required input_responses: InputResponses = "inputResponses",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// One page of tasks (`tasks/list` of 2025-11-25).
    pub struct ListTasksResult {
        /// The tasks of this page.
        required tasks: Vec<Task> = "tasks",
        /// Where the next page begins; absent at the end.
        optional next_cursor: String = "nextCursor",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}
