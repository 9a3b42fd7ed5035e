//! `mcp connect`: one server, and what it says about itself.

use std::time::Duration;

use codewhale_mcp_manager::{Connection, Outcome, Ready, Report, TransportUsed};
use codewhale_mcp_protocol::{Implementation, ServerCapabilities};
use codewhale_mcp_redact::safe_text;
use serde::Serialize;

use super::offered::{Answer, Kind, ask};
use super::report::Checked;
use crate::args::ConnectArgs;
use crate::configured::Configured;
use crate::content::cut;
use crate::drive::drive;
use crate::exit::Exit;
use crate::explain::Told;
use crate::failure::Failure;
use crate::print::{Line, Printer, Waiting, bytes, time};
use crate::run::Run;
use crate::target;

/// The most bytes of a server's instructions that are shown.
const INSTRUCTIONS: usize = 4 * 1024;

/// What there is beside tools, in the order it is told.
const KINDS: [Kind; 3] = [Kind::Resources, Kind::Templates, Kind::Prompts];

#[derive(Serialize)]
struct Connected<'a> {
    #[serde(flatten)]
    row: &'a Checked,
    transport_used: &'static str,
    era: String,
    era_reason: String,
    server_info: Option<&'a Implementation>,
    capabilities: &'a ServerCapabilities,
    instructions: Option<&'a str>,
    connect_ms: u64,
    list_ms: Option<u64>,
    /// How many there are, where the server offers them.
    resources: Option<usize>,
    templates: Option<usize>,
    prompts: Option<usize>,
    /// How often the server was started for this.
    starts: u32,
}

/// A server that cannot be used, and why the command failed.
#[derive(Serialize)]
struct Refused<'a> {
    #[serde(flatten)]
    row: &'a Checked,
    error: Told,
}

pub(super) fn connect(run: &mut Run, args: &ConnectArgs) -> Result<Exit, Failure> {
    let asked = args.target.clone().asked();
    let configured = Configured::load(run)?;
    let server = target::ready(&configured, &asked, &args.budgets, &run.printer)?;
    let (json, naming, printer) = (run.global.json, run.naming, run.printer.clone());
    drive(run, &configured, async move |manager| {
        let mut row = Checked::new(&server.name, &server.place, server.transport.as_str());
        row.warn(server.warnings.iter().map(ToString::to_string));
        printer.detail(format!("connecting {}", server.name));
        let attempt = Waiting::new(&printer).on(&server.name, manager.connect(&server)).await;
        let report = attempt.report;
        row.settle(&report);
        let (seen, exit) = match &report.outcome {
            Outcome::Ready(seen) => (seen, Exit::Ok),
            Outcome::Degraded(seen, _) => (seen, Exit::Failed),
            _ => {
                let failure = Failure::of_report(&report);
                if json {
                    let error = Told::of(&failure, naming);
                    printer.json(&Refused { row: &row, error })?;
                }
                return Err(failure);
            }
        };
        let counts = match &attempt.connection {
            Some(connection) => {
                let counts = counts(connection, server.timeouts.connect.value, &mut row);
                Waiting::new(&printer).on(&server.name, counts).await
            }
            None => [None; 3],
        };
        if json {
            printer.json(&shape(&row, seen, &report, counts))?;
        } else {
            print(&printer, &row, seen, &report, counts)?;
        }
        printer.flush()?;
        if let Some(connection) = attempt.connection {
            connection.close().await;
        }
        Ok(if row.is_merely_empty() { Exit::Ok } else { exit })
    })
}

/// How many things of each kind the server has beside tools, asked for at the same time. A list that cannot be read is
/// worth a warning.
async fn counts(connection: &Connection, total: Duration, row: &mut Checked) -> [Option<usize>; 3] {
    let [resources, templates, prompts] = KINDS.map(|kind| ask(connection, kind, total));
    let answers = tokio::join!(resources, templates, prompts);
    let answers = [answers.0, answers.1, answers.2];
    let mut counts = [None; 3];
    for ((kind, answer), count) in KINDS.iter().zip(answers).zip(&mut counts) {
        let causes = match answer {
            Answer::Listed(items, odd) => {
                *count = Some(items.len());
                row.warn(odd);
                continue;
            }
            Answer::NotOffered => continue,
            Answer::Degraded(degradation) => degradation.causes,
            Answer::Lost(failure) => failure.causes,
        };
        row.warn([format!("its {} are not known: {}", kind.as_str(), causes.join(": "))]);
    }
    counts
}

