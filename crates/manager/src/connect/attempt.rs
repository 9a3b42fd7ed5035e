//! One server, from its definition to its tools, within its budgets.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use codewhale_mcp_client::{CallError, Client, Options};
use codewhale_mcp_config::{Server, Transport};
use codewhale_mcp_net::Authorizer;
use codewhale_mcp_transport::http::{EndpointError, HttpConnector};
use codewhale_mcp_transport::stdio::StdioConnector;
use codewhale_mcp_transport::{Connector, End};
use tokio::time::Instant;

use super::class::{FailureClass, Phase};
use super::events::Forwarding;
use super::failure::Failure;
use super::listing::{FirstList, list};
use super::manager::Manager;
use super::report::{Degradation, Elapsed, Oddity, Outcome, Report};
use super::running::{Lease, told_end};
use super::watch::Watched;
use crate::endpoint::{endpoint, has_credentials};
use crate::launch::{budgets, launch};
use crate::logs::{Log, Voice};

/// The most lines of standard error in a report.
const STDERR_LINES: usize = 20;

/// What became of an attempt to connect.
#[derive(Debug)]
pub struct Attempt {
    /// How the server is.
    pub report: Report,
    /// The connection, if it is alive.
    pub connection: Option<Connection>,
}

/// A connection that its owner closes. Dropped, it is closed in the background.
#[derive(Debug)]
pub struct Connection {
    client: Client,
    lease: Lease,
    events: Forwarding,
    log: Log,
}

impl Connection {
    /// The client.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The last lines of the server's standard error, oldest first, safe to print and without known secrets.
    #[must_use]
    pub fn stderr(&self) -> Vec<String> {
        stderr(&self.client.last_words(), &self.log)
    }

    /// What a list that could not be read says about the server: its class, and causes that are safe to print.
    #[must_use]
    pub fn degradation(&self, error: &CallError) -> Degradation {
        Degradation::of_list(error, &self.log)
    }

    /// Why the server is lost, if it is, for a request that failed with it.
    #[must_use]
    pub fn loss(&self, error: &CallError) -> Option<Failure> {
        self.client.gone().map(|gone| Failure::of_loss(&gone, error, &self.log))
    }

    /// Closes the connection and waits until nothing of the server runs any more.
    pub async fn close(self) -> End {
        let end = close(&self.client, &self.lease, self.events, &self.log).await;
        self.lease.over();
        end
    }
}

async fn close(client: &Client, lease: &Lease, events: Forwarding, log: &Log) -> End {
    let end = client.close().await;
    lease.told();
    log.say(Voice::Codewhale, &format!("stopped: {}", told_end(&end)));
    events.finish().await;
    end
}

/// An attempt that has come to its end, and what may still run of a server that is of no use.
pub(crate) struct Settled {
    pub(crate) attempt: Attempt,
    pub(crate) leaving: Option<Lease>,
}

impl Settled {
    fn down(report: Report, leaving: Option<Lease>) -> Self {
        Self { attempt: Attempt { report, connection: None }, leaving }
    }
}

/// What a server is asked for before it counts as ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum First {
    /// Its tools.
    Tools,
    /// Nothing.
    Nothing,
}

/// An attempt under way.
pub(crate) struct Course<'a> {
    manager: &'a Manager,
    server: &'a Server,
    first: First,
    /// Authorizes requests in the place of what is kept.
    authorizer: Option<Arc<dyn Authorizer>>,
    /// Is told how far it has come.
    tell: Option<&'a (dyn Fn(Phase) + Send + Sync)>,
    log: Log,
    began: Instant,
    starts: u32,
}

/// What an attempt came to.
enum Came {
    Up(Report, Client, Forwarding),
    Down(Report),
}

impl<'a> Course<'a> {
    pub(crate) fn new(manager: &'a Manager, server: &'a Server, first: First) -> Self {
        let log = manager.logs().log(&server.name, server.redactor());
        let (authorizer, tell) = (None, None);
        Self { manager, server, first, authorizer, tell, log, began: Instant::now(), starts: 0 }
    }

