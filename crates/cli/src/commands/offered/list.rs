//! Every server at once, and their lists.

use std::sync::Arc;

use codewhale_mcp_config::Server;
use codewhale_mcp_manager::Manager;
use serde::Serialize;
use tokio::task::JoinSet;

use super::ask::{Answer, ask};
use super::kind::{Items, Kind};
use super::table::table;
use crate::args::OfferedArgs;
use crate::commands::opened::Offer;
use crate::commands::report::{Checked, Failed};
use crate::commands::summary::{Summary, unsettled};
use crate::commands::tools::servers;
use crate::configured::Configured;
use crate::drive::{drive_heeding, ended_by};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print::{Printer, Waiting};
use crate::run::Run;
use crate::world::{Interrupts, Signal};

/// One server's list.
#[derive(Serialize)]
pub(super) struct Found {
    pub(super) server: String,
    status: &'static str,
    /// Set unless its list was read.
    failure: Option<Failed>,
    /// Whether the server has such things at all, if that is known.
    offered: Option<bool>,
    warnings: Vec<String>,
    #[serde(flatten)]
    pub(super) items: Items,
    #[serde(skip)]
    row: Checked,
}

#[derive(Serialize)]
struct All<'a> {
    servers: &'a [Found],
}

pub(in crate::commands) fn list(run: &mut Run, kind: Kind, args: &OfferedArgs) -> Result<Exit, Failure> {
    let configured = Configured::load(run)?;
    let asked = args.target.clone().asked();
    let (servers, _) = servers(&configured, asked.as_ref(), &args.budgets, &run.printer)?;
    let (json, printer) = (run.global.json, run.printer.clone());
    drive_heeding(
        run,
        &configured,
        |_| (),
        async move |manager, interrupts| {
            let (found, signal) = all(manager, kind, servers, interrupts, &printer).await;
            if json {
                printer.json(&All { servers: &found })?;
            } else {
                if let Some(table) = table(kind, &found) {
                    table.print(&printer)?;
                }
                printer.flush()?;
                for found in &found {
                    found
                        .warnings
                        .iter()
                        .for_each(|warning| printer.warn(format!("{}: {warning}", found.server)));
                    match (found.row.is_usable(), found.offered, found.items.len()) {
                        (true, Some(false), _) => {
                            printer.note(format!("{}: it offers no {}", found.server, kind.as_str()))
                        }
                        (true, Some(true), 0) => {
                            printer.note(format!("{}: its list of {} is empty", found.server, kind.as_str()))
                        }
                        _ => {}
                    }
                }
            }
            printer.flush()?;
            let rows: Vec<Checked> = found.into_iter().map(|found| found.row).collect();
            rows.iter().for_each(|row| row.tell(&printer));
            if rows.is_empty() {
                Summary::of(&rows).print(&printer);
            }
            Ok(signal.map_or_else(|| Summary::of(&rows).exit(), ended_by))
        },
    )
}

/// Asks every server at once; the answers are in the order of the configuration. When a signal comes, who has not
/// answered by then is named as interrupted.
async fn all(
    manager: &Manager,
    kind: Kind,
    servers: Vec<Server>,
    interrupts: &mut Interrupts,
    printer: &Arc<Printer>,
) -> (Vec<Found>, Option<Signal>) {
    let mut found: Vec<Found> = servers.iter().map(|server| Found::open(kind, server)).collect();
    let mut asked = JoinSet::new();
    for (at, server) in servers.into_iter().enumerate() {
        let manager = manager.clone();
        asked.spawn(async move { (at, one(&manager, kind, &server).await) });
    }
    let waiting = Waiting::new(printer);
    loop {
        let open = unsettled(found.iter().map(|found| &found.row));
        tokio::select! {
            biased;
            answer = waiting.on(&open, asked.join_next()) => match answer {
                Some(Ok((at, answer))) => found[at] = answer,
                // Only a fault of ours ends such a task without an answer.
                Some(Err(_)) => {}
                None => return (found, None),
            },
            signal = interrupts.next() => {
                for found in found.iter_mut().filter(|found| !found.row.is_settled()) {
                    found.row.interrupt();
                    found.status = found.row.status();
                    found.failure = found.row.failure();
                }
                return (found, Some(signal));
            }
        }
    }
}

impl Found {
    /// A server that has not answered yet.
    fn open(kind: Kind, server: &Server) -> Self {
        let row = Checked::new(&server.name, &server.place, server.transport.as_str());
        let (server, items) = (server.name.clone(), kind.none());
        Self { server, status: row.status(), failure: None, offered: None, warnings: Vec::new(), items, row }
    }
}

async fn one(manager: &Manager, kind: Kind, server: &Server) -> Found {
    let mut row = Checked::new(&server.name, &server.place, server.transport.as_str());
    let attempt = manager.open(server).await;
    row.settle(&attempt.report);
    let mut warnings: Vec<String> = attempt.report.warnings.iter().map(ToString::to_string).collect();
    let (mut items, mut offered) = (kind.none(), None);
    if let Some(connection) = attempt.connection {
        let answer = ask(&connection, kind, server.timeouts.connect.value).await;
        let offer = Offer::of(connection.client().server(), |capabilities| kind.is_in(capabilities));
        offered = match answer {
            Answer::Listed(..) => Some(true),
            Answer::NotOffered => Some(false),
            Answer::Degraded(_) | Answer::Lost(_) => (offer == Offer::Yes).then_some(true),
        };
        match answer {
            Answer::Listed(listed, odd) => {
                items = listed;
                warnings.extend(odd);
            }
            Answer::NotOffered => {}
            Answer::Degraded(degradation) => row.degrade(&degradation, connection.stderr()),
            Answer::Lost(failure) => row.lose(&failure, connection.stderr()),
        }
        connection.close().await;
    }
    let (status, failure) = (row.status(), row.failure());
    Found { server: server.name.clone(), status, failure, offered, warnings, items, row }
}
