//! Work that a server goes on with after it has answered: the tasks extension, and the tasks of 2025-11-25.
//!
//! ```text
//!   tools/call ──▶ task ──▶ tasks/get ... ──▶ completed, failed, cancelled
//!                             │   ▲
//!                 input_required  │ tasks/update (modern), tasks/result (2025-11-25)
//!                             └───┘
//! ```

use std::collections::HashSet;
use std::time::Duration;

use codewhale_mcp_protocol::{
    CallToolResult, EmptyResult, Era, InputRequests, InputResponses, Json, ListTasksResult, PageParams, Task,
    TaskParams, TaskStatus, UpdateTaskParams, method,
};
use codewhale_mcp_session::Budget;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use tokio::time::Instant;

use crate::client::Client;
use crate::error::CallError;
use crate::lists::{List, Listed, Page};
use crate::request::{Request, unknown_result_type};
use crate::result::RequestResult;

/// How long to wait between two looks at a task whose server names no time.
const POLL: Duration = Duration::from_secs(1);
/// No task is looked at more often.
const LEAST_POLL: Duration = Duration::from_millis(50);

const TASKS: List<ListTasksResult, Task> = List {
    method: method::TASKS_LIST,
    kind: None,
    page: |result| Page { items: result.tasks, next: result.next_cursor },
    name: |task| &task.task_id,
};

/// A tool was called and has answered, or works on.
#[derive(Debug)]
pub enum Started {
    /// It has answered.
    Done(Box<CallToolResult>),
    /// It works on.
    Task(Box<Task>, TaskHandle),
}

/// The answer to a call, which may be a task.
#[derive(Debug)]
pub(crate) struct CallOrTask {
    kind: Option<String>,
    result: Json,
}

impl<'de> Deserialize<'de> for CallOrTask {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let result = Json::deserialize(deserializer)?;
        let kind = result.member("resultType").and_then(|kind| kind.decode().ok());
        Ok(Self { kind, result })
    }
}

impl RequestResult for CallOrTask {
    fn result_type(&self) -> Option<&str> {
        self.kind.as_deref().filter(|kind| *kind != "task")
    }
}

/// A task of a server. Dropping the handle leaves the task alone, so that it can be taken up again later.
#[derive(Debug)]
pub struct TaskHandle {
    client: Client,
    id: String,
    cancelled_on_drop: bool,
}

impl Client {
    /// A handle on a task that is known by its id, such as one of an earlier connection.
    #[must_use]
    pub fn task(&self, id: impl Into<String>) -> TaskHandle {
        TaskHandle { client: self.clone(), id: id.into(), cancelled_on_drop: false }
    }

    /// Every task that the server knows, page after page (MCP 2025-11-25, basic/utilities/tasks).
    ///
    /// # Errors
    /// As for [`Client::list_tools`]; [`CallError::ServerLacks`] where there is no such list, as in the modern era.
    pub async fn list_tasks(&self) -> Result<Listed<Task>, CallError> {
        if self.server().capabilities.tasks().is_none_or(|tasks| tasks.list.is_none()) {
            return Err(CallError::ServerLacks { capability: "tasks.list" });
        }
        TASKS.all(self).await
    }

    /// One page of the list of tasks.
    pub fn list_tasks_page(&self, cursor: Option<String>) -> Request<'_, PageParams, ListTasksResult> {
        TASKS.request(self, cursor)
    }

    pub(crate) fn has_tasks_extension(&self) -> bool {
        self.options().capabilities.extension(codewhale_mcp_protocol::TASKS_EXTENSION).is_some()
    }
}

impl TaskHandle {
    pub(crate) fn of(client: &Client, task: &Task) -> Self {
        client.task(task.task_id.clone())
    }

