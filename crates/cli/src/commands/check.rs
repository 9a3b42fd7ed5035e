//! `validate` and `list --check`: every server at once, a row each as it settles.

use std::collections::HashMap;
use std::sync::Arc;

use codewhale_mcp_config::{Entry, MergedServer, Server, ServerEntry};
use codewhale_mcp_manager::{Failure as ServerFailure, Target};

use super::report::Checked;
use super::summary::{Summary, print_json, unsettled};
use crate::args::{Asked, BudgetArgs};
use crate::configured::Configured;
use crate::drive::{drive_heeding, ended_by};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print::{Printer, Waiting};
use crate::run::Run;
use crate::target;

/// What is to be checked, in the order of the configuration.
#[derive(Default)]
struct Plan {
    rows: Vec<Checked>,
    /// Servers to be started, each with its row.
    live: Vec<(usize, Server)>,
}

pub(super) fn check(run: &mut Run, asked: Option<Asked>, budgets: &BudgetArgs) -> Result<Exit, Failure> {
    let configured = Configured::load(run)?;
    configured.warnings.iter().for_each(|warning| run.printer.warn(warning));
    let mut plan = match &asked {
        None => everything(&configured, &run.printer),
        Some(asked) => one(&configured, asked, &run.printer)?,
    };
    plan.live.iter_mut().for_each(|(_, server)| budgets.apply(server));
    let json = run.global.json;
    let printer = run.printer.clone();
    if plan.live.is_empty() {
        return finish(&settled(plan.rows, json, &printer)?, json, &printer);
    }
    drive_heeding(
        run,
        &configured,
        |_| (),
        async move |manager, interrupts| {
            let Plan { rows, live } = plan;
            let width = rows.iter().map(Checked::width).max().unwrap_or_default();
            let mut rows = settled(rows, json, &printer)?;
            let at: HashMap<String, usize> =
                live.iter().map(|(row, server)| (server.name.clone(), *row)).collect();
            let targets = live.into_iter().map(|(_, server)| Target::from(server)).collect();
            let mut checks = manager.check_all(targets);
            let waiting = Waiting::new(&printer);
            loop {
                let open = unsettled(&rows);
                let report = tokio::select! {
                    biased;
                    report = waiting.on(&open, checks.next()) => report,
                    signal = interrupts.next() => {
                        for row in rows.iter_mut().filter(|row| !row.is_settled()) {
                            row.interrupt();
                            tell(row, json, &printer, width)?;
                        }
                        return finish(&rows, json, &printer).map(|_| ended_by(signal));
                    }
                };
                let Some(report) = report else { break };
                let Some(row) = at.get(&report.server).and_then(|row| rows.get_mut(*row)) else { continue };
                row.settle(&report);
                tell(row, json, &printer, width)?;
            }
            finish(&rows, json, &printer)
        },
    )
}

/// Prints a row as soon as it has settled.
fn tell(row: &Checked, json: bool, printer: &Printer, width: usize) -> Result<(), Failure> {
    if !json {
        row.print(printer, width)?;
        printer.flush()?;
    }
    Ok(())
}

/// Prints the rows that are settled without starting anything.
fn settled(rows: Vec<Checked>, json: bool, printer: &Arc<Printer>) -> Result<Vec<Checked>, Failure> {
    let width = rows.iter().map(Checked::width).max().unwrap_or_default();
    if !json {
        for row in rows.iter().filter(|row| row.is_settled()) {
            row.print(printer, width)?;
        }
        printer.flush()?;
    }
    Ok(rows)
}

fn finish(rows: &[Checked], json: bool, printer: &Printer) -> Result<Exit, Failure> {
    let summary = Summary::of(rows);
    if json {
        print_json(rows, &summary, printer)?;
    } else {
        summary.print(printer);
    }
    Ok(summary.exit())
}

fn everything(configured: &Configured, printer: &Printer) -> Plan {
    let mut plan = Plan::default();
    for merged in &configured.merged.servers {
        add(&mut plan, configured, merged, printer);
    }
    for skipped in &configured.skipped {
        let failure = ServerFailure::untrusted(skipped.standing);
        let mut row = row_of(&skipped.entry);
        match skipped.entry.definition.as_ref().map_or(true, ServerEntry::is_on) {
            true => row.fail(&failure),
            false => row.turned_off(),
        }
        plan.rows.push(row);
    }
    let names: Vec<String> = plan.rows.iter().map(|row| row.name.clone()).collect();
    let twice = |row: &&mut Checked| names.iter().filter(|name| **name == row.name).count() > 1;
    plan.rows.iter_mut().filter(twice).for_each(Checked::tell_scope);
    plan
}

fn one(configured: &Configured, asked: &Asked, printer: &Printer) -> Result<Plan, Failure> {
    let mut plan = Plan::default();
    match asked {
        Asked::Name(name) => match configured.server(name) {
            Ok(merged) => add(&mut plan, configured, merged, printer),
            Err(Failure::NotTrusted { standing, .. }) => {
                let entry = configured.skipped.iter().find(|skipped| skipped.entry.name == *name);
                let mut row = row_of(&entry.expect("what is not trusted was skipped").entry);
                row.fail(&ServerFailure::untrusted(standing));
                plan.rows.push(row);
            }
            Err(other) => return Err(other),
        },
        Asked::Stdio(_) | Asked::Url(..) => {
            let server = target::ready(configured, asked, &BudgetArgs::default(), printer)?;
            plan.rows.push(Checked::new(&server.name, &server.place, server.transport.as_str()));
            plan.live.push((0, server));
        }
    }
    Ok(plan)
}

fn add(plan: &mut Plan, configured: &Configured, merged: &MergedServer, printer: &Printer) {
    let mut row = row_of(&merged.entry);
    let on = merged.entry.definition.as_ref().map_or(true, ServerEntry::is_on);
    let environment = |name: &str| configured.variable(name);
    if !on {
        row.turned_off();
    } else {
        match merged.resolve(&environment, &configured.place.workspace) {
            Err(problems) => row.refuse(&problems),
            Ok(server) => {
                printer.hide(&server.secrets);
                row.warn(server.warnings.iter().map(ToString::to_string));
                plan.live.push((plan.rows.len(), server));
            }
        }
    }
    plan.rows.push(row);
}

fn row_of(entry: &Entry) -> Checked {
    let definition = entry.definition.as_ref().ok();
    let kind = definition.map_or("unknown", |definition| definition.kind.as_str());
    let mut row = Checked::new(&entry.name, &entry.place, kind);
    let literal = definition.map(ServerEntry::literal_secrets).unwrap_or_default();
    row.warn(literal.iter().map(ToString::to_string));
    row
}
