//! One server: its definition, its life, its connection, its tools.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use codewhale_mcp_config::Server;
use codewhale_mcp_protocol::Tool;
use tokio::sync::{Notify, oneshot, watch};

use super::error::FleetError;
use super::live::Live;
use super::status::{Instructions, ServerStatus};
use super::timer::Timer;
use super::trouble::Trouble;
use crate::connect::{Failure, Severity, Target};
use crate::known::KnownList;
use crate::supervisor::{Life, Origin, Stage, Time};

/// What a server is, or why it cannot be used.
#[derive(Debug, Clone)]
pub(super) enum Definition {
    Usable(Arc<Server>),
    Refused(Box<Failure>),
}

/// The task of an attempt, as its member holds it. Dropped, the task stops what it has started.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) _stop: oneshot::Sender<()>,
    pub(super) list: Arc<Notify>,
}

/// What is known of a server from earlier runs.
#[derive(Debug, Clone, Default)]
pub(super) enum Hint {
    #[default]
    NotLooked,
    Looked(Option<Arc<KnownList>>),
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) definition: Definition,
    /// Whether nothing is done without it.
    pub(super) required: bool,
    pub(super) life: Life,
    /// When its stage began, by the time of day.
    pub(super) since: SystemTime,
    /// Its connection, while it is up.
    pub(super) live: Option<Arc<Live>>,
    /// The last good list of what it offers.
    pub(super) tools: Option<Arc<Vec<Tool>>>,
    pub(super) trouble: Option<Trouble>,
    pub(super) instructions: Option<Instructions>,
    pub(super) hint: Hint,
    pub(super) run: Option<Run>,
    /// Is over when nothing of its latest task runs any more.
    pub(super) over: Option<oneshot::Receiver<()>>,
    pub(super) timer: Option<Timer>,
    /// Told at each change.
    pub(super) changed: watch::Sender<()>,
}

/// What of a member others can see.
#[derive(Debug, PartialEq)]
pub(super) struct Seen {
    stage: Stage,
    trouble: Option<Trouble>,
    tools: Option<usize>,
}

impl Member {
    pub(super) fn new(target: Target, now: Time, clock: SystemTime) -> Self {
        let required = target.required;
        let definition = Definition::from(target);
        let (stage, trouble) = definition.first();
        Self {
            definition,
            required,
            life: Life::at(stage, now),
            since: clock,
            live: None,
            tools: None,
            trouble,
            instructions: None,
            hint: Hint::default(),
            run: None,
            over: None,
            timer: None,
            changed: watch::Sender::new(()),
        }
    }

    pub(super) fn server(&self) -> Option<&Arc<Server>> {
        match &self.definition {
            Definition::Usable(server) => Some(server),
            Definition::Refused(_) => None,
        }
    }

    /// Its tools that models may be offered: those of a server that is up, or that is being tried again.
    pub(super) fn offered(&self) -> Option<&Arc<Vec<Tool>>> {
        let offers = match self.life.stage {
            Stage::Ready | Stage::Degraded => true,
            Stage::Connecting { origin, .. } => origin == Origin::Lost,
            Stage::Offline { retry } => retry.is_some(),
            _ => false,
        };
        self.tools.as_ref().filter(|_| offers)
    }

    /// What it offered in an earlier run, if it has not been up in this one and may yet be.
    pub(super) fn hinted(&self) -> Option<&Arc<KnownList>> {
        match &self.hint {
            Hint::Looked(known) if self.may_be_hinted() => known.as_ref(),
            _ => None,
        }
    }

    pub(super) fn may_be_hinted(&self) -> bool {
        match self.life.stage {
            Stage::Configured => true,
            Stage::Connecting { .. } => self.offered().is_none(),
            _ => false,
        }
    }

    pub(super) fn seen(&self) -> Seen {
        Seen { stage: self.life.stage, trouble: self.trouble.clone(), tools: self.tool_count() }
    }