    /// What became of a modern call.
    pub(crate) async fn started<P: Serialize>(
        client: &Client,
        request: Request<'_, P, CallOrTask>,
    ) -> Result<Started, CallError> {
        let CallOrTask { kind, result } = request.send().await?;
        let invalid = |reason: String| CallError::ServerReplyInvalid { method: method::TOOLS_CALL, reason };
        if let Some(kind) = kind.filter(|kind| kind == "task" && client.server().era() == Era::Modern) {
            if !client.has_tasks_extension() {
                return Err(invalid(unknown_result_type(&kind)));
            }
            let task: Task = result.decode().map_err(|error| invalid(error.to_string()))?;
            let handle = Self::of(client, &task);
            return Ok(Started::Task(Box::new(task), handle));
        }
        let result = result.decode().map_err(|error| invalid(error.to_string()))?;
        Ok(Started::Done(Box::new(result)))
    }

    /// The task's id. It is worth keeping: a later connection can take the task up again.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The same, but the task is cancelled when the handle is dropped before the task's end.
    #[must_use]
    pub fn cancelled_on_drop(mut self) -> Self {
        self.cancelled_on_drop = true;
        self
    }

    /// How it stands.
    ///
    /// # Errors
    /// As for any request.
    pub async fn status(&self) -> Result<Task, CallError> {
        let request: Request<'_, _, Task> = self.request(method::TASKS_GET);
        request.send().await
    }

    /// Asks the server to give the task up. It may come to another end all the same.
    ///
    /// # Errors
    /// As for any request; [`CallError::ServerLacks`] for a server of 2025-11-25 that has no such request.
    pub async fn cancel(mut self) -> Result<(), CallError> {
        self.cancelled_on_drop = false;
        let server = self.client.server();
        let lacks = || server.capabilities.tasks().is_none_or(|tasks| tasks.cancel.is_none());
        if server.era() == Era::Legacy && lacks() {
            return Err(CallError::ServerLacks { capability: "tasks.cancel" });
        }
        let request: Request<'_, _, IgnoredAny> = self.request(method::TASKS_CANCEL);
        request.send().await.map(drop)
    }

    /// Waits for the task's end. What the server needs meanwhile goes to the handler.
    ///
    /// # Errors
    /// As for any request; [`CallError::ServerError`] for a task that failed, [`CallError::TaskCancelled`] for one that
    /// was given up.
    pub async fn result(self) -> Result<CallToolResult, CallError> {
        let task = self.status().await?;
        let result = self.follow(task, Patience::endless()).await?;
        result.decode().map_err(|error| CallError::ServerReplyInvalid {
            method: method::TASKS_GET,
            reason: error.to_string(),
        })
    }

    /// As [`Self::result`], as JSON, from what is known of the task.
    pub(crate) async fn follow(self, task: Task, patience: Patience) -> Result<Json, CallError> {
        match self.client.server().era() {
            Era::Modern => self.follow_modern(task, patience).await,
            Era::Legacy => self.follow_legacy(task, patience).await,
        }
    }

    async fn follow_modern(mut self, mut task: Task, mut patience: Patience) -> Result<Json, CallError> {
        let mut answered = HashSet::new();
        loop {
            let wait = pause(&task);
            self.note(&task);
            match task.status {
                TaskStatus::Completed => return task.result.ok_or_else(|| no_member("result")),
                TaskStatus::Failed => {
                    let error = task.error.ok_or_else(|| no_member("error"))?;
                    return Err(CallError::ServerError { method: method::TASKS_GET, error });
                }
                TaskStatus::Cancelled => return Err(self.was_cancelled(task.status_message)),
                TaskStatus::InputRequired => {
                    self.give_input(task.input_requests.take().unwrap_or_default(), &mut answered).await?;
                }
                _ => {}
            }
            task = patience.look_again(&self, wait).await?;
        }
    }

