//! The owner of it all, as others hold it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, SystemTime};

use codewhale_mcp_protocol::Tool;
use tokio::time::Instant;

use super::error::FleetError;
use super::events::FleetEvents;
use super::held::{Held, settlement};
use super::live::Live;
use super::member::Member;
use super::reload::{ReloadError, once_each};
use super::rules::FleetRules;
use super::status::{Instructions, ServerStatus};
use super::trouble::Trouble;
use crate::Manager;
use crate::connect::{Failure, Found, Outcome, Report, Severity, Target};
use crate::logs::Voice;
use crate::supervisor::{At, Fact, Stage, Time};

/// Servers that live, and their tools. Clones are the same fleet.
///
/// A server is started when somebody needs it, is watched while it is up, and started again when it is gone; every
/// change is told to those who [listen](Self::events). A run ends with [`shutdown`](Self::shutdown); when the last
/// handle is dropped without it, everything is closed in the background.
///
/// Everything but `new` has to be called within the tokio runtime that the servers are driven by.
///
/// ```
/// # use std::time::SystemTime;
/// use codewhale_mcp_config::{McpFile, Merged, Scope, Source};
/// use codewhale_mcp_manager::{Fleet, FleetEvent, FleetRules, Manager, Matching, Query, ServerState, Setup, Target, ToolScope};
/// # use codewhale_mcp_manager::InProcess;
/// # use codewhale_mcp_transport::{Connector, memory};
/// # use serde_json::{Value, json};
/// # use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
/// # fn server_in_memory(_: &str) -> Option<Box<dyn Connector>> {
/// #     let (connector, server) = memory::pair(64 * 1024);
/// #     tokio::spawn(async move {
/// #         let (reader, mut writer) = tokio::io::split(server);
/// #         let mut lines = BufReader::new(reader).lines();
/// #         while let Ok(Some(line)) = lines.next_line().await {
/// #             let request: Value = serde_json::from_str(&line).unwrap();
/// #             let result = match request["method"].as_str() {
/// #                 Some("server/discover") => json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}),
/// #                 Some("tools/list") => json!({"tools": [{"name": "greet", "inputSchema": {"type": "object"}}]}),
/// #                 _ => json!({"content": [{"type": "text", "text": "hello"}]}),
/// #             };
/// #             let reply = json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
/// #             writer.write_all(format!("{reply}\n").as_bytes()).await.unwrap();
/// #         }
/// #     });
/// #     Some(Box::new(connector))
/// # }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let home = tempfile::tempdir()?;
/// # let mut setup = Setup::new(Vec::new(), home.path().into(), home.path().into(), SystemTime::now);
/// # setup.in_process = InProcess::new(server_in_memory);
/// # let workspace = home.path();
/// let text = r#"{"servers": {"host": {"type": "sdk"}}}"#;
/// let merged = Merged::new(vec![McpFile::parse(text, &Source::label("example", Scope::Flag))?]);
/// let server = merged.servers[0].resolve(&|_: &str| None, workspace).expect("nothing is missing");
/// let fleet = Fleet::new(Manager::new(setup), vec![Target::from(server)], FleetRules::default())?;
///
/// // Nothing is started until somebody needs it. A search for a server by its name does.
/// let mut events = fleet.events();
/// let Some(FleetEvent::Snapshot(all)) = events.next().await else { panic!("a snapshot comes first") };
/// assert_eq!(all[0].state, ServerState::Configured);
/// let found = fleet.search(&Query::new("host", Matching::Words)?, &ToolScope::all()).await;
/// assert_eq!(found.tools[0].tool.name, "mcp_host_greet");
///
/// let result = fleet.call(&found.tools[0].tool.id, &serde_json::json!({})).send().await?;
/// assert_eq!(result.content[0].text.as_deref(), Some("hello"));
/// assert_eq!(fleet.status_lines(0), ["host: ready, 1 tool"]);
/// fleet.shutdown().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Fleet(pub(super) Arc<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    manager: Manager,
    rules: FleetRules,
    epoch: Instant,
    held: Mutex<Held>,
}

