//! Connect, find the tool, ask, call, print.

use std::sync::Arc;
use std::time::{Duration, Instant};

use codewhale_mcp_client::{CallError, Client, Mismatch, MismatchKind, Started, expected_arguments};
use codewhale_mcp_config::Server;
use codewhale_mcp_manager::{
    Argument, ArgumentCheck, Attempt, Manager, Outcome, check_arguments, check_output, coerce,
};
use codewhale_mcp_protocol::{CallToolResult, Json, Task, Tool};
use serde::Serialize;

use super::given::{Meant, arguments};
use super::task::{Made, can_be_a_task, started};
use super::tool::{consent, find, kept_back};
use crate::answers::Answers;
use crate::args::CallArgs;
use crate::commands::heard::{ask_for_messages, while_heard};
use crate::commands::usage::{unknown, usage};
use crate::configured::Configured;
use crate::content::View;
use crate::drive::drive_with;
use crate::exit::Exit;
use crate::failure::{Failure, KeptBack};
use crate::hint::Naming;
use crate::print::{Printer, Waiting, time};
use crate::run::Run;
use crate::target;

/// A result, for machines. `result` is what the server sent.
#[derive(Serialize)]
struct Called<'a> {
    server: &'a str,
    tool: &'a str,
    elapsed_ms: u64,
    is_error: bool,
    result: &'a CallToolResult,
    /// Files, where they were asked for.
    saved: Vec<String>,
    warnings: Vec<String>,
}

/// Everything that a call needs and that is known before anything is started.
struct Plan {
    server: Server,
    tool: String,
    given: Vec<Argument>,
    args: CallArgs,
    answers: Arc<Answers>,
    json: bool,
    naming: Naming,
    view: View,
}

/// What a call has come to.
enum Came {
    Result(CallToolResult),
    Task(Box<Task>),
}

pub(crate) fn call(run: &mut Run, args: &CallArgs) -> Result<Exit, Failure> {
    let configured = Configured::load(run)?;
    let (asked, words) = target::split(&configured, &args.unnamed, &args.words)
        .ok_or_else(|| Failure::usage("name the server"))?;
    let mut server = target::ready(&configured, &asked, &args.budgets, &run.printer)?;
    let no_tool = || Failure::NoToolNamed { server: server.name.clone() };
    let (tool, words) = words.split_first().ok_or_else(no_tool)?;
    if let Some(timeout) = args.timeout {
        server.timeouts.execute.value = Duration::from_secs_f64(timeout);
    }
    let plan = Plan {
        given: arguments(run, args, Meant { server: &server.name, tool }, words)?,
        answers: Answers::of(run, &args.asked, &server.name)?,
        json: run.global.json,
        naming: run.naming,
        view: View::of(run, &args.shown, tool),
        tool: tool.clone(),
        args: args.clone(),
        server,
    };
    let (printer, answers) = (run.printer.clone(), plan.answers.clone());
    let outcome = drive_with(
        run,
        &configured,
        |options| answers.declare(options),
        async move |manager| plan.carry_out(manager, &printer).await,
    );
    answers.settle(outcome)
}

impl Plan {
    async fn carry_out(mut self, manager: &Manager, printer: &Arc<Printer>) -> Result<Exit, Failure> {
        printer.detail(format!("connecting {}", self.server.name));
        let waiting = Waiting::new(printer);
        let attempt = waiting.on(&self.server.name, manager.connect(&self.server)).await;
        let (client, tools) = usable(&self.server.name, &attempt)?;
        printer.spare_words(tools.iter().map(|tool| tool.name.clone()));
        let tool = find(&self.server.name, &self.tool, tools, self.kept_back())?;
        let (arguments, odd) = self.fitting(tool, printer)?;
        consent(tool, self.args.yes, self.answers.person(), printer).await?;
        ask_for_messages(client, self.args.asked.log_level, printer).await.map_err(self.failed())?;
        printer.detail(format!("calling {}", tool.name));
        let began = Instant::now();
        let work = self.send(client, tool, &arguments, printer);
        let came = while_heard(client, &self.answers, &tool.name, work).await.map_err(self.failed())?;
        let exit = match came {
            Came::Result(result) => self.print(tool, &result, odd, began.elapsed(), printer)?,
            Came::Task(task) => {
                let made = Made { server: &self.server.name, tool: &tool.name, task: &task };
                started(&made, self.naming, self.json, printer)?;
                Exit::Ok
            }
        };
        printer.flush()?;
        if let Some(connection) = attempt.connection {
            connection.close().await;
        }
        Ok(exit)
    }

