//! `mcp tasks`: the tasks of a server, and one of them.

use std::sync::Arc;

use codewhale_mcp_client::{CallError, Client};
use codewhale_mcp_config::Server;
use codewhale_mcp_protocol::{CallToolResult, Task, TaskLifetime, TaskStatus};
use serde::Serialize;

use super::heard::while_heard;
use super::opened::failed;
use super::talk::{Took, talk};
use crate::answers::Answers;
use crate::args::TasksArgs;
use crate::configured::Configured;
use crate::content::View;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print::{Fit, Line, Paint, Printer, Table, Waiting, time};
use crate::run::Run;
use crate::target;

/// The tasks of a server, for machines.
#[derive(Serialize)]
struct Tasks<'a> {
    server: &'a str,
    tasks: &'a [Task],
}

/// One task, for machines.
#[derive(Serialize)]
struct One<'a> {
    server: &'a str,
    /// `null` where the server does not know it any more.
    task: Option<&'a Task>,
}

/// A task's result, for machines.
#[derive(Serialize)]
struct Finished<'a> {
    server: &'a str,
    task_id: &'a str,
    elapsed_ms: u64,
    is_error: bool,
    result: &'a CallToolResult,
    /// Files, where they were asked for.
    saved: Vec<String>,
    /// The questions of the server that were declined.
    warnings: Vec<String>,
}

/// What is to be done.
enum Wish {
    List,
    Look(String),
    Cancel(String),
    Wait(String),
}

struct Plan<'a> {
    server: &'a Server,
    wish: &'a Wish,
    answers: &'a Arc<Answers>,
    view: &'a mut View,
    json: bool,
    printer: &'a Arc<Printer>,
}

pub(super) fn tasks(run: &mut Run, args: &TasksArgs) -> Result<Exit, Failure> {
    let (asked, words) = args.unnamed.split(&args.words).ok_or_else(|| Failure::usage("name the server"))?;
    let wish = match words {
        [] if args.cancel || args.wait => return Err(Failure::usage("name the task")),
        [] => Wish::List,
        [id] if args.cancel => Wish::Cancel(id.clone()),
        [id] if args.wait => Wish::Wait(id.clone()),
        [id] => Wish::Look(id.clone()),
        _ => return Err(Failure::usage("name one task")),
    };
    let configured = Configured::load(run)?;
    let server = target::ready(&configured, &asked, &args.budgets, &run.printer)?;
    let mut view = View::of(run, &args.shown, "task");
    let (json, printer) = (run.global.json, run.printer.clone());
    talk(run, &configured, &server, &args.asked, async |connection, answers| {
        let view = &mut view;
        Plan { server: &server, wish: &wish, answers, view, json, printer: &printer }
            .carry_out(connection.client())
            .await
    })
}

impl Plan<'_> {
    async fn carry_out(&mut self, client: &Client) -> Result<Exit, Failure> {
        let failed = failed(self.server);
        match self.wish {
            Wish::List => {
                let waiting = Waiting::new(self.printer);
                let listed = waiting.on(&self.server.name, client.list_tasks()).await.map_err(failed)?;
                if let Some(warning) = listed.warning {
                    self.printer.warn(warning.to_string());
                }
                self.list(&listed.items)?;
            }
            Wish::Look(id) => {
                let waiting = Waiting::new(self.printer);
                let task = waiting.on(&self.server.name, client.task(id).status()).await.map_err(failed)?;
                self.one(Some(&task))?;
            }
            Wish::Cancel(id) => {
                client.task(id).cancel().await.map_err(&failed)?;
                match client.task(id).status().await {
                    // It may have come to another end all the same.
                    Ok(task) => self.one(Some(&task))?,
                    Err(CallError::ServerError { .. }) => self.one(None)?,
                    Err(error) => return Err(failed(error)),
                }
            }
            Wish::Wait(id) => {
                let took = Took::now();
                let work = client.task(id).result();
                let result = while_heard(client, self.answers, id, work).await.map_err(failed)?;
                return self.finished(id, &result, &took);
            }
        }
        Ok(Exit::Ok)
    }

    fn list(&self, tasks: &[Task]) -> Result<(), Failure> {
        if self.json {
            return Ok(self.printer.lossless_json(&Tasks { server: &self.server.name, tasks })?);
        }
        if tasks.is_empty() {
            self.printer.note(format!("{} has no tasks", self.server.name));
            return Ok(());
        }
        let mut table = Table::new([
            ("TASK", Fit::Keep),
            ("STATUS", Fit::Keep),
            ("CREATED", Fit::Drop),
            ("MESSAGE", Fit::Cut),
        ]);
        for task in tasks {
            table.row([
                Line::new().bold(&task.task_id),
                status(task),
                Line::from(task.created_at.as_deref().unwrap_or("-")),
                Line::from(task.status_message.as_deref().unwrap_or_default()),
            ]);
        }
        Ok(table.print(self.printer)?)
    }

    fn one(&self, task: Option<&Task>) -> Result<(), Failure> {
        if self.json {
            return Ok(self.printer.lossless_json(&One { server: &self.server.name, task })?);
        }
        let Some(task) = task else {
            self.printer.note("the server knows the task no more");
            return Ok(());
        };
        let field =
            |label: &str, value: Line| self.printer.line(Line::new().dim(format!("{label:<14}")).join(value));
        field("task", Line::new().bold(&task.task_id))?;
        field("status", status(task))?;
        if let Some(message) = &task.status_message {
            field("message", Line::from(message))?;
        }
        if let Some(created) = &task.created_at {
            field("created", Line::from(created))?;
        }
        if let Some(updated) = &task.last_updated_at {
            field("changed", Line::from(updated))?;
        }
        match task.lifetime() {
            TaskLifetime::Unknown => {}
            TaskLifetime::Unlimited => field("kept", Line::from("for ever"))?,
            TaskLifetime::Limited(span) => field("kept", Line::from(format!("for {}", time(span))))?,
        }
        if let Some(error) = &task.error {
            field("error", Line::from(error.to_string()))?;
        }
        Ok(())
    }

    fn finished(&mut self, id: &str, result: &CallToolResult, took: &Took) -> Result<Exit, Failure> {
        if self.json {
            self.printer.lossless_json(&Finished {
                server: &self.server.name,
                task_id: id,
                elapsed_ms: took.millis(),
                is_error: result.is_error,
                result,
                warnings: self.answers.declined(),
                saved: self.view.files(|view, hush| view.result(result, hush))?,
            })?;
        } else {
            self.view.result(result, self.printer)?;
        }
        if !result.is_error {
            return Ok(Exit::Ok);
        }
        self.printer.flush()?;
        self.printer.error(format!("the task `{id}` ended with an error"));
        Ok(Exit::ToolFailed)
    }
}

fn status(task: &Task) -> Line {
    let paint = match task.status {
        TaskStatus::Completed => Paint::Good,
        TaskStatus::Failed => Paint::Bad,
        TaskStatus::InputRequired => Paint::Odd,
        _ => Paint::Plain,
    };
    Line::new().add(paint, &*task.status)
}