impl Fleet {
    /// The servers of a configuration, in its order. Nothing is started.
    ///
    /// # Errors
    /// When two have the same name.
    pub fn new(manager: Manager, targets: Vec<Target>, rules: FleetRules) -> Result<Self, ReloadError> {
        once_each(&targets)?;
        let mut held = Held::new(rules.events_kept);
        let clock = (manager.setup().clock)();
        for target in targets {
            held.add(target, Time::ZERO, clock);
        }
        let (epoch, held) = (Instant::now(), Mutex::new(held));
        Ok(Self(Arc::new(Inner { manager, rules, epoch, held })))
    }

    /// What makes connections, keeps logs and what is known.
    #[must_use]
    pub fn manager(&self) -> &Manager {
        &self.0.manager
    }

    /// How all servers are, in the order of the configuration.
    #[must_use]
    pub fn statuses(&self) -> Vec<ServerStatus> {
        self.notice_the_lost();
        self.lock().statuses(self.now())
    }

    /// How a server is, if there is one of this name.
    #[must_use]
    pub fn status(&self, server: &str) -> Option<ServerStatus> {
        self.notice_the_lost();
        self.lock().members.get(server).map(|member| member.status(server, self.now()))
    }

    /// What happens from now on, beginning with how all servers are.
    #[must_use]
    pub fn events(&self) -> FleetEvents {
        let held = self.lock();
        let receiver = match &held.listeners {
            Some(listeners) => listeners.subscribe(),
            None => tokio::sync::broadcast::Sender::new(1).subscribe(),
        };
        FleetEvents::new(receiver, self.downgrade(), held.statuses(self.now()))
    }

