//! The owner of every server that a run starts.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use codewhale_mcp_client::{Client, Options};
use codewhale_mcp_config::Server;
use codewhale_mcp_net::client::Engine;
use codewhale_mcp_net::{Authorizer, Proxies};
use codewhale_mcp_protocol::Tool;
use codewhale_mcp_transport::stdio::{Guard, Ladder};
use tokio::time::timeout;

use super::attempt::{Attempt, Course, First, Settled};
use super::many::{Checks, Target};
use super::running::Running;
use crate::disk::Disk;
use crate::in_process::InProcess;
use crate::known::{Known, KnownList, KnownServers};
use crate::logins::Credentials;
use crate::logs::Logs;
use crate::network::Network;

/// How long what is known of servers may take to be written at the end: it is only there to save time.
const LAST_WRITES: Duration = Duration::from_secs(2);
/// How long what is known of a server is looked for, which takes well below a millisecond where the disk does not hang.
const RECALL: Duration = Duration::from_secs(1);
/// How long the logs may take to be written at the end.
const LAST_LINES: Duration = Duration::from_secs(1);
/// How old a list on the disk may become before the same list is written again.
const LIST_STAYS: Duration = Duration::from_secs(60);

/// The world that servers are started in. `Debug` hides the environment, which may hold secrets.
#[derive(Clone)]
pub struct Setup {
    /// The whole environment of this program, which servers inherit.
    pub environment: Vec<(OsString, OsString)>,
    /// Where servers run that name no working directory of their own: the workspace.
    pub cwd: PathBuf,
    /// `$CODEWHALE_HOME`: logs go to its folder `logs`, what is known of servers to `cache/servers`.
    pub home: PathBuf,
    /// The time of day.
    pub clock: fn() -> SystemTime,
    /// The network that servers with a URL are reached over.
    pub network: Network,
    /// Where credentials are kept.
    pub credentials: Credentials,
    /// Ends what was started if this program is killed.
    pub guard: Guard,
    /// How servers are stopped.
    pub ladder: Ladder,
    /// The servers of type `sdk`, which live in this process or behind whoever started it.
    pub in_process: InProcess,
    /// What every client starts from; a server's own budgets are put on top.
    pub options: Options,
}

impl Setup {
    /// A world without a guard and without rules on hosts, with credentials in a file, everything else as usual.
    #[must_use]
    pub fn new(
        environment: Vec<(OsString, OsString)>,
        cwd: PathBuf,
        home: PathBuf,
        clock: fn() -> SystemTime,
    ) -> Self {
        let (guard, ladder, options) = (Guard::none(), Ladder::default(), Options::default());
        let (network, credentials) = (Network::default(), Credentials::in_file(&home));
        let in_process = InProcess::none();
        Self { environment, cwd, home, clock, network, credentials, guard, ladder, in_process, options }
    }

    /// The value of a variable.
    pub(crate) fn variable(&self, name: &str) -> Option<OsString> {
        variable(&self.environment, name)
    }
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup").field("cwd", &self.cwd).field("home", &self.home).finish_non_exhaustive()
    }
}

/// The value of a variable in a complete environment, where the last one of a name counts.
fn variable(environment: &[(OsString, OsString)], name: &str) -> Option<OsString> {
    let same = |key: &OsStr| {
        if cfg!(windows) { key.eq_ignore_ascii_case(name) } else { key == OsStr::new(name) }
    };
    environment.iter().rev().find(|(key, _)| same(key)).map(|(_, value)| value.clone())
}

/// The owner of every server that a run starts. Clones are the same manager.
///
/// A run ends with [`shutdown`](Self::shutdown), whether it succeeds, fails or is interrupted.
#[derive(Debug, Clone)]
pub struct Manager(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    setup: Setup,
    engine: Engine,
    proxies: Arc<Proxies>,
    logs: Logs,
    known: KnownServers,
    running: Arc<Running>,
    disk: Disk,
}