    pub(super) fn authorized_by(self, authorizer: Arc<dyn Authorizer>) -> Self {
        Self { authorizer: Some(authorizer), ..self }
    }

    pub(crate) fn telling(self, tell: &'a (dyn Fn(Phase) + Send + Sync)) -> Self {
        Self { tell: Some(tell), ..self }
    }

    /// Connects and asks for what comes first; gives up when everything is to stop.
    pub(crate) async fn run(self) -> Settled {
        self.run_unless(std::future::pending()).await
    }

    /// The same, and gives up when `unwanted` is over.
    pub(crate) async fn run_unless(mut self, unwanted: impl Future<Output = ()>) -> Settled {
        let running = self.manager.running().clone();
        let _unsettled = running.unsettled();
        let lease = running.lease(self.log.clone());
        let came = tokio::select! {
            biased;
            () = running.stopping() => None,
            () = unwanted => Some(None),
            came = self.connect(&lease) => Some(Some(came)),
        };
        match came {
            Some(Some(Came::Up(report, client, events))) => {
                let connection = Some(Connection { client, lease, events, log: self.log });
                Settled { attempt: Attempt { report, connection }, leaving: None }
            }
            Some(Some(Came::Down(report))) => Settled::down(report, Some(lease)),
            Some(None) => Settled::down(self.interrupted(), Some(lease)),
            // The end of the run sees to what was started.
            None => Settled::down(self.interrupted(), None),
        }
    }

    async fn connect(&mut self, lease: &Lease) -> Came {
        let setup = self.manager.setup();
        let known = self.manager.recall(self.server).await;
        let mut options = setup.options.clone();
        options.memory = known.memory((setup.clock)());
        let (connector, mut options) = match self.connector(options) {
            Ok(reached) => reached,
            Err(failure) => return self.down(failure, self.elapsed(), Vec::new(), Vec::new()),
        };
        let (observer, events) = Forwarding::begin(self.log.clone());
        options.observer = Some(observer);
        let deadline = self.began + options.connect_timeout;

        self.came_to(match &self.server.transport {
            Transport::Http(_) | Transport::Sse(_) => Phase::Reach,
            _ => Phase::Spawn,
        });
        let connector = Watched { connector, lease, tell: self.tell, starts: AtomicU32::new(0) };
        let connected = Client::connect(&connector, options).await;
        self.starts = connector.starts.load(Ordering::Relaxed);
        let client = match connected {
            Ok(client) => client,
            Err(error) => {
                lease.told();
                let words = stderr(&error.last_words, &self.log);
                let failure = self.login(Failure::of_connect(error, &self.log));
                let odd = events.finish().await;
                return self.down(failure, self.elapsed(), words, odd);
            }
        };
        lease.connected(client.clone());
        let connect = self.began.elapsed();
        let listed = match self.first {
            First::Tools => {
                self.came_to(Phase::List);
                list(&client, self.server, deadline, &self.log).await
            }
            First::Nothing => FirstList::not_read(&client, self.server),
        };
        let elapsed = Elapsed { connect, list: listed.asked.then(|| self.began.elapsed() - connect) };
        let odd = events.oddities().await;
        let words = stderr(&client.last_words(), &self.log);
        match listed.found {
            Ok(mut found) => {
                found.oddities.extend(odd);
                self.manager.remember(self.server, known, &client, found.all);
                Came::Up(self.report(found.outcome, found.oddities, elapsed, words), client, events)
            }
            Err(failure) => {
                let failure = self.login(failure);
                close(&client, lease, events, &self.log).await;
                self.down(failure, elapsed, words, odd)
            }
        }
    }

    fn came_to(&self, phase: Phase) {
        if let Some(tell) = self.tell {
            tell(phase);
        }
    }

