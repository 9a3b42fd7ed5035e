//! `mcp subscribe`: what changes at a server, until its end or ours.

use std::sync::Arc;

use codewhale_mcp_client::{CallError, Change};
use codewhale_mcp_protocol::{Json, SubscriptionFilter};
use serde::Serialize;

use super::opened::{failed, failed_for, open};
use crate::args::SubscribeArgs;
use crate::configured::Configured;
use crate::drive::drive;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print::{Line, PrintError, Printer};
use crate::run::Run;
use crate::target;

/// A line, for machines.
#[derive(Serialize)]
struct Told<'a> {
    server: &'a str,
    /// `agreed`, `tools`, `prompts`, `resources`, `resource`, `task`, `missed` or `ended`.
    event: &'static str,
    /// Of `resource`.
    uri: Option<&'a str>,
    /// Of `task`.
    task: Option<Json>,
    /// Of `agreed`.
    honoured: Option<&'a SubscriptionFilter>,
}

pub(super) fn subscribe(run: &mut Run, args: &SubscribeArgs) -> Result<Exit, Failure> {
    let (asked, uris) = args.unnamed.split(&args.words).ok_or_else(|| Failure::usage("name the server"))?;
    let filter = filter(args, uris);
    let configured = Configured::load(run)?;
    let server = target::ready(&configured, &asked, &args.budgets, &run.printer)?;
    let out = Out { server: server.name.clone(), json: run.global.json, printer: run.printer.clone() };
    drive(run, &configured, async move |manager| {
        let connection = open(manager, &server, &out.printer).await?;
        let client = connection.client();
        let subscribed = client.subscribe(filter.clone()).await;
        let mut subscription = subscribed.map_err(failed_for("changes", client, &server, |_| false))?;
        out.agreed(&filter, &subscription.honoured)?;
        while let Some(change) = subscription.next().await {
            out.changed(&change)?;
        }
        if let Some(gone) = client.gone() {
            return Err(failed(&server)(CallError::ServerGone(gone)));
        }
        out.line(&Told { event: "ended", ..out.told() }, Line::from("ended by the server"))?;
        connection.close().await;
        Ok(Exit::Ok)
    })
}

/// What is asked for; every list where nothing is.
fn filter(args: &SubscribeArgs, uris: &[String]) -> SubscriptionFilter {
    let all = !args.tools && !args.prompts && !args.resources && uris.is_empty();
    let wanted = |asked: bool| (asked || all).then_some(true);
    SubscriptionFilter {
        tools_list_changed: wanted(args.tools),
        prompts_list_changed: wanted(args.prompts),
        resources_list_changed: wanted(args.resources),
        resource_subscriptions: (!uris.is_empty()).then(|| uris.to_vec()),
        ..SubscriptionFilter::default()
    }
}

struct Out {
    server: String,
    json: bool,
    printer: Arc<Printer>,
}

impl Out {
    fn told(&self) -> Told<'_> {
        Told { server: &self.server, event: "", uri: None, task: None, honoured: None }
    }

    fn line(&self, told: &Told<'_>, line: Line) -> Result<(), PrintError> {
        if self.json {
            self.printer.lossless_json(told)?;
        } else {
            self.printer.line(line)?;
        }
        self.printer.flush()
    }

    /// Says what the server will tell; nothing of what is wanted is a failure.
    fn agreed(&self, wanted: &SubscriptionFilter, honoured: &SubscriptionFilter) -> Result<(), Failure> {
        let (wanted, agreed) = (names(wanted), names(honoured));
        if self.json {
            self.printer.lossless_json(&Told { event: "agreed", honoured: Some(honoured), ..self.told() })?;
            self.printer.flush()?;
        } else if !agreed.is_empty() {
            self.printer.note(format!("{} tells of {}", self.server, agreed.join(", ")));
        }
        for name in wanted.iter().filter(|name| !agreed.contains(name)) {
            self.printer.warn(format!("it does not tell of {name}"));
        }
        match agreed.is_empty() {
            true => Err(Failure::NothingTold { server: self.server.clone() }),
            false => Ok(()),
        }
    }

    fn changed(&self, change: &Change) -> Result<(), PrintError> {
        let told = self.told();
        let (told, line) = match change {
            Change::Tools => (Told { event: "tools", ..told }, Line::from("tools")),
            Change::Prompts => (Told { event: "prompts", ..told }, Line::from("prompts")),
            Change::Resources => (Told { event: "resources", ..told }, Line::from("resources")),
            Change::Resource(uri) => {
                (Told { event: "resource", uri: Some(uri), ..told }, Line::from(format!("resource {uri}")))
            }
            Change::Task(task) => {
                let line = Line::from(format!("task {} {}", task.task_id, task.status));
                (Told { event: "task", task: Json::encode(task).ok(), ..told }, line)
            }
            Change::Missed => {
                let line = "missed: changes came faster than they were taken, anything may have changed";
                (Told { event: "missed", ..told }, Line::from(line))
            }
            // A change of a kind that is not known is a change.
            _ => (Told { event: "missed", ..told }, Line::from("something else")),
        };
        self.line(&told, line)
    }
}

/// What a filter is about, in words.
fn names(filter: &SubscriptionFilter) -> Vec<String> {
    let lists = [
        (filter.tools_list_changed, "the list of tools"),
        (filter.prompts_list_changed, "the list of prompts"),
        (filter.resources_list_changed, "the list of resources"),
    ];
    let lists = lists.iter().filter(|(wanted, _)| *wanted == Some(true)).map(|(_, name)| (*name).to_owned());
    lists.chain(filter.resource_subscriptions.iter().flatten().cloned()).collect()
}