impl Manager {
    /// A manager that has started nothing.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        let logs = Logs::new(setup.home.join("logs"), setup.clock);
        let known = KnownServers::new(setup.home.join("cache").join("servers"));
        let (running, disk) = (Arc::default(), Disk::default());
        let engine = Engine::new(setup.network.parts.clone());
        let proxies = Arc::new(Proxies::from_environment(|name| variable(&setup.environment, name)));
        Self(Arc::new(Inner { setup, engine, proxies, logs, known, running, disk }))
    }

    /// Starts a server, shakes hands and reads its tools, within its budgets. One that is of no use, or whose future is
    /// dropped, is stopped in the background.
    ///
    /// # Panics
    /// Outside a tokio runtime that drives I/O and time.
    pub async fn connect(&self, server: &Server) -> Attempt {
        self.settled(Course::new(self, server, First::Tools)).await
    }

    /// As [`connect`](Self::connect), for those who need none of the tools: they are not asked for.
    ///
    /// # Panics
    /// As there.
    pub async fn open(&self, server: &Server) -> Attempt {
        self.settled(Course::new(self, server, First::Nothing)).await
    }

    /// As [`open`](Self::open), with something else that authorizes its requests.
    pub(crate) async fn attempt_with(&self, server: &Server, authorizer: Arc<dyn Authorizer>) -> Attempt {
        self.settled(Course::new(self, server, First::Nothing).authorized_by(authorizer)).await
    }

    async fn settled(&self, course: Course<'_>) -> Attempt {
        let Settled { attempt, leaving } = course.run().await;
        if let Some(lease) = leaving {
            tokio::spawn(lease.left());
        }
        attempt
    }

    /// Connects to every target at once, tells of each as it settles, and stops it then.
    ///
    /// # Panics
    /// Outside a tokio runtime that drives I/O and time.
    #[must_use]
    pub fn check_all(&self, targets: Vec<Target>) -> Checks {
        Checks::start(self, targets)
    }

    /// The logs of all servers.
    #[must_use]
    pub fn logs(&self) -> &Logs {
        &self.0.logs
    }

    /// What an earlier run found out about a server: nothing of one that stands in no file, nor of any while the disk
    /// hangs. Starts nothing.
    pub async fn recall(&self, server: &Server) -> Known {
        if !is_remembered(server) {
            return Known::default();
        }
        let entry = self.0.known.entry(server, &self.0.setup.cwd);
        self.0.disk.ask(RECALL, move || entry.read()).await.unwrap_or_default()
    }

    /// Ends everything: what connects fails as interrupted, connections close, processes are taken down their ladder at
    /// the same time, the guard leaves, the logs are written. Takes as long as the ladder at most, and little more.
    pub async fn shutdown(&self) {
        self.0.running.stop().await;
        self.0.setup.guard.close().await;
        let _ = timeout(LAST_WRITES, self.0.disk.idle()).await;
        let logs = self.0.logs.clone();
        let _ = tokio::task::spawn_blocking(move || logs.flush(LAST_LINES)).await;
    }

    pub(crate) fn setup(&self) -> &Setup {
        &self.0.setup
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.0.engine
    }

    pub(crate) fn proxies(&self) -> &Arc<Proxies> {
        &self.0.proxies
    }

    pub(crate) fn running(&self) -> &Arc<Running> {
        &self.0.running
    }

    /// Keeps what a connection found out, if it is news and of a server that will be asked for again.
    pub(crate) fn remember(&self, server: &Server, before: Known, client: &Client, tools: Option<Vec<Tool>>) {
        if !is_remembered(server) {
            return;
        }
        let now = (self.0.setup.clock)();
        let mut after = before.clone();
        after.learn(client.server(), client.memory(), now);
        if let Some(tools) = tools {
            let still = |list: &KnownList| {
                list.tools == tools && now.duration_since(list.time).is_ok_and(|age| age < LIST_STAYS)
            };
            if !before.list.as_ref().is_some_and(still) {
                after.list = Some(KnownList { tools, time: now });
            }
        }
        if after != before {
            let entry = self.0.known.entry(server, &self.0.setup.cwd);
            // Waited for at the end only: a disk may take longer than the server did.
            self.0.disk.leave(move || entry.write(&after, now));
        }
    }
}

/// Whether what is found out about a server is kept: one that stands in no file was named for one run.
pub(super) fn is_remembered(server: &Server) -> bool {
    server.place.file().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_disk_that_hangs_does_not_hold_up_the_end() {
        let home = tempfile::tempdir().unwrap();
        let (cwd, home) = (home.path().into(), home.path().into());
        let manager = Manager::new(Setup::new(Vec::new(), cwd, home, SystemTime::now));
        let (go_on, stuck) = std::sync::mpsc::sync_channel::<()>(0);
        manager.0.disk.leave(move || stuck.recv().expect("somebody goes on"));
        timeout(LAST_WRITES * 2, manager.shutdown()).await.expect("it ends without the disk");
        go_on.send(()).unwrap();
    }
}
