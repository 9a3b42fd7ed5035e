//! Someone who wants us to stop.

#[cfg(unix)]
use signal_hook::consts::{SIGINT, SIGTERM};
use tokio::sync::mpsc;

#[cfg(unix)]
use super::held::Held;
#[cfg(unix)]
use crate::exit::Exit;

/// A wish that we stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// `SIGINT`, as from Ctrl-C.
    Interrupt,
    /// `SIGTERM`.
    Terminate,
}

/// Where signals come from.
#[derive(Debug)]
pub enum Signals {
    /// The system.
    System,
    /// Whoever holds the other end.
    From(mpsc::Receiver<Signal>),
}

/// Signals that are being listened for. As long as one exists, the system's own way to end us is off.
#[derive(Debug)]
pub(crate) enum Interrupts {
    #[cfg(unix)]
    System {
        interrupt: tokio::signal::unix::Signal,
        terminate: tokio::signal::unix::Signal,
    },
    #[cfg(not(unix))]
    System,
    From(mpsc::Receiver<Signal>),
    /// The system refuses to tell us, so it ends us its own way.
    Never,
}

impl Interrupts {
    /// Starts to listen; needs a runtime.
    pub(crate) fn listen(signals: Signals) -> Self {
        match signals {
            Signals::From(receiver) => Self::From(receiver),
            Signals::System => Self::system(),
        }
    }

    #[cfg(unix)]
    fn system() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        // A handler is there a moment before the list of those whom it tells. A signal between the two, or between two
        // of the listeners, would be lost, and the system's own way to end us is off by then.
        let held = Held::back();
        let listening = match (signal(SignalKind::interrupt()), signal(SignalKind::terminate())) {
            (Ok(interrupt), Ok(terminate)) => Self::System { interrupt, terminate },
            _ => return Self::Never,
        };
        let last = last_listener();
        drop(held);
        // What cannot be had here is only the way out of a program that is stuck.
        let _ = last.and_then(last_resort);
        listening
    }

    #[cfg(not(unix))]
    fn system() -> Self {
        Self::System
    }

    /// Waits for the next signal; for ever when there cannot be one.
    pub(crate) async fn next(&mut self) -> Signal {
        let signal = match self {
            #[cfg(unix)]
            Self::System { interrupt, terminate } => tokio::select! {
                came = interrupt.recv() => came.map(|()| Signal::Interrupt),
                came = terminate.recv() => came.map(|()| Signal::Terminate),
            },
            #[cfg(not(unix))]
            Self::System => tokio::signal::ctrl_c().await.ok().map(|()| Signal::Interrupt),
            Self::From(receiver) => receiver.recv().await,
            Self::Never => None,
        };
        match signal {
            Some(signal) => signal,
            None => std::future::pending().await,
        }
    }
}

/// How long we may take to end after a signal: longer than every server's ladder together with the logs.
#[cfg(unix)]
const LONGEST_END: std::time::Duration = std::time::Duration::from_secs(30);

/// A program that is stuck in a write to a pipe that nobody reads does not hear what its runtime hears. So a second
/// signal ends it from the handler itself, and the first one, which is heard here too, after a while. The guard process
/// ends the servers then.
#[cfg(unix)]
fn last_listener() -> std::io::Result<signal_hook::iterator::Signals> {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    let told = Arc::new(AtomicBool::new(false));
    for (signal, exit) in [(SIGINT, Exit::Interrupted), (SIGTERM, Exit::Terminated)] {
        // In this order: the first signal finds the flag down and raises it.
        signal_hook::flag::register_conditional_shutdown(signal, exit.code().into(), told.clone())?;
        signal_hook::flag::register(signal, told.clone())?;
    }
    signal_hook::iterator::Signals::new([SIGINT, SIGTERM])
}

/// Ends the program a while after the first signal.
#[cfg(unix)]
fn last_resort(mut signals: signal_hook::iterator::Signals) -> std::io::Result<()> {
    std::thread::Builder::new().name("last resort".into()).spawn(move || {
        let Some(signal) = signals.forever().next() else { return };
        std::thread::sleep(LONGEST_END);
        let exit = if signal == SIGINT { Exit::Interrupted } else { Exit::Terminated };
        signal_hook::low_level::exit(exit.code().into());
    })?;
    Ok(())
}
