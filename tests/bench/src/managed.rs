//! Many servers at once through the manager, with the logs that it keeps.

use std::time::SystemTime;

use codewhale_bench_bare::{Arguments, Outcome as Measured, Stopwatch};
use codewhale_mcp_config::{McpFile, Merged, Scope, Source};
use codewhale_mcp_manager::{Manager, Outcome, Setup};
use serde_json::{Map, Value, json};
use tokio::task::JoinSet;

use crate::Done;

pub(crate) async fn connect(arguments: &Arguments) -> Done<Measured> {
    let home = tempfile::tempdir()?;
    let merged =
        Merged::new(vec![McpFile::parse(&config(arguments)?, &Source::label("bench", Scope::Flag))?]);
    let setup = Setup::new(Vec::new(), home.path().into(), home.path().into(), SystemTime::now);
    let watch = Stopwatch::start();
    let manager = Manager::new(setup);
    let mut tasks = JoinSet::new();
    for server in &merged.servers {
        let server = server.resolve(&|_: &str| None, home.path()).map_err(|_| "a variable is missing")?;
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

fn config(arguments: &Arguments) -> Done<String> {
    let (program, words) = arguments.server.split_first().ok_or("--server is empty")?;
    let server = json!({ "command": program, "args": words });
    let servers: Map<String, Value> =
        (0..arguments.servers).map(|number| (format!("server-{number}"), server.clone())).collect();
    Ok(json!({ "mcpServers": servers }).to_string())
}