    /// How the server is reached, and the budgets that hold then.
    fn connector(&self, options: Options) -> Result<(Box<dyn Connector>, Options), Failure> {
        let setup = self.manager.setup();
        match &self.server.transport {
            Transport::Stdio(stdio) => {
                let launch = launch(stdio, &setup.environment, &setup.cwd);
                let options = budgets(self.server, Some(&launch), options);
                let connector = StdioConnector::new(launch, setup.guard.clone())
                    .ladder(setup.ladder)
                    .stderr(Arc::new(self.log.clone()));
                Ok((Box::new(connector), options))
            }
            Transport::Http(remote) | Transport::Sse(remote) => {
                let (lists, proxies) = (setup.network.lists.clone(), self.manager.proxies().clone());
                let options = budgets(self.server, None, options);
                let mut endpoint = endpoint(self.server, remote, lists, proxies, options.message_limit)?;
                endpoint.authorizer = match &self.authorizer {
                    Some(authorizer) => Some(authorizer.clone()),
                    None if has_credentials(remote) => None,
                    None => {
                        let url = endpoint.url.clone();
                        Some(self.manager.authorizer(self.server, remote, url, &self.log)?)
                    }
                };
                let connector = HttpConnector::new(self.manager.engine().clone(), endpoint);
                let refused = |error: EndpointError| {
                    Failure::plain(FailureClass::Config, Phase::Config, self.log.safe(&error.to_string()))
                };
                Ok((Box::new(connector.map_err(refused)?), options))
            }
            Transport::Sdk if let Some(connector) = setup.in_process.connector(&self.server.name) => {
                Ok((connector, budgets(self.server, None, options)))
            }
            other => Err(unsupported(other)),
        }
    }

    /// A login is of no use where the definition has credentials of its own.
    fn login(&self, mut failure: Failure) -> Failure {
        if let (FailureClass::NeedsLogin, Transport::Http(remote) | Transport::Sse(remote)) =
            (failure.class, &self.server.transport)
            && has_credentials(remote)
        {
            failure.class = FailureClass::CredentialsRefused;
            failure.causes = vec!["the server does not accept the credentials of its definition".to_owned()];
        }
        failure
    }

    fn down(&self, failure: Failure, elapsed: Elapsed, stderr: Vec<String>, warnings: Vec<Oddity>) -> Came {
        Came::Down(self.report(Outcome::Failed(failure), warnings, elapsed, stderr))
    }

    fn interrupted(&self) -> Report {
        self.report(Outcome::Failed(interrupted()), Vec::new(), self.elapsed(), Vec::new())
    }

    fn report(
        &self,
        outcome: Outcome,
        warnings: Vec<Oddity>,
        elapsed: Elapsed,
        stderr: Vec<String>,
    ) -> Report {
        self.log.say(Voice::Codewhale, &told(&outcome, elapsed));
        Report { server: self.server.name.clone(), outcome, warnings, elapsed, starts: self.starts, stderr }
    }

    /// The time so far, none of it for a list.
    fn elapsed(&self) -> Elapsed {
        Elapsed { connect: self.began.elapsed(), list: None }
    }
}

/// An outcome in a line, for the log.
fn told(outcome: &Outcome, elapsed: Elapsed) -> String {
    let time = format!("{} ms", elapsed.total().as_millis());
    match outcome {
        Outcome::Ready(ready) => {
            let revision = ready.established.revision;
            let tools = match ready.tools.len() {
                _ if elapsed.list.is_none() => String::new(),
                1 => ", 1 tool".to_owned(),
                many => format!(", {many} tools"),
            };
            format!("ready after {time}: MCP {revision}{tools}")
        }
        Outcome::Degraded(_, fault) => format!("degraded after {time}: {}", fault.causes.join(": ")),
        Outcome::Failed(failure) => format!("failed after {time} ({}): {failure}", failure.class.as_str()),
    }
}

fn stderr(words: &[String], log: &Log) -> Vec<String> {
    let last = &words[words.len().saturating_sub(STDERR_LINES)..];
    last.iter().map(|line| log.safe(line)).collect()
}

fn interrupted() -> Failure {
    Failure::plain(FailureClass::Interrupted, Phase::Handshake, "interrupted before it was ready")
}

fn unsupported(transport: &Transport) -> Failure {
    let cause = format!("this program cannot reach servers of type {} yet", transport.as_str());
    Failure::plain(FailureClass::UnsupportedTransport, Phase::Config, cause)
}