fn shape<'a>(
    row: &'a Checked,
    seen: &'a Ready,
    report: &Report,
    [resources, templates, prompts]: [Option<usize>; 3],
) -> Connected<'a> {
    let established = &seen.established;
    let millis = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    Connected {
        row,
        transport_used: seen.transport.as_str(),
        era: established.era().to_string(),
        era_reason: established.reason.to_string(),
        server_info: established.server_info.as_ref(),
        capabilities: &established.capabilities,
        instructions: established.instructions.as_deref(),
        connect_ms: millis(report.elapsed.connect),
        list_ms: report.elapsed.list.map(millis),
        resources,
        templates,
        prompts,
        starts: report.starts,
    }
}

fn print(
    printer: &Printer,
    row: &Checked,
    seen: &Ready,
    report: &Report,
    counts: [Option<usize>; 3],
) -> Result<(), Failure> {
    let established = &seen.established;
    row.print(printer, row.width())?;
    let field =
        |label: &str, value: String| printer.line(Line::new().dim(format!("{label:<14}")).plain(value));
    field(
        "protocol",
        format!("{} ({} era: {})", established.revision, established.era(), established.reason),
    )?;
    field("transport", transport(seen.transport).to_owned())?;
    let info = established.server_info.as_ref().map(|info| match info.version.as_str() {
        "" => info.name.clone(),
        version => format!("{} {version}", info.name),
    });
    field("server", info.unwrap_or_else(|| "does not say".to_owned()))?;
    field("capabilities", capabilities(&established.capabilities))?;
    let offered = KINDS.iter().zip(counts);
    let offered: Vec<String> = offered.filter_map(|(kind, count)| Some(kind.counted(count?))).collect();
    if !offered.is_empty() {
        field("offers", offered.join(", "))?;
    }
    let list = report.elapsed.list.map(|list| format!(", list {}", time(list))).unwrap_or_default();
    let starts = if report.starts > 1 { format!(", started {} times", report.starts) } else { String::new() };
    field("timing", format!("connect {}{list}{starts}", time(report.elapsed.connect)))?;
    let Some(instructions) = established.instructions.as_deref().filter(|text| !text.trim().is_empty())
    else {
        return Ok(());
    };
    let instructions = printer.said(instructions);
    let (start, left) = cut(&instructions, INSTRUCTIONS);
    printer.line(Line::new().dim("instructions, in the server's words:"))?;
    for line in safe_text(start).lines() {
        printer.line(Line::new().plain("  ").plain(line))?;
    }
    if left > 0 {
        printer.talk(Line::from(format!("truncated, {} in all", bytes(instructions.len() as u64))));
    }
    Ok(())
}

fn transport(used: TransportUsed) -> &'static str {
    match used {
        TransportUsed::StreamableHttp => "Streamable HTTP",
        TransportUsed::HttpSse => "HTTP with SSE, which is deprecated",
        other => other.as_str(),
    }
}

fn capabilities(capabilities: &ServerCapabilities) -> String {
    let named = [
        ("tools", capabilities.tools.is_some()),
        ("resources", capabilities.resources.is_some()),
        ("prompts", capabilities.prompts.is_some()),
        ("completions", capabilities.completions.is_some()),
        ("logging", capabilities.logging.is_some()),
        ("tasks", capabilities.tasks.is_some()),
        ("extensions", capabilities.extensions.is_some()),
        ("experimental", capabilities.experimental.is_some()),
    ];
    let named: Vec<&str> = named.iter().filter(|(_, has)| *has).map(|(name, _)| *name).collect();
    if named.is_empty() { "none".to_owned() } else { named.join(", ") }
}
