//! The servers of a session, and an entry that is read again.

use std::sync::Arc;

use codewhale_mcp_config::MergedServer;
use codewhale_mcp_manager::{Failure as ServerFailure, Target};

use crate::configured::Configured;
use crate::failure::Failure;
use crate::print::Printer;
use crate::run::Run;
use crate::world::{Output, Signals, Streams, Terminal, World};

/// Every server that is configured, those that nobody agreed to as such. Their secrets are hidden from then on.
pub(super) fn targets(configured: &Configured, printer: &Printer) -> Vec<Target> {
    let mut targets: Vec<Target> =
        configured.merged.servers.iter().map(|merged| target(configured, merged, printer)).collect();
    for skipped in &configured.skipped {
        if configured.merged.server(&skipped.entry.name).is_none() {
            targets.push(Target::failed(&skipped.entry.name, ServerFailure::untrusted(skipped.standing)));
        }
    }
    targets
}

fn target(configured: &Configured, merged: &MergedServer, printer: &Printer) -> Target {
    let environment = |name: &str| configured.variable(name);
    match merged.resolve(&environment, &configured.place.workspace) {
        Ok(server) => {
            printer.hide(&server.secrets);
            server.into()
        }
        Err(problems) => Target::failed(&merged.entry.name, ServerFailure::config(&problems))
            .required_if(merged.entry.is_required),
    }
}

/// Reads the entry of a server again, wherever it stands now.
pub(super) fn reread(run: &Run) -> impl Fn(&str) -> Result<Option<Target>, String> + Send + Sync + use<> {
    let (global, printer) = (run.global.clone(), run.printer.clone());
    let world = outlook(&run.world);
    move |name| {
        let (global, printer, called) = (global.clone(), printer.clone(), std::ffi::OsString::new());
        let run = Run { world: world(), global, printer: printer.clone(), naming: run_naming(), called };
        let configured = Configured::load(&run).map_err(|failure: Failure| failure.to_string())?;
        Ok(targets(&configured, &printer).into_iter().find(|target| target.name == name))
    }
}

const fn run_naming() -> crate::hint::Naming {
    crate::hint::Naming::Name
}

/// Makes worlds in which files can be read and nothing else is done.
fn outlook(world: &World) -> impl Fn() -> World + Send + Sync + use<> {
    let (environment, cwd) = (world.environment.clone(), world.cwd.clone());
    let (home, temp, clock) = (world.home.clone(), world.temp.clone(), world.clock);
    let (network, keyring, browser) = (world.network.clone(), world.keyring.clone(), world.browser.clone());
    let silent = || Output { writer: Box::new(std::io::sink()), terminal: Terminal::No };
    move || World {
        environment: environment.clone(),
        cwd: cwd.clone(),
        home: home.clone(),
        temp: temp.clone(),
        program: None,
        stdin: Box::new(std::io::empty()),
        streams: Streams::Given,
        stdout: silent(),
        stderr: silent(),
        person: None,
        network: network.clone(),
        keyring: Arc::clone(&keyring),
        browser: Arc::clone(&browser),
        clock,
        signals: Signals::System,
    }
}