    fn tool_count(&self) -> Option<usize> {
        let counts = self.life.state().counts_tools();
        self.tools.as_ref().filter(|_| counts).map(|tools| tools.len())
    }

    pub(super) fn status(&self, name: &str, now: Time) -> ServerStatus {
        let server = self.server();
        ServerStatus {
            name: name.to_owned(),
            scope: server.map(|server| server.scope),
            state: self.life.state(),
            since: self.since,
            elapsed: now.saturating_sub(self.life.since),
            phase: match self.life.stage {
                Stage::Connecting { phase, .. } => Some(phase),
                _ => None,
            },
            trouble: self.trouble.clone(),
            retry_in: self.retry_in(now),
            tools: self.tool_count(),
            required: self.required,
            eager: server.is_some_and(|server| server.is_eager()),
            instructions: self.instructions.clone(),
        }
    }

    /// Why no request can be sent to it.
    pub(super) fn unready(&self, name: &str, now: Time) -> FleetError {
        let server = name.to_owned();
        let trouble =
            || self.trouble.clone().unwrap_or_else(|| Trouble::unreachable(vec!["it is gone".into()]));
        match self.life.stage {
            Stage::Disabled => FleetError::ServerDisabled { server },
            Stage::Configured => FleetError::ServerNotStarted { server },
            Stage::Connecting { phase, .. } => {
                let elapsed = now.saturating_sub(self.life.since);
                FleetError::ServerNotReady { server, phase, elapsed }
            }
            Stage::NeedsLogin => FleetError::ServerNeedsLogin { server, trouble: trouble() },
            Stage::Blocked => FleetError::ServerBlocked { server, trouble: trouble() },
            Stage::Failed => FleetError::ServerFailed { server, trouble: trouble() },
            Stage::Offline { .. } | Stage::Ready | Stage::Degraded => {
                FleetError::ServerOffline { server, trouble: trouble(), retry_in: self.retry_in(now) }
            }
        }
    }

    fn retry_in(&self, now: Time) -> Option<Duration> {
        match self.life.stage {
            Stage::Offline { retry } => retry.map(|retry| retry.saturating_sub(now)),
            _ => None,
        }
    }

    /// Takes over a good list; the same tools again change nothing.
    pub(super) fn take_tools(&mut self, tools: Vec<Tool>) {
        if self.tools.as_ref().is_none_or(|had| !same_tools(had, &tools)) {
            self.tools = Some(Arc::new(tools));
        }
        // What is remembered of it is older than this now.
        self.hint = Hint::NotLooked;
    }

    /// Ends its task, and with it what it has started.
    pub(super) fn stop(&mut self) {
        self.run = None;
        self.live = None;
    }
}

/// Whether two lists hold the same tools, in whatever order. Each name is there once.
pub(super) fn same_tools(one: &[Tool], other: &[Tool]) -> bool {
    // Most often it is the very same list.
    if std::ptr::eq(one, other) || one == other {
        return true;
    }
    let by_name: HashMap<&str, &Tool> = one.iter().map(|tool| (tool.name.as_str(), tool)).collect();
    one.len() == other.len() && other.iter().all(|tool| by_name.get(tool.name.as_str()) == Some(&tool))
}

impl Definition {
    /// How a server stands that was never started.
    pub(super) fn first(&self) -> (Stage, Option<Trouble>) {
        match self {
            Self::Usable(server) if server.enabled => (Stage::Configured, None),
            Self::Usable(_) => (Stage::Disabled, None),
            Self::Refused(failure) => {
                let stage = match failure.class.severity() {
                    Severity::NeedsLogin => Stage::NeedsLogin,
                    Severity::Blocked => Stage::Blocked,
                    _ => Stage::Failed,
                };
                (stage, Some(Trouble::of_failure(failure, Vec::new())))
            }
        }
    }
}

impl From<Target> for Definition {
    fn from(target: Target) -> Self {
        match target.server {
            Ok(server) => Self::Usable(Arc::from(server)),
            Err(failure) => Self::Refused(Box::new(failure)),
        }
    }
}
