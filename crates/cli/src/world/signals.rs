//! Someone who wants us to stop.

use tokio::sync::mpsc;

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
        match (signal(SignalKind::interrupt()), signal(SignalKind::terminate())) {
            (Ok(interrupt), Ok(terminate)) => Self::System { interrupt, terminate },
            _ => Self::Never,
        }
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
