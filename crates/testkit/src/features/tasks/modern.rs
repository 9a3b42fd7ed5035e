//! Tasks as the extension of the modern era has them: the server decides, results come with `tasks/get`.

use super::board::Tasks;
use super::task::{Plot, Status, Task};
use crate::base::{Answer, Base, Reply};
use crate::json::quote;
use crate::message::Message;
use crate::out::Out;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// Makes a task of a call when the client knows tasks.
pub(super) fn call(tasks: &Tasks, plot: Plot, message: &Message, base: &Base) -> Option<Reply> {
    let id = message.id()?;
    let mut task = tasks.task(plot, message);
    if is_declared(message, base) {
        let reply = Reply::result(id, &format!(r#""resultType":"task",{}"#, members(&task, Status::Working)));
        tasks.add(task);
        return Some(reply);
    }
    if tasks.required || matches!(plot, Plot::Asks | Plot::Stuck) {
        return Some(undeclared(id));
    }
    task.status = Status::Completed;
    Some(match task.outcome() {
        Ok(members) => base.result(message, &members),
        Err(error) => Reply { id: id.to_owned(), body: format!(r#""error":{{{error}}}"#) },
    })
}

/// Answers the methods of the extension.
pub(super) fn answer(
    tasks: &Tasks,
    method: &str,
    message: &Message,
    base: &mut Base,
    out: &Out,
) -> Option<Answer> {
    let id = message.id()?;
    let wants_tasks = || message.param_value("notifications").get("taskIds").is_some();
    match method {
        "subscriptions/listen" if wants_tasks() && !is_declared(message, base) => {
            return Some(Answer::Now(undeclared(id)));
        }
        "tasks/get" | "tasks/update" | "tasks/cancel" if !is_declared(message, base) => {
            return Some(Answer::Now(undeclared(id)));
        }
        "tasks/get" | "tasks/update" | "tasks/cancel" => {}
        _ => return None,
    }
    let wanted = message.param_text("taskId").unwrap_or_default();
    let answered = tasks.with(&wanted, |entry| match method {
        "tasks/get" => {
            entry.task.advance();
            let members = tell(&mut entry.task, base);
            Reply::result(id, &format!(r#""resultType":"{}",{members}"#, tasks.get_type))
        }
        "tasks/update" => {
            if let Err(fault) = update(&mut entry.task, message) {
                out.violation(&fault);
                return Reply::error(id, -32602, &fault, None);
            }
            base.result(message, "")
        }
        _ => {
            if !entry.task.status.is_terminal() && entry.task.plot != Plot::Stubborn {
                entry.task.status = Status::Cancelled;
                tell(&mut entry.task, base);
            }
            base.result(message, "")
        }
    });
    Some(Answer::Now(
        answered.unwrap_or_else(|| Reply::error(id, -32602, &format!("unknown task {wanted}"), None)),
    ))
}

/// Tells those who listen for it how the task stands, and returns that.
pub(super) fn tell(task: &mut Task, base: &Base) -> String {
    let members = detailed(task);
    base.tell_listeners("notifications/tasks", &members, |filter| {
        filter["taskIds"].as_array().is_some_and(|ids| ids.iter().any(|id| id == task.id.as_str()))
    });
    // An answer shows one look later: the server is consistent in the end.
    task.answered.clear();
    members
}

fn members(task: &Task, status: Status) -> String {
    task.members(status, "ttlMs", "pollIntervalMs")
}

/// The whole task with what belongs to its status.
fn detailed(task: &Task) -> String {
    let more = match task.status {
        Status::InputRequired => {
            let request = |question: &crate::features::input::Question| {
                let (name, method, params) = (question.name, question.method, &question.params);
                format!(r#""{name}":{{"method":"{method}","params":{params}}}"#)
            };
            let requests: Vec<String> = task.open.iter().chain(&task.answered).map(request).collect();
            format!(r#","inputRequests":{{{}}}"#, requests.join(","))
        }
        Status::Completed | Status::Failed => match task.outcome() {
            Ok(members) => format!(r#","result":{{"resultType":"complete",{members}}}"#),
            Err(error) => format!(r#","error":{{{error}}}"#),
        },
        Status::Working | Status::Cancelled => String::new(),
    };
    format!("{}{more}", members(task, task.status))
}

/// Takes some or all of the answers; none may come twice.
fn update(task: &mut Task, message: &Message) -> Result<(), String> {
    let responses = message.param("inputResponses").unwrap_or_default();
    let responses: BTreeMap<String, &RawValue> =
        serde_json::from_str(responses).map_err(|_| "inputResponses is no object".to_owned())?;
    for (key, response) in responses {
        let Some(place) = task.open.iter().position(|question| question.name == key) else {
            return Err(format!("{} is no open question of the task", quote(&key)));
        };
        let question = task.open.remove(place);
        task.said.push(format!("{key} {} {response}", question.method));
        task.answered.push(question);
    }
    Ok(())
}

fn is_declared(message: &Message, base: &Base) -> bool {
    base.client_capabilities(message)["extensions"][EXTENSION].is_object()
}

fn undeclared(id: &str) -> Reply {
    let data = format!(r#"{{"requiredCapabilities":{{"extensions":{{"{EXTENSION}":{{}}}}}}}}"#);
    Reply::error(id, -32021, "this needs tasks", Some(&data))
}
