//! Several servers at once, each told of as it settles.

use codewhale_mcp_config::Server;
use tokio::sync::{mpsc, watch};

use super::attempt::{Course, First, Settled};
use super::failure::Failure;
use super::manager::Manager;
use super::report::{Elapsed, Outcome, Report};

/// A server that is to be looked at.
#[derive(Debug, Clone)]
pub struct Target {
    /// Its name in the configuration.
    pub name: String,
    /// The server, or why it cannot even be tried.
    pub server: Result<Box<Server>, Failure>,
    /// Whether nothing is done without it, also as far as a definition says so that cannot be used otherwise.
    pub required: bool,
}

impl From<Server> for Target {
    fn from(server: Server) -> Self {
        Self { name: server.name.clone(), required: server.required, server: Ok(Box::new(server)) }
    }
}

impl Target {
    /// A server that cannot be tried.
    pub fn failed(name: impl Into<String>, failure: Failure) -> Self {
        Self { name: name.into(), server: Err(failure), required: false }
    }

    /// The same, and nothing is done without it if so.
    #[must_use]
    pub fn required_if(self, required: bool) -> Self {
        Self { required, ..self }
    }
}

/// Servers that are being looked at. Dropped, all of them are stopped in the background.
#[derive(Debug)]
pub struct Checks {
    reports: mpsc::Receiver<Report>,
    _wanted: watch::Sender<()>,
}

impl Checks {
    /// The next server that has settled, or `None` when all have and every process of theirs is gone. A report comes
    /// before its server is stopped. May be dropped while it waits.
    pub async fn next(&mut self) -> Option<Report> {
        self.reports.recv().await
    }

    pub(super) fn start(manager: &Manager, targets: Vec<Target>) -> Self {
        // Room for all, so that a slow reader keeps no server running.
        let (sender, reports) = mpsc::channel(targets.len().max(1));
        let (wanted, _) = watch::channel(());
        for target in targets {
            tokio::spawn(look(manager.clone(), target, sender.clone(), wanted.subscribe()));
        }
        Self { reports, _wanted: wanted }
    }
}

async fn look(
    manager: Manager,
    target: Target,
    reports: mpsc::Sender<Report>,
    mut wanted: watch::Receiver<()>,
) {
    let server = match target.server {
        Ok(server) => server,
        Err(failure) => {
            let outcome = Outcome::Failed(failure);
            let report = Report::untried(target.name, outcome);
            let _ = reports.send(report).await;
            return;
        }
    };
    let Settled { attempt, leaving } = tokio::select! {
        biased;
        // Nothing is ever sent: it ends when nobody wants to know any more.
        _ = wanted.changed() => return,
        settled = Course::new(&manager, &server, First::Tools).run() => settled,
    };
    let _ = reports.send(attempt.report).await;
    if let Some(connection) = attempt.connection {
        connection.close().await;
    }
    if let Some(lease) = leaving {
        lease.left().await;
    }
}

impl Report {
    fn untried(server: String, outcome: Outcome) -> Self {
        let (warnings, stderr) = (Vec::new(), Vec::new());
        Self { server, outcome, warnings, elapsed: Elapsed::default(), starts: 0, stderr }
    }
}
