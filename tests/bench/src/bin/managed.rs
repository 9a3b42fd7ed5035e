//! Servers through the manager, with the logs that it keeps: many at once, and calls of one, in one thread.

use std::sync::Arc;
use std::time::SystemTime;

use codewhale_bench::{Caller, Done, in_flight, one_after_another, program};
use codewhale_bench_bare::{Arguments, Outcome as Measured, Scenario, Stopwatch};
use codewhale_mcp_config::{McpFile, Merged, MergedServer, Scope, Server, Source};
use codewhale_mcp_manager::{Fleet, FleetError, FleetRules, Manager, Outcome, Setup, Target, ToolId};
use codewhale_mcp_protocol::CallToolResult;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::runtime::Builder;
use tokio::task::JoinSet;

fn main() -> Done<()> {
    program(Builder::new_current_thread(), managed)
}

async fn managed(arguments: &Arguments) -> Done<Measured> {
    match arguments.scenario {
        Scenario::Seq => one_after_another(Managed::open(arguments)?, arguments).await,
        Scenario::Pipe => in_flight(Managed::open(arguments)?, arguments).await,
        Scenario::Connect => connect(arguments).await,
        Scenario::List => Err("a list is measured by the client alone".into()),
    }
}

/// Calls a server of a fleet, which starts it at the first one.
#[derive(Clone)]
struct Managed {
    fleet: Fleet,
    echo: ToolId,
    _home: Arc<TempDir>,
}

impl Managed {
    fn open(arguments: &Arguments) -> Done<Self> {
        let home = tempfile::tempdir()?;
        let manager = manager(arguments, &home);
        let servers = resolved(&configured(arguments, 1)?, &home)?;
        let targets = servers.into_iter().map(Target::from).collect();
        let fleet = Fleet::new(manager, targets, FleetRules::default())?;
        Ok(Self { fleet, echo: ToolId::new("server-0", "echo"), _home: Arc::new(home) })
    }
}

impl Caller for Managed {
    type Error = FleetError;

    fn echo<'a>(
        &'a self,
        arguments: &'a Value,
    ) -> impl Future<Output = Result<CallToolResult, FleetError>> + Send {
        self.fleet.call(&self.echo, arguments).send()
    }
}

async fn connect(arguments: &Arguments) -> Done<Measured> {
    let home = tempfile::tempdir()?;
    let configured = configured(arguments, arguments.servers)?;
    let watch = Stopwatch::start();
    let manager = manager(arguments, &home);
    let mut tasks = JoinSet::new();
    for server in resolved(&configured, &home)? {
        let manager = manager.clone();
        tasks.spawn(async move { manager.connect(&server).await });
    }
    let (mut connections, mut tools) = (Vec::with_capacity(arguments.servers), 0);
    while let Some(attempt) = tasks.join_next().await {
        let attempt = attempt?;
        let Outcome::Ready(ready) = attempt.report.outcome else {
            return Err("a server is not ready".into());
        };
        tools += ready.tools.len();
        connections.extend(attempt.connection);
    }
    Ok(watch.stop().tools(tools))
}

fn manager(arguments: &Arguments, home: &TempDir) -> Manager {
    let home = home.path();
    let mut setup = Setup::new(Vec::new(), home.into(), home.into(), SystemTime::now);
    setup.options.in_flight = setup.options.in_flight.max(arguments.inflight);
    Manager::new(setup)
}

fn configured(arguments: &Arguments, count: usize) -> Done<Merged> {
    let (program, words) = arguments.server.split_first().ok_or("--server is empty")?;
    let server = json!({ "command": program, "args": words });
    let servers: Map<String, Value> =
        (0..count).map(|number| (format!("server-{number}"), server.clone())).collect();
    let text = json!({ "mcpServers": servers }).to_string();
    Ok(Merged::new(vec![McpFile::parse(&text, &Source::label("bench", Scope::Flag))?]))
}

fn resolved(merged: &Merged, home: &TempDir) -> Done<Vec<Server>> {
    let resolve = |server: &MergedServer| server.resolve(&|_: &str| None, home.path());
    let resolved = merged.servers.iter().map(resolve).collect::<Result<_, _>>();
    resolved.map_err(|_| "a variable is missing".into())
}
