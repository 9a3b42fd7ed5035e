//! `mcp tools`: tools under the names that a model sees.

use std::sync::Arc;

use codewhale_mcp_config::{Server, ServerEntry};
use codewhale_mcp_manager::{Catalogue, Manager, Target, ToolId, estimated_tokens, rfc3339};
use codewhale_mcp_protocol::Tool;

use super::call::{find, kept_back};
use super::listing::{Listed, Named, print, print_json};
use super::one_tool;
use super::report::Checked;
use super::summary::{Summary, unsettled};
use crate::args::{Asked, BudgetArgs, ToolsArgs};
use crate::configured::Configured;
use crate::drive::{drive_heeding, ended_by};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::hint::Naming;
use crate::print::{Printer, Waiting};
use crate::run::Run;
use crate::target;
use crate::world::{Interrupts, Signal};

/// What became of one server's list.
struct Found {
    server: Server,
    row: Checked,
    tools: Vec<Tool>,
    not_offered: usize,
    /// When a list from the cache was read.
    listed: Option<String>,
}

pub(super) fn tools(run: &mut Run, args: &ToolsArgs) -> Result<Exit, Failure> {
    let configured = Configured::load(run)?;
    let (asked, tool) = wanted(&configured, args)?;
    let (asked_for, others) = servers(&configured, asked.as_ref(), &args.budgets, &run.printer)?;
    let show = Show {
        tool,
        json: run.global.json,
        naming: run.naming,
        args: args.clone(),
        printer: run.printer.clone(),
    };
    let work = async move |manager: &Manager, interrupts: &mut Interrupts| {
        let (found, signal) = match show.args.cached {
            true => (cached(manager, asked_for, show.naming).await, None),
            false => live(manager, asked_for, interrupts, &show.printer).await,
        };
        let mut all = ids(found.iter().map(|found| (found.server.name.as_str(), &found.tools)));
        // A name depends on every tool there is, so that it never changes with what is asked for.
        for server in &others {
            let list = manager.recall(server).await.list;
            let known = list.map(|list| offered(server, list.tools)).unwrap_or_default();
            all.extend(ids([(server.name.as_str(), &known)]));
        }
        let exit = show.all(found, &Catalogue::new(all))?;
        Ok(signal.map_or(exit, ended_by))
    };
    drive_heeding(run, &configured, |_| (), work)
}

/// How what was found is shown.
struct Show {
    /// The only one that is wanted.
    tool: Option<String>,
    json: bool,
    naming: Naming,
    args: ToolsArgs,
    printer: Arc<Printer>,
}

impl Show {
    fn all(&self, found: Vec<Found>, catalogue: &Catalogue) -> Result<Exit, Failure> {
        let printer = &self.printer;
        let asked: Vec<Server> = found.iter().map(|found| found.server.clone()).collect();
        let (rows, mut listed): (Vec<Checked>, Vec<Listed>) =
            found.into_iter().map(|found| listed(found, catalogue)).unzip();
        let tools = listed.iter().flat_map(|server| &server.tools);
        printer.spare_words(tools.flat_map(|tool| [tool.name.clone(), tool.raw_name.clone()]));
        if let Some(wanted) = self.tool.as_deref().filter(|_| rows.iter().any(Checked::is_fine)) {
            listed.iter_mut().zip(&asked).try_for_each(|(listed, server)| listed.keep(wanted, server))?;
        }
        match (self.json, &self.tool) {
            (true, _) => print_json(&listed, printer)?,
            (false, None) => print(&listed, &self.args, printer)?,
            (false, Some(_)) => {
                for server in &listed {
                    for tool in &server.tools {
                        one_tool::print(&server.server, self.naming, tool, &self.args, printer)?;
                    }
                }
            }
        }
        printer.flush()?;
        let summary = Summary::of(&rows);
        if rows.is_empty() {
            summary.print(printer);
        }
        for (row, listed) in rows.iter().zip(&listed) {
            match row.is_fine() {
                true if listed.tools.is_empty() => printer.note(format!("{}: it lists no tools", row.name)),
                true => {}
                false => row.tell(printer),
            }
        }
        Ok(summary.exit())
    }
}

/// Which server is asked for, and which one of its tools.
fn wanted(configured: &Configured, args: &ToolsArgs) -> Result<(Option<Asked>, Option<String>), Failure> {
    match target::split(configured, &args.unnamed, &args.words) {
        None => Ok((None, None)),
        Some((asked, mut words)) if words.len() < 2 => Ok((Some(asked), words.pop())),
        Some(_) => Err(Failure::usage("name one tool at a time")),
    }
}