    /// The tools that a server offers, in its order. Starts nothing and waits for nothing; of a server that is degraded
    /// it is the last good list.
    ///
    /// # Errors
    /// When the server is not up, or has no list: a list that is not known is never an empty one.
    pub fn tools_of(&self, server: &str) -> Result<Arc<Vec<Tool>>, FleetError> {
        self.notice_the_lost();
        let held = self.lock();
        let unknown = || FleetError::ServerUnknown { server: server.to_owned() };
        let member = held.members.get(server).ok_or_else(unknown)?;
        match (&member.live, &member.tools, &member.trouble) {
            (Some(_), Some(tools), _) => Ok(tools.clone()),
            (Some(_), None, Some(trouble)) => {
                Err(FleetError::ListUnusable { server: server.to_owned(), trouble: trouble.clone() })
            }
            _ => Err(member.unready(server, self.now())),
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn rules(&self) -> &FleetRules {
        &self.0.rules
    }

    pub(super) fn downgrade(&self) -> Weak<Inner> {
        Arc::downgrade(&self.0)
    }

    pub(super) fn now(&self) -> Time {
        self.0.epoch.elapsed()
    }

    pub(super) fn at(&self) -> At {
        At { now: self.now(), chance: (self.0.rules.chance)() }
    }

    pub(super) fn moment(&self, time: Time) -> Instant {
        self.0.epoch + time
    }

    pub(super) fn clock(&self) -> SystemTime {
        (self.0.manager.setup().clock)()
    }

    pub(super) fn tell(&self, server: &str, fact: Fact) {
        self.lock().tell(self, server, fact, |_| {});
    }

    /// Says in the log of a server why it is gone, and what becomes of it.
    pub(super) fn log_loss(&self, name: &str, member: &Member, trouble: &Trouble, retry: Option<Duration>) {
        let Some(server) = member.server() else { return };
        let next = match retry {
            Some(time) => format!("it is tried again in {:.1} s", time.as_secs_f64()),
            None => "it is not tried again by itself".to_owned(),
        };
        let log = self.manager().logs().log(name, server.redactor());
        log.say(Voice::Codewhale, &format!("offline: {trouble}; {next}"));
    }

    /// An attempt has settled; whether it is still wanted.
    pub(super) fn settled(&self, name: &str, attempt: u64, report: Report, live: Option<Arc<Live>>) -> bool {
        let mut held = self.lock();
        let Some(member) = held.members.get(name).filter(|_| !held.is_closing) else { return false };
        if member.life.attempt != attempt || !matches!(member.life.stage, Stage::Connecting { .. }) {
            return false;
        }
        let most = self.rules().instructions;
        let fact = Fact::Settled { attempt, settlement: settlement(report.outcome.severity()) };
        held.tell(self, name, fact, |member| {
            member.live = live;
            member.trouble = match &report.outcome {
                Outcome::Ready(_) => None,
                Outcome::Degraded(_, degradation) => Some(Trouble::of_list(degradation)),
                Outcome::Failed(failure) => Some(Trouble::of_failure(failure, report.stderr)),
            };
            if let Some(ready) = report.outcome.ready() {
                let said = ready.established.instructions.as_deref().unwrap_or_default();
                member.instructions = Instructions::new(said, most);
            }
            if let Outcome::Ready(ready) = report.outcome {
                member.take_tools(ready.tools);
            }
        });
        true
    }

    /// An attempt at what cannot be tried.
    pub(super) fn refused(&self, name: &str, attempt: u64, failure: &Failure) {
        let fact = Fact::Settled { attempt, settlement: settlement(failure.class.severity()) };
        self.lock().tell(self, name, fact, |member| {
            member.trouble = Some(Trouble::of_failure(failure, Vec::new()));
        });
    }

    /// A server that was up is gone, or does not answer any more.
    pub(super) fn lost(&self, name: &str, live: &Live) {
        let trouble = match live.client.gone() {
            Some(gone) => Trouble::of_loss(&gone, &live.log),
            None => Trouble::unreachable(vec!["the server closed the connection".to_owned()]),
        };
        self.gone(name, live, Fact::Lost { attempt: live.attempt }, trouble);
    }

    /// A connection is of no use any more.
    pub(super) fn gone(&self, name: &str, live: &Live, fact: Fact, trouble: Trouble) {
        let mut held = self.lock();
        let is_current = |at: &Arc<Live>| at.attempt == live.attempt;
        let current =
            held.members.get(name).is_some_and(|member| member.live.as_ref().is_some_and(is_current));
        if current {
            held.tell(self, name, fact, |member| member.trouble = Some(trouble));
        }
    }

    /// A list that was asked for again came, or did not.
    pub(super) fn listed(&self, name: &str, attempt: u64, found: Result<Found, Failure>) {
        let mut held = self.lock();
        if held.members.get(name).is_none_or(|member| member.life.attempt != attempt) {
            return;
        }
        match found.map(|found| found.outcome) {
            Ok(Outcome::Ready(ready)) => held.tell(self, name, Fact::Listed { attempt }, |member| {
                member.trouble = None;
                member.take_tools(ready.tools);
            }),
            Ok(Outcome::Degraded(_, degradation)) => {
                held.tell(self, name, Fact::NotListed { attempt }, |member| {
                    member.trouble = Some(Trouble::of_list(&degradation));
                });
            }
            Ok(Outcome::Failed(failure)) | Err(failure) => {
                let needs_login = failure.class.severity() == Severity::NeedsLogin;
                let fact = match needs_login {
                    true => Fact::LoginLost { attempt },
                    false => Fact::NotListed { attempt },
                };
                held.tell(self, name, fact, |member| {
                    member.trouble = Some(Trouble::of_failure(&failure, Vec::new()));
                });
            }
        }
    }

    /// A server that has gone a moment ago is not shown as if it were up.
    fn notice_the_lost(&self) {
        let is_gone = |live: &Arc<Live>| live.client.gone().is_some();
        let lives: Vec<(String, Arc<Live>)> = {
            let held = self.lock();
            let live = |(name, member): (&String, &Member)| {
                Some((name.clone(), member.live.clone().filter(is_gone)?))
            };
            held.members.iter().filter_map(live).collect()
        };
        for (name, live) in lives {
            self.lost(&name, &live);
        }
    }
}