    /// Answers what was not answered before: a name stands for one question in the whole life of a task.
    async fn give_input(
        &self,
        asked: InputRequests,
        answered: &mut HashSet<String>,
    ) -> Result<(), CallError> {
        let mut answers = InputResponses::default();
        let handlers = &self.client.shared().handlers;
        let refused = |refusal| CallError::InputRefused { method: method::TASKS_GET, refusal };
        let mut questions = Vec::new();
        for (name, request) in asked.iter() {
            if !answered.insert(name.to_owned()) {
                continue;
            }
            let invalid =
                |reason: String| CallError::ServerReplyInvalid { method: method::TASKS_GET, reason };
            let input = request.input().map_err(|error| invalid(error.to_string()))?;
            handlers.may_be_asked(&input).map_err(refused)?;
            questions.push((name, input));
        }
        for (name, input) in questions {
            answers.push(name, handlers.answer(input).await.map_err(refused)?);
        }
        if answers.is_empty() {
            return Ok(());
        }
        let params = UpdateTaskParams {
            task_id: self.id.clone(),
            input_responses: answers,
            ..UpdateTaskParams::default()
        };
        let request: Request<'_, _, EmptyResult> =
            Request::new(&self.client, method::TASKS_UPDATE, params, self.budget()).named(&self.id);
        request.send().await.map(drop)
    }

    async fn follow_legacy(mut self, mut task: Task, mut patience: Patience) -> Result<Json, CallError> {
        // A server that needs input asks for it while its result is waited for.
        while !task.status.is_terminal() && task.status != TaskStatus::InputRequired {
            task = patience.look_again(&self, pause(&task)).await?;
        }
        self.note(&task);
        if task.status == TaskStatus::Cancelled {
            return Err(self.was_cancelled(task.status_message));
        }
        let params = TaskParams { task_id: self.id.clone(), ..TaskParams::default() };
        let budget = self.client.execute_budget();
        let budget = Budget { total: patience.left.unwrap_or(budget.total), ..budget };
        let request: Request<'_, _, Json> = Request::new(&self.client, method::TASKS_RESULT, params, budget);
        let result = request.send().await;
        if matches!(result, Ok(_) | Err(CallError::ServerError { .. })) {
            self.cancelled_on_drop = false;
        }
        result
    }

    /// A task that is at its end needs no cancelling.
    fn note(&mut self, task: &Task) {
        self.cancelled_on_drop &= !task.status.is_terminal();
    }

    fn was_cancelled(&self, message: Option<String>) -> CallError {
        CallError::TaskCancelled { id: self.id.clone(), message }
    }

    fn request<R: RequestResult>(&self, method: &'static str) -> Request<'_, TaskParams, R> {
        let params = TaskParams { task_id: self.id.clone(), ..TaskParams::default() };
        Request::new(&self.client, method, params, self.budget()).named(&self.id)
    }

    fn budget(&self) -> Budget {
        Budget::total(self.client.options().read_timeout)
    }
}

impl Drop for TaskHandle {
    fn drop(&mut self) {
        if !self.cancelled_on_drop {
            return;
        }
        // Without a runtime nothing can be sent; the task ends with its time to live.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let task = self.client.task(std::mem::take(&mut self.id));
            runtime.spawn(task.cancel());
        }
    }
}

/// How long a task is waited for. The time that people take does not count.
#[derive(Debug)]
pub(crate) struct Patience {
    total: Duration,
    left: Option<Duration>,
}

impl Patience {
    /// Of a call that may take `total` and has this much `left`.
    pub(crate) fn of(total: Duration, left: Duration) -> Self {
        Self { total, left: Some(left) }
    }

    fn endless() -> Self {
        Self { total: Duration::MAX, left: None }
    }

    /// How a task stands after this time.
    async fn look_again(&mut self, task: &TaskHandle, wait: Duration) -> Result<Task, CallError> {
        let look = async {
            tokio::time::sleep(wait).await;
            task.status().await
        };
        let Some(left) = &mut self.left else { return look.await };
        let begun = Instant::now();
        let seen = tokio::time::timeout(*left, look).await;
        *left = left.saturating_sub(begun.elapsed());
        seen.unwrap_or(Err(CallError::ServerTimedOut { method: method::TOOLS_CALL, after: self.total }))
    }
}

/// How long to wait before the next look.
fn pause(task: &Task) -> Duration {
    task.poll_interval().unwrap_or(POLL).max(LEAST_POLL)
}

fn no_member(name: &str) -> CallError {
    CallError::ServerReplyInvalid { method: method::TASKS_GET, reason: format!("the task has no {name}") }
}
