//! Whether a call of a tool becomes a task, and in what form that is told.

use std::time::Duration;

use codewhale_mcp_protocol::{
    Era, Json, Members, NestedCreateTaskResult, Revision, Task, TaskMetadata, TaskRequestsCapability,
    TasksCapability, code,
};
use serde_json::value::RawValue;

use super::methods::{declares, require_declared};
use crate::tool::{TaskPolicy, ToolRoute};
use crate::{Context, Failure, Reply, Request};

/// The shortest time that a task is kept, whatever its client asks for.
const SHORTEST: Duration = Duration::from_secs(1);

/// The times of a task.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Times {
    /// For how long it is kept.
    pub(crate) lifetime: Duration,
    /// How long a client waits before it asks again.
    pub(crate) poll_interval: Duration,
}

/// What a server of 2025-11-25 says that has tasks.
pub(crate) fn capability() -> Json {
    let empty = || Json::from_text("{}").expect("an object is JSON");
    let tools: Members<Json> = [("call", empty())].into_iter().collect();
    let requests = TaskRequestsCapability { tools: Some(tools), ..TaskRequestsCapability::default() };
    let tasks = TasksCapability {
        list: Some(empty()),
        cancel: Some(empty()),
        requests: Some(requests),
        ..TasksCapability::default()
    };
    Json::encode(&tasks).expect("wire types have a JSON form")
}

/// Whether a call becomes a task: in the modern era as the tool says, where the client knows tasks; in 2025-11-25 where
/// the client asks for one.
pub(crate) fn becomes_one(
    route: &ToolRoute,
    request: &Request<'_>,
    context: &Context,
) -> Result<Option<Times>, Failure> {
    let policy = match route.task {
        Some(TaskPolicy::AtOnce { required, times }) => Some((required, times)),
        Some(TaskPolicy::ByItself) | None => None,
    };
    let wanted = request.fields.task.filter(|task| task.get() != "null");
    let refused = |message: &str| Err(Failure::protocol(code::METHOD_NOT_FOUND, message));
    match (context.revision(), policy) {
        (Revision::V2025_11_25, policy) if context.server().capabilities().tasks.is_some() => {
            match (policy, wanted) {
                (None, None) | (Some((false, _)), None) => Ok(None),
                (None, Some(_)) => refused("this tool does not run as a task"),
                (Some((true, _)), None) => refused("this tool runs as a task only"),
                (Some((_, times)), Some(wanted)) => wished(wanted, times).map(Some),
            }
        }
        (revision, Some((required, times))) if revision.era() == Era::Modern => {
            if required {
                require_declared(context)?;
            }
            Ok(declares(context).then_some(times))
        }
        _ => Ok(None),
    }
}

/// The times of a task that its client has a wish for: as long as it likes, at most as long as the tool allows.
fn wished(wanted: &RawValue, times: Times) -> Result<Times, Failure> {
    let invalid = |fault: &dyn std::fmt::Display| Failure::invalid_params(format!("task: {fault}"));
    let wanted: TaskMetadata = serde_json::from_str(wanted.get()).map_err(|fault| invalid(&fault))?;
    let Some(ttl) = wanted.ttl.filter(|ttl| !ttl.is_null()) else { return Ok(times) };
    let ttl: f64 = ttl.decode().map_err(|fault| invalid(&fault))?;
    // What is too large or less than nothing is as long, or as short, as can be.
    let ttl = Duration::try_from_secs_f64(ttl.max(0.0) / 1000.0).unwrap_or(Duration::MAX);
    Ok(Times { lifetime: ttl.max(SHORTEST).min(times.lifetime), ..times })
}

/// The answer to a call that became a task.
pub(crate) fn made(task: Task, era: Era) -> Reply {
    match era {
        Era::Modern => Reply::Task(Box::new(task)),
        Era::Legacy => {
            let nested = NestedCreateTaskResult { task, ..NestedCreateTaskResult::default() };
            Reply::Json(Json::encode(&nested).expect("wire types have a JSON form"))
        }
    }
}
