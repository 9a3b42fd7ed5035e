//! `mcp logs`: what a server wrote beside the protocol.

use codewhale_mcp_manager::Logs;
use serde::Serialize;

use crate::args::LogsArgs;
use crate::configured::Configured;
use crate::drive::until_stopped;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::run::Run;

#[derive(Serialize)]
struct Tail<'a> {
    name: &'a str,
    path: String,
    lines: Vec<String>,
}

pub(super) fn logs(run: &mut Run, args: &LogsArgs) -> Result<Exit, Failure> {
    if args.follow && run.global.json {
        return Err(Failure::usage("--json prints one value, and --follow never ends"));
    }
    let configured = Configured::load(run)?;
    let logs = Logs::new(configured.place.home.folder.join("logs"), run.world.clock);
    let path = logs.path(&args.name);
    // A server that is no longer configured may have left a log.
    if !path.exists() {
        configured.server(&args.name)?;
    }
    hide(run, &configured, &args.name);
    if args.follow {
        let (printer, mut follow) = (run.printer.clone(), logs.follow(&args.name, args.lines));
        return until_stopped(run, async || {
            loop {
                for line in follow.next().await? {
                    printer.line(line)?;
                }
                printer.flush()?;
            }
        });
    }
    let lines = logs.tail(&args.name, args.lines)?;
    if run.global.json {
        run.printer.json(&Tail { name: &args.name, path: path.to_string_lossy().into_owned(), lines })?;
        return Ok(Exit::Ok);
    }
    if lines.is_empty() && args.lines > 0 {
        run.printer.note(format!("`{}` has said nothing so far; its log is {}", args.name, path.display()));
    }
    for line in lines {
        run.printer.line(line)?;
    }
    Ok(Exit::Ok)
}

/// What was written before a secret was known may hold it.
fn hide(run: &Run, configured: &Configured, name: &str) {
    let environment = |name: &str| configured.variable(name);
    let Ok(server) = configured.server(name) else { return };
    if let Ok(ready) = server.resolve(&environment, &configured.place.workspace) {
        run.printer.hide(&ready.secrets);
    }
}
