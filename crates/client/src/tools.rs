//! Tools: the list of them, and calling one.

use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_protocol::{
    CallToolResult, ListToolsResult, NestedCreateTaskResult, PageParams, Revision, TaskSupport, Tool,
    ToolHeaders, method,
};
use serde::Serialize;
use tokio::time::Instant;

use crate::cache::Kind;
use crate::client::Client;
use crate::error::CallError;
use crate::event::Event;
use crate::lists::{List, Listed, Page};
use crate::request::Request;
use crate::tasks::{Patience, Started, TaskHandle};

const TOOLS: List<ListToolsResult, Tool> = List {
    method: method::TOOLS_LIST,
    kind: Some(Kind::Tools),
    page: |result| Page { items: result.tools, next: result.next_cursor },
    name: |tool| &tool.name,
};

#[derive(Debug, Serialize)]
pub(crate) struct Call<'a, A: ?Sized> {
    name: &'a str,
    arguments: &'a A,
}

#[derive(Debug, Serialize)]
struct CallAsTask<'a, A: ?Sized> {
    name: &'a str,
    arguments: &'a A,
    task: TaskWish,
}

#[derive(Debug, Serialize)]
struct TaskWish {
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl: Option<u64>,
}

impl Client {
    /// Calls a tool. `arguments` must be a JSON object.
    ///
    /// The budget is the client's `execute_timeout`, the limit on silence its `idle_timeout`, unless the
    /// request sets its own.
    pub fn call_tool<'a, A: Serialize + ?Sized>(
        &'a self,
        name: &'a str,
        arguments: &'a A,
    ) -> Request<'a, impl Serialize, CallToolResult> {
        Request::new(self, method::TOOLS_CALL, Call { name, arguments }, self.execute_budget()).named(name)
    }

    /// Calls a tool and does not wait where the server makes a task of it. In 2025-11-25 the client says that it
    /// shall, if the server can, and for how long its result is to be kept; in the modern era the server decides, if
    /// the client declared the extension.
    ///
    /// # Errors
    /// As for any request.
    pub async fn call_tool_as_task<A: Serialize + ?Sized>(
        &self,
        name: &str,
        arguments: &A,
        keep: Option<Duration>,
    ) -> Result<Started, CallError> {
        let budget = self.execute_budget();
        if self.makes_tasks_of_calls() {
            let ttl = keep.map(|keep| u64::try_from(keep.as_millis()).unwrap_or(u64::MAX));
            let params = CallAsTask { name, arguments, task: TaskWish { ttl } };
            let request: Request<'_, _, NestedCreateTaskResult> =
                Request::new(self, method::TOOLS_CALL, params, budget).named(name);
            let created = request.send().await?;
            return Ok(Started::Task(Box::new(created.task.clone()), TaskHandle::of(self, &created.task)));
        }
        let call = Request::new(self, method::TOOLS_CALL, Call { name, arguments }, budget);
        TaskHandle::started(self, call.named(name)).await
    }

    /// Calls a tool in the way that it needs: as a task where it says that it cannot be called otherwise (MCP
    /// 2025-11-25, basic/utilities/tasks).
    ///
    /// # Errors
    /// As for any request.
    pub async fn call_listed_tool<A: Serialize + ?Sized>(
        &self,
        tool: &Tool,
        arguments: &A,
    ) -> Result<CallToolResult, CallError> {
        if !self.must_be_a_task(tool) {
            return self.call_tool(&tool.name, arguments).send().await;
        }
        let begun = Instant::now();
        match self.call_tool_as_task(&tool.name, arguments, None).await? {
            Started::Done(result) => Ok(*result),
            Started::Task(task, handle) => {
                let total = self.options().execute_timeout;
                let patience = Patience::of(total, total.saturating_sub(begun.elapsed()));
                let result = handle.cancelled_on_drop().follow(*task, patience).await?;
                result.decode().map_err(|error| CallError::ServerReplyInvalid {
                    method: method::TASKS_RESULT,
                    reason: error.to_string(),
                })
            }
        }
    }

    /// Whether a call of this tool has to be made as a task.
    #[must_use]
    pub fn must_be_a_task(&self, tool: &Tool) -> bool {
        tool.task_support() == TaskSupport::Required && self.makes_tasks_of_calls()
    }

    /// Whether the server takes the wish that a call be a task (MCP 2025-11-25, basic/utilities/tasks).
    fn makes_tasks_of_calls(&self) -> bool {
        let tasks = self.server().capabilities.tasks();
        self.server().revision == Revision::V2025_11_25
            && tasks.is_some_and(|tasks| tasks.allows(method::TOOLS_CALL))
    }

    /// One page of the list of tools.
    pub fn list_tools_page(&self, cursor: Option<String>) -> Request<'_, PageParams, ListToolsResult> {
        TOOLS.request(self, cursor)
    }

    /// Takes note of the headers that a tool wants; false where it cannot be called at all, because the server would
    /// not find them (MCP 2026-07-28, server/tools, "x-mcp-header").
    pub(crate) fn learn_headers(&self, tool: &Tool) -> bool {
        let headers = tool.input_schema.as_ref().map_or(Ok(ToolHeaders::default()), ToolHeaders::of);
        match headers {
            Ok(headers) => {
                self.shared().lane().learn(&tool.name, headers);
                true
            }
            Err(fault) => {
                let (name, fault) = (tool.name.as_str().into(), Arc::new(fault));
                self.shared().events.tell(&Event::ToolLeftOut { name, fault });
                false
            }
        }
    }

    /// Every tool, page after page.
    ///
    /// # Errors
    /// As for any request, and when the list has no end: a cursor comes again, or there are more pages or
    /// items than [`ListLimits`](crate::ListLimits) allows.
    pub async fn list_tools(&self) -> Result<Listed<Tool>, CallError> {
        TOOLS.all(self).await
    }
}
