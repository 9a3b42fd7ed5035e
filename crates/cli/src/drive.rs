//! Work with servers: a runtime, a manager, and an end that leaves nothing behind.

use std::sync::Arc;

use codewhale_mcp_client::Options;
use codewhale_mcp_config::SettingsError;
use codewhale_mcp_manager::{Manager, Network, Setup, host_lists};

use crate::configured::Configured;
use crate::credentials::credentials;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::guard::guard_of;
use crate::run::Run;
use crate::world::{Interrupts, Signal, Signals};

/// Does work with a manager. A signal drops the work where it stands, which cancels its calls on the wire; then, as
/// after a good end, every server is stopped. A second signal ends that wait: the guard process does the rest.
pub(crate) fn drive(
    run: &mut Run,
    configured: &Configured,
    work: impl AsyncFnOnce(&Manager) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    drive_with(run, configured, |_| (), work)
}

/// As [`drive`], with more said to servers, such as what they may ask.
pub(crate) fn drive_with(
    run: &mut Run,
    configured: &Configured,
    declare: impl FnOnce(&mut Options),
    work: impl AsyncFnOnce(&Manager) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    drive_heeding(run, configured, declare, async |manager, interrupts| {
        tokio::select! {
            outcome = work(manager) => outcome,
            signal = interrupts.next() => Ok(ended_by(signal)),
        }
    })
}

/// As [`drive`], for work that has something to say when a signal comes, and ends soon then.
pub(crate) fn drive_heeding(
    run: &mut Run,
    configured: &Configured,
    declare: impl FnOnce(&mut Options),
    work: impl AsyncFnOnce(&Manager, &mut Interrupts) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    drive_in(run, configured, |setup| declare(&mut setup.options), work)
}

/// As [`drive_heeding`], in a world that is not quite the usual one.
pub(crate) fn drive_in(
    run: &mut Run,
    configured: &Configured,
    declare: impl FnOnce(&mut Setup),
    work: impl AsyncFnOnce(&Manager, &mut Interrupts) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let signals = std::mem::replace(&mut run.world.signals, Signals::System);
    let clock = run.world.clock;
    let guard = guard_of(run.world.program.as_deref());
    let network = network(run, configured)?;
    let credentials = credentials(run, &configured.place.home.folder);
    let runtime = runtime()?;
    let place = &configured.place;
    let outcome = runtime.block_on(async {
        let mut interrupts = Interrupts::listen(signals);
        let mut setup = Setup::new(
            configured.environment.clone(),
            place.workspace.clone(),
            place.home.folder.clone(),
            clock,
        );
        setup.guard = guard;
        setup.network = network;
        setup.credentials = credentials;
        limits(&mut setup, configured);
        declare(&mut setup);
        let manager = Manager::new(setup);
        let outcome = work(&manager, &mut interrupts).await;
        tokio::select! {
            () = manager.shutdown() => outcome,
            signal = interrupts.next() => Ok(ended_by(signal)),
        }
    });
    // A thread that waits for a person is not waited for.
    runtime.shutdown_background();
    outcome
}

/// Does work that needs no server, until it ends or a signal comes.
pub(crate) fn until_stopped(
    run: &mut Run,
    work: impl AsyncFnOnce() -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let signals = std::mem::replace(&mut run.world.signals, Signals::System);
    runtime()?.block_on(async {
        let mut interrupts = Interrupts::listen(signals);
        tokio::select! {
            outcome = work() => outcome,
            signal = interrupts.next() => Ok(ended_by(signal)),
        }
    })
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| Failure::system("start the runtime", error))
}

/// The network, with what the user's settings say about it.
pub(crate) fn network(run: &Run, configured: &Configured) -> Result<Network, Failure> {
    let (settings, home) = (&configured.place.settings.network, &configured.place.home);
    let lists = host_lists(settings).map_err(|problems| SettingsError::Invalid { problems })?;
    let mut parts = run.world.network.clone();
    if let Some(file) = &settings.ca_file {
        parts.authorities = Some(home.file("network.ca_file", file)?);
    }
    Ok(Network { lists: Arc::new(lists), parts })
}

/// What the user's settings say about bounds.
fn limits(setup: &mut Setup, configured: &Configured) {
    let limits = &configured.place.settings.mcp.limits;
    let size = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
    if let Some(pages) = &limits.max_pages {
        setup.options.list.pages = size(pages.value);
    }
    if let Some(items) = &limits.max_items {
        setup.options.list.items = size(items.value);
    }
    if let Some(bytes) = &limits.max_message_bytes {
        setup.options.message_limit = size(bytes.value);
    }
}

/// How a run ends that a signal ended.
pub(crate) fn ended_by(signal: Signal) -> Exit {
    match signal {
        Signal::Interrupt => Exit::Interrupted,
        Signal::Terminate => Exit::Terminated,
    }
}
