//! Tasks as 2025-11-25 has them: the client asks for one, and for its result.

use super::board::{Board, Tasks};
use super::task::{Plot, Status, Task};
use crate::base::{Answer, Reply};
use crate::features::input::{Heard, Router, one_round};
use crate::json::quote;
use crate::message::Message;
use crate::out::Out;

/// How many tasks `tasks/list` shows on a page.
const PAGE: usize = 2;

/// Makes a task of a call when the client asks for one; refuses what does not fit the tool.
pub(super) fn call(tasks: &Tasks, plot: Option<Plot>, message: &Message, out: &Out) -> Option<Reply> {
    let (id, wanted) = (message.id()?, message.param("task").is_some());
    let refusal = |text: &str| Some(Reply::error(id, -32601, text, None));
    let Some(plot) = plot else {
        if wanted {
            out.violation("a task is asked of a tool that has none");
            return refusal("this tool makes no tasks");
        }
        return None;
    };
    let mut task = tasks.task(plot, message);
    if wanted {
        task.token = message.meta("progressToken");
        let meta = r#""_meta":{"io.modelcontextprotocol/model-immediate-response":"It has begun."}"#;
        let reply = Reply::result(id, &format!(r#""task":{{{}}},{meta}"#, members(&task)));
        tasks.add(task);
        return Some(reply);
    }
    if tasks.required {
        out.violation("a tool that requires a task is called without one");
        return refusal("this tool requires a task");
    }
    task.status = Status::Completed;
    Some(outcome(id, &task, ""))
}

/// Answers the methods of tasks.
pub(super) fn answer(tasks: &Tasks, method: &str, message: &Message, out: &Out) -> Option<Answer> {
    let id = message.id()?;
    if method == "tasks/list" {
        return Some(Answer::Now(list(tasks, id, message)));
    }
    if !matches!(method, "tasks/get" | "tasks/cancel" | "tasks/result") {
        return None;
    }
    let wanted = message.param_text("taskId").unwrap_or_default();
    let answered = tasks.with(&wanted, |entry| match method {
        "tasks/get" => {
            entry.task.advance();
            tell(&entry.task, out);
            Some(Reply::result(id, &members(&entry.task)))
        }
        "tasks/cancel" if entry.task.status.is_terminal() => {
            Some(Reply::error(id, -32602, "the task has ended", None))
        }
        "tasks/cancel" => {
            entry.task.status = Status::Cancelled;
            for waker in entry.wakers.drain(..) {
                // Who has gone away needs no waking.
                let _ = waker.try_send(Heard::Cancelled);
            }
            Some(Reply::result(id, &members(&entry.task)))
        }
        _ => None,
    });
    Some(match answered {
        Some(Some(reply)) => Answer::Now(reply),
        Some(None) => result(id, &wanted, &tasks.board, &tasks.router, out),
        None => Answer::Now(Reply::error(id, -32602, &format!("unknown task {wanted}"), None)),
    })
}

/// Tells how a task stands, and of its progress.
pub(super) fn tell(task: &Task, out: &Out) {
    if let Some(token) = task.token.as_ref().filter(|_| task.status == Status::Working) {
        out.message(crate::base::progress(token, task.step, task.step + 1));
    }
    let method = "notifications/tasks/status";
    out.message(format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{{{}}}}}"#, members(task)));
}

/// A result that is an error counts as a failure here.
fn members(task: &Task) -> String {
    let failed = task.status == Status::Completed && task.plot == Plot::Refuses;
    task.members(if failed { Status::Failed } else { task.status }, "ttl", "pollInterval")
}

fn outcome(id: &str, task: &Task, meta: &str) -> Reply {
    match task.outcome() {
        Ok(members) => Reply::result(id, &format!("{meta}{members}")),
        Err(error) => Reply { id: id.to_owned(), body: format!(r#""error":{{{error}}}"#) },
    }
}

fn list(tasks: &Tasks, id: &str, message: &Message) -> Reply {
    let start = match message.param_text("cursor") {
        None => Some(0),
        Some(cursor) => cursor.strip_prefix("task-").and_then(|start| start.parse::<usize>().ok()),
    };
    let Some(start) = start else { return Reply::error(id, -32602, "invalid cursor", None) };
    let board = tasks.board.lock().expect("no holder panics");
    let all: Vec<&Task> = board.iter().map(|entry| &entry.task).filter(|task| !task.id.is_empty()).collect();
    let shown: Vec<String> =
        all.iter().skip(start).take(PAGE).map(|task| format!("{{{}}}", members(task))).collect();
    let end = start + PAGE;
    let next = if end < all.len() { format!(r#","nextCursor":"task-{end}""#) } else { String::new() };
    Reply::result(id, &format!(r#""tasks":[{}]{next}"#, shown.join(",")))
}

/// Waits for the end of a task, asks what it asks on the way, and answers what its call would have.
fn result(id: &str, wanted: &str, board: &Board, router: &Router, out: &Out) -> Answer {
    let (id, wanted, out) = (id.to_owned(), wanted.to_owned(), out.clone());
    let (board, router, waiting) = (board.clone(), router.clone(), router.enter(&id));
    Answer::Later(Box::new(move || {
        let related =
            format!(r#""_meta":{{"io.modelcontextprotocol/related-task":{{"taskId":{}}}}}"#, quote(&wanted));
        loop {
            let (mut questions, stuck) = {
                let mut board = board.lock().expect("no holder panics");
                let entry = board.iter_mut().find(|entry| entry.task.id == wanted)?;
                let task = &mut entry.task;
                task.advance();
                if task.status.is_terminal() {
                    return Some(outcome(&id, task, &format!("{related},")));
                }
                let stuck = task.plot == Plot::Stuck;
                if stuck {
                    entry.wakers.push(waiting.sender.clone());
                }
                let asks = task.status == Status::InputRequired;
                (if asks { std::mem::take(&mut task.open) } else { vec![] }, stuck)
            };
            if stuck {
                // Woken by the end of the task or by the end of this request.
                let _ = waiting.receiver.recv();
                let mut board = board.lock().expect("no holder panics");
                let ended = board.iter_mut().find(|entry| entry.task.id == wanted)?;
                if !ended.task.status.is_terminal() {
                    return None;
                }
            }
            if !questions.is_empty() {
                for question in &mut questions {
                    question.params.insert_str(1, &format!("{related},"));
                }
                let said = one_round(&id, 1, &questions, &waiting, &router, &out)?;
                let mut board = board.lock().expect("no holder panics");
                board.iter_mut().find(|entry| entry.task.id == wanted)?.task.said.extend(said);
            }
        }
    }))
}
