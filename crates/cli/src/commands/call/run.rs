//! Connect, find the tool, ask, call, print.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use codewhale_mcp_client::{CallError, Client, Event, Events};
use codewhale_mcp_config::Server;
use codewhale_mcp_manager::{
    Argument, ArgumentCheck, Attempt, Manager, Outcome, check_arguments, check_output, coerce,
};
use codewhale_mcp_protocol::{CallToolResult, Json, MessageParams, Tool};
use serde::Serialize;

use super::given::arguments;
use super::tool::{Asking, consent, find};
use crate::args::{Asked, CallArgs};
use crate::configured::Configured;
use crate::content::{Length, Saver, show};
use crate::drive::drive;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print::{Line, Paint, Printer, Progress, time};
use crate::run::Run;
use crate::target;
use crate::world::Terminal;

/// The most bytes of a text that are shown on a terminal, unless all of it is asked for.
const SHOWN: usize = 32 * 1024;

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
    timeout: Option<Duration>,
    yes: bool,
    person: Asking,
    json: bool,
    length: Length,
    /// Whether files were asked for.
    save: bool,
    saver: Saver,
}

pub(crate) fn call(run: &mut Run, args: &CallArgs) -> Result<Exit, Failure> {
    let words = args.words().ok_or_else(|| Failure::usage("name the tool"))?;
    let configured = Configured::load(run)?;
    let asked = match words.name {
        Some(name) => Asked::Name(name.to_owned()),
        None => args.unnamed.clone().asked().expect("without a name there is one of the others"),
    };
    let server = target::ready(&configured, &asked, &run.printer)?;
    let given = arguments(run, args, words.arguments)?;
    let on_terminal = run.printer.stdout_terminal() != Terminal::No;
    let folder = args.save.as_ref().map(|folder| run.world.cwd.join(folder));
    let plan = Plan {
        tool: words.tool.to_owned(),
        given,
        timeout: args.timeout.map(Duration::from_secs_f64),
        yes: args.yes,
        person: run.world.person.take().map(|person| Arc::new(Mutex::new(person))),
        json: run.global.json,
        length: if on_terminal && !args.full { Length::AtMost(SHOWN) } else { Length::Whole },
        save: folder.is_some(),
        saver: Saver::new(folder, &run.world.temp, words.tool),
        server,
    };
    let printer = run.printer.clone();
    drive(run, &configured, async move |manager| plan.carry_out(manager, &printer).await)
}

impl Plan {
    async fn carry_out(mut self, manager: &Manager, printer: &Arc<Printer>) -> Result<Exit, Failure> {
        printer.detail(format!("connecting {}", self.server.name));
        let attempt = manager.connect(&self.server).await;
        let (client, tools) = usable(&self.server.name, &attempt)?;
        let hidden = !self.server.tools.allows(&self.tool);
        let tool = find(&self.server.name, &self.tool, tools, hidden)?;
        let arguments = self.fitting(tool, printer)?;
        consent(tool, self.yes, self.person.take(), printer).await?;
        printer.detail(format!("calling {}", tool.name));
        let began = Instant::now();
        let result = self.send(client, tool, &arguments, printer).await;
        let result = result.map_err(|source| Failure::Call { server: self.server.name.clone(), source })?;
        let exit = self.print(tool, &result, began.elapsed(), printer)?;
        printer.flush()?;
        if let Some(connection) = attempt.connection {
            connection.close().await;
        }
        Ok(exit)
    }

    /// The arguments in the types that the tool asks for, checked against its schema.
    fn fitting(&self, tool: &Tool, printer: &Printer) -> Result<Json, Failure> {
        let bad = |faults| Failure::BadArguments {
            server: self.server.name.clone(),
            tool: tool.name.clone(),
            faults,
        };
        let arguments = coerce(tool, &self.given).map_err(|error| bad(vec![error.to_string()]))?;
        match check_arguments(tool, &arguments) {
            ArgumentCheck::Refused(faults) => Err(bad(faults.iter().map(ToString::to_string).collect())),
            ArgumentCheck::Unchecked(why) => {
                printer.warn(format!("the arguments were not checked: {why}"));
                Ok(arguments)
            }
            _ => Ok(arguments),
        }
    }

    /// Calls, and tells what the server says meanwhile.
    async fn send(
        &self,
        client: &Client,
        tool: &Tool,
        arguments: &Json,
        printer: &Arc<Printer>,
    ) -> Result<CallToolResult, CallError> {
        let progress = Progress::new(printer);
        let mut events = client.events();
        let mut request = client.call_tool(&tool.name, arguments);
        if let Some(timeout) = self.timeout {
            request = request.timeout(timeout);
        }
        let call = request.on_progress(|params| progress.update(&params)).send();
        let mut call = std::pin::pin!(call);
        let result = loop {
            tokio::select! {
                biased;
                event = events.next() => match event {
                    Some(Event::Message(message)) => progress.note(told(&message)),
                    Some(_) => {}
                    None => break call.await,
                },
                result = &mut call => break result,
            }
        };
        last_words(&mut events, &progress);
        progress.finish();
        result
    }

    fn print(
        &mut self,
        tool: &Tool,
        result: &CallToolResult,
        elapsed: Duration,
        printer: &Printer,
    ) -> Result<Exit, Failure> {
        let odd: Vec<String> = check_output(tool, result).iter().map(ToString::to_string).collect();
        if self.json {
            if self.save {
                let hush = Printer::silent();
                show(result, Length::Whole, &mut self.saver, &hush)?;
            }
            printer.lossless_json(&Called {
                server: &self.server.name,
                tool: &tool.name,
                elapsed_ms: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
                is_error: result.is_error,
                result,
                saved: self.saver.saved().iter().map(|path| path.to_string_lossy().into_owned()).collect(),
                warnings: odd,
            })?;
        } else {
            show(result, self.length, &mut self.saver, printer)?;
            odd.iter().for_each(|warning| printer.warn(warning));
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
                return Err(Failure::NoList { name: name.to_owned(), causes: degradation.causes.clone() });
            }
            Ok((connection.client(), &ready.tools))
        }
        _ => Err(Failure::of_report(&attempt.report)),
    }
}

/// What was said just before the answer.
fn last_words(events: &mut Events, progress: &Progress) {
    while let Some(event) = events.ready() {
        if let Event::Message(message) = event {
            progress.note(told(&message));
        }
    }
}

/// A log message of the server, as a line.
fn told(message: &MessageParams) -> Line {
    let paint = match message.level.as_str() {
        "debug" | "info" | "notice" => Paint::Dim,
        "warning" => Paint::Odd,
        _ => Paint::Bad,
    };
    let logger = message.logger.as_deref().map(|logger| format!(" {logger}")).unwrap_or_default();
    let data = message
        .data
        .as_ref()
        .map(|data| data.decode::<String>().unwrap_or_else(|_| data.as_str().to_owned()));
    Line::new().add(paint, format!("[{}{logger}]", message.level)).plain(" ").plain(data.unwrap_or_default())
}