    /// Why the tool may not be there: the server was not allowed to ask, if there is nothing nearer.
    fn kept_back(&self) -> KeptBack {
        let asked = &self.args.asked;
        match kept_back(&self.server, &self.tool) {
            KeptBack::No if !asked.allow_sampling && asked.root.is_empty() => KeptBack::Unasked,
            kept => kept,
        }
    }

    fn failed(&self) -> impl Fn(CallError) -> Failure + use<> {
        let server = self.server.clone();
        move |source| Failure::of_call(&server, source)
    }

    /// The arguments in the types that the tool asks for, checked against its schema, and what is odd about them.
    fn fitting(&self, tool: &Tool, printer: &Printer) -> Result<(Json, Vec<String>), Failure> {
        let expected = expected_arguments(tool);
        let unknown = unknown(&expected, self.given.iter().map(|argument| argument.name.as_str()));
        let bad = |faults| Failure::BadArguments {
            server: self.server.name.clone(),
            tool: tool.name.clone(),
            usage: usage(&tool.name, &expected),
            faults,
        };
        let arguments = coerce(tool, &self.given).map_err(|error| bad(vec![error.to_string()]))?;
        let odd = match check_arguments(tool, &arguments) {
            ArgumentCheck::Refused(faults) => {
                // What is unknown has been found already, and with what was meant.
                let told = |fault: &&Mismatch| {
                    let known = fault.path.is_empty() && matches!(fault.kind, MismatchKind::Unknown(_));
                    !known || unknown.is_empty()
                };
                let faults = faults.iter().filter(told).map(ToString::to_string);
                return Err(bad(faults.chain(unknown.iter().cloned()).collect()));
            }
            ArgumentCheck::Unchecked(why) => {
                unknown.into_iter().chain([format!("the arguments were not checked: {why}")]).collect()
            }
            _ => unknown,
        };
        odd.iter().for_each(|warning| printer.warn(warning));
        Ok((arguments, odd))
    }

    /// Calls in the way that the tool needs and the command line asks for.
    async fn send(
        &self,
        client: &Client,
        tool: &Tool,
        arguments: &Json,
        printer: &Printer,
    ) -> Result<Came, CallError> {
        if self.args.task && can_be_a_task(client.server(), tool, printer) {
            return Ok(match client.call_tool_as_task(&tool.name, arguments, None).await? {
                Started::Done(result) => {
                    printer.note("the server has answered at once and made no task of it");
                    Came::Result(*result)
                }
                Started::Task(task, _) => Came::Task(task),
            });
        }
        if client.must_be_a_task(tool) {
            return client.call_listed_tool(tool, arguments).await.map(Came::Result);
        }
        let progress = self.answers.progress();
        let call = client.call_tool(&tool.name, arguments);
        call.on_progress(|params| progress.update(&params)).send().await.map(Came::Result)
    }

    fn print(
        &mut self,
        tool: &Tool,
        result: &CallToolResult,
        odd: Vec<String>,
        elapsed: Duration,
        printer: &Printer,
    ) -> Result<Exit, Failure> {
        let wrong = check_output(tool, result).map(|fault| fault.to_string());
        if self.json {
            printer.lossless_json(&Called {
                server: &self.server.name,
                tool: &tool.name,
                elapsed_ms: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
                is_error: result.is_error,
                result,
                saved: self.view.files(|view, hush| view.result(result, hush))?,
                warnings: odd.into_iter().chain(wrong).chain(self.answers.declined()).collect(),
            })?;
        } else {
            self.view.result(result, printer)?;
            wrong.iter().for_each(|warning| printer.warn(warning));
            printer.detail(format!("the tool answered after {}", time(elapsed)));
        }
        if result.is_error {
            printer.flush()?;
            printer.error(format!("the tool `{}` answered with an error", tool.name));
            return Ok(Exit::ToolFailed);
        }
        Ok(Exit::Ok)
    }
}

/// The connection and the tools of a server that can be called.
fn usable<'a>(name: &str, attempt: &'a Attempt) -> Result<(&'a Client, &'a [Tool]), Failure> {
    let connection = attempt.connection.as_ref();
    match (&attempt.report.outcome, connection) {
        (Outcome::Ready(ready), Some(connection)) => Ok((connection.client(), &ready.tools)),
        (Outcome::Degraded(ready, degradation), Some(connection)) => {
            // Without its list, nobody can say what a tool takes or whether it destroys something.
            if degradation.class.as_str() != "list_empty" {
                return Err(Failure::NoList { name: name.to_owned(), degradation: degradation.clone() });
            }
            Ok((connection.client(), &ready.tools))
        }
        _ => Err(Failure::of_report(&attempt.report)),
    }
}
