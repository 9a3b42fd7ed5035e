//! What clients of 2025-11-25 may ask of tasks (basic/utilities/tasks of that revision).

use std::collections::HashSet;
use std::pin::pin;
use std::sync::Arc;

use codewhale_mcp_protocol::{Json, ListTasksResult, Members, Task, TaskParams, meta, method};
use serde_json::value::RawValue;
use tokio::task::JoinSet;

use super::Entry;
use crate::context::can_be_asked;
use crate::incoming::text;
use crate::session::Session;
use crate::{Context, Failure, Handling, InputError, Reply, Request};

/// The most tasks of one page.
const PAGE: usize = 100;
/// What stands between the two parts of a cursor: when the last task before the page was made, and its id.
const BETWEEN: char = ' ';

/// Whether a method is one of those.
pub(crate) fn is_of_session(name: &str) -> bool {
    matches!(name, method::TASKS_GET | method::TASKS_RESULT | method::TASKS_LIST | method::TASKS_CANCEL)
}

/// Answers `tasks/get`, `tasks/result`, `tasks/list` and `tasks/cancel`.
pub(crate) fn answer_in_session(session: &Session, request: &Request<'_>, context: Context) -> Handling {
    begun(session, request, context).unwrap_or_else(Handling::refused)
}

fn begun(session: &Session, request: &Request<'_>, context: Context) -> Result<Handling, Failure> {
    if request.method() == method::TASKS_LIST {
        let list = list(session, request.fields.cursor, &context)?;
        return Ok(Handling::Ready(Ok(Reply::Json(Json::encode(&list)?))));
    }
    let id = request.decode::<TaskParams>()?.task_id;
    let found = context.server().tasks().find(&id, &context);
    let entry = found.ok_or_else(|| Failure::invalid_params("there is no such task"))?;
    match request.method() {
        method::TASKS_RESULT => {
            let session = session.clone();
            return Ok(Handling::later(async move { result(&entry, &session, &context).await }));
        }
        method::TASKS_CANCEL if !entry.cancel() => {
            return Err(Failure::invalid_params("the task has come to its end already"));
        }
        _ => {}
    }
    Ok(Handling::Ready(Ok(Reply::Task(Box::new(entry.task())))))
}

/// A page of tasks, in the order in which they were made: of whoever is authorized, or, where nobody is, of this session.
fn list(session: &Session, cursor: Option<&RawValue>, context: &Context) -> Result<ListTasksResult, Failure> {
    let mut tasks = context.server().tasks().of(session, context);
    if let Some(cursor) = cursor.filter(|cursor| cursor.get() != "null") {
        let cursor = text(Some(cursor));
        let behind = cursor.as_deref().and_then(|cursor| cursor.split_once(BETWEEN));
        let behind = behind.ok_or_else(|| Failure::invalid_params("there is no page at this cursor"))?;
        tasks.retain(|task| (task.created_at.as_deref().unwrap_or_default(), &*task.task_id) > behind);
    }
    let more = tasks.len() > PAGE;
    tasks.truncate(PAGE);
    let cursor =
        |task: &Task| format!("{}{BETWEEN}{}", task.created_at.as_deref().unwrap_or_default(), task.task_id);
    let next_cursor = tasks.last().filter(|_| more).map(cursor);
    Ok(ListTasksResult { tasks, next_cursor, ..ListTasksResult::default() })
}

/// Waits for the end of a task; meanwhile its client is asked what the task wants to know.
async fn result(entry: &Arc<Entry>, session: &Session, context: &Context) -> Result<Reply, Failure> {
    let (mut asked, mut asking) = (HashSet::new(), JoinSet::new());
    loop {
        let mut changed = pin!(entry.changed());
        changed.as_mut().enable();
        if let Some(outcome) = entry.outcome() {
            // What is still being asked is taken back with the set.
            return match outcome {
                Ok(result) => Ok(Reply::Json(related(&result, entry.id()))),
                Err(error) => Err(Failure::error(error)),
            };
        }
        for (key, question) in entry.questions() {
            // It may be another client's task: what this one cannot be asked waits for whoever can.
            if !can_be_asked(session.capabilities(), &question) || !asked.insert(key.clone()) {
                continue;
            }
            let params = related(&question.params.unwrap_or_default(), entry.id());
            let (entry, session) = (Arc::clone(entry), session.clone());
            let outlet = context.parts().outlet.clone();
            asking.spawn(async move {
                match session.ask(&outlet, &question.method, &params).await {
                    // In another session there may be somebody to ask.
                    Err(InputError::Gone) => {}
                    answer => entry.answered([(key, answer)]),
                }
            });
        }
        tokio::select! {
            () = &mut changed => {}
            Some(_) = asking.join_next() => {}
        }
    }
}

/// An object that says which task it belongs to.
fn related(object: &Json, id: &str) -> Json {
    let told = |object: Option<Json>, name: &str, value: Json| {
        let members = object.and_then(|object| object.decode::<Members<Json>>().ok()).unwrap_or_default();
        let others = members.into_iter().filter(|(other, _)| **other != *name);
        let mut all: Members<Json> = others.collect();
        all.push(name, value);
        Json::encode(&all).expect("JSON texts have a JSON form")
    };
    let id = Json::encode(id).expect("a text has a JSON form");
    let meta = told(object.member("_meta"), meta::RELATED_TASK, told(None, "taskId", id));
    told(Some(object.clone()), "_meta", meta)
}