/// The servers that are asked for, and the others that are on.
pub(super) fn servers(
    configured: &Configured,
    asked: Option<&Asked>,
    budgets: &BudgetArgs,
    printer: &Printer,
) -> Result<(Vec<Server>, Vec<Server>), Failure> {
    let environment = |name: &str| configured.variable(name);
    let mut others = Vec::new();
    for merged in &configured.merged.servers {
        if !merged.entry.definition.as_ref().is_ok_and(ServerEntry::is_on) {
            continue;
        }
        match merged.resolve(&environment, &configured.place.workspace) {
            Ok(mut server) => {
                budgets.apply(&mut server);
                printer.hide(&server.secrets);
                others.push(server);
            }
            Err(problems) if asked.is_none() => {
                problems.iter().for_each(|problem| printer.warn(problem.to_string()));
            }
            Err(_) => {}
        }
    }
    match asked {
        None => Ok((others, Vec::new())),
        Some(asked) => {
            let server = target::ready(configured, asked, budgets, printer)?;
            others.retain(|other| other.name != server.name);
            Ok((vec![server], others))
        }
    }
}

/// Asks them all at once. When a signal comes, what has not settled by then is named as interrupted.
async fn live(
    manager: &Manager,
    servers: Vec<Server>,
    interrupts: &mut Interrupts,
    printer: &Arc<Printer>,
) -> (Vec<Found>, Option<Signal>) {
    let mut checks = manager.check_all(servers.iter().cloned().map(Target::from).collect());
    let mut found: Vec<Found> = servers.into_iter().map(Found::new).collect();
    let waiting = Waiting::new(printer);
    loop {
        let open = unsettled(found.iter().map(|found| &found.row));
        let report = tokio::select! {
            biased;
            report = waiting.on(&open, checks.next()) => report,
            signal = interrupts.next() => {
                let open = found.iter_mut().map(|found| &mut found.row).filter(|row| !row.is_settled());
                open.for_each(Checked::interrupt);
                return (found, Some(signal));
            }
        };
        let Some(report) = report else { return (found, None) };
        let Some(found) = found.iter_mut().find(|found| found.server.name == report.server) else { continue };
        found.row.settle(&report);
        if let Some(ready) = report.outcome.ready() {
            found.tools.clone_from(&ready.tools);
            found.not_offered = ready.not_offered;
        }
    }
}

async fn cached(manager: &Manager, servers: Vec<Server>, naming: Naming) -> Vec<Found> {
    let mut all = Vec::new();
    for server in servers {
        let known = manager.recall(&server).await;
        let mut found = Found::new(server);
        match known.list {
            Some(list) => {
                let total = list.tools.len();
                found.tools = offered(&found.server, list.tools);
                found.not_offered = total - found.tools.len();
                found.listed = Some(rfc3339(list.time));
                found.row.remembered(found.tools.len());
            }
            None => found.row.not_remembered(naming),
        }
        all.push(found);
    }
    all
}

impl Found {
    fn new(server: Server) -> Self {
        let row = Checked::new(&server.name, &server.place, server.transport.as_str());
        Self { server, row, tools: Vec::new(), not_offered: 0, listed: None }
    }
}

fn offered(server: &Server, mut tools: Vec<Tool>) -> Vec<Tool> {
    tools.retain(|tool| server.tools.allows(&tool.name));
    tools
}

fn ids<'a>(servers: impl IntoIterator<Item = (&'a str, &'a Vec<Tool>)>) -> Vec<ToolId> {
    let of = |(server, tools): (&'a str, &'a Vec<Tool>)| {
        tools.iter().map(move |tool| ToolId::new(server, tool.name.as_str()))
    };
    servers.into_iter().flat_map(of).collect()
}

impl Listed {
    /// Leaves one tool, by either of its names.
    fn keep(&mut self, wanted: &str, server: &Server) -> Result<(), Failure> {
        let exposed = |tool: &&Named| tool.name == wanted;
        let raw = self.tools.iter().find(exposed).map_or(wanted, |tool| tool.raw_name.as_str());
        let tools: Vec<Tool> = self.tools.iter().map(|tool| tool.definition.clone()).collect();
        let name = find(&self.server, raw, &tools, kept_back(server, raw))?.name.clone();
        self.tools.retain(|tool| tool.raw_name == name);
        self.tokens = self.tools.iter().map(|tool| tool.tokens).sum();
        Ok(())
    }
}

fn listed(found: Found, catalogue: &Catalogue) -> (Checked, Listed) {
    let server = found.server.name;
    let named = found.tools.into_iter().map(|tool| {
        let id = ToolId::new(server.as_str(), tool.name.as_str());
        let name = catalogue.name_of(&id).unwrap_or_default().to_owned();
        Named { tokens: estimated_tokens(&name, &tool), raw_name: tool.name.clone(), name, definition: tool }
    });
    let tools: Vec<Named> = named.collect();
    let listed = Listed {
        tokens: tools.iter().map(|tool| tool.tokens).sum(),
        status: found.row.status(),
        failure: found.row.failure(),
        listed: found.listed,
        hidden_tools: found.not_offered,
        tools,
        server,
    };
    (found.row, listed)
}
