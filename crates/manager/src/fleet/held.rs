//! All servers under one lock. Every change goes through [`Held::tell`].

use std::sync::Arc;
use std::time::SystemTime;

use codewhale_mcp_protocol::Tool;
use tokio::sync::{Notify, broadcast, oneshot};
use tokio::task::JoinSet;

use super::events::FleetEvent;
use super::handle::Fleet;
use super::member::{Definition, Member, Run, same_tools};
use super::name::ByName;
use super::status::ServerStatus;
use super::task::Task;
use super::timer::Timer;
use super::tool_set::ToolSet;
use crate::connect::{Severity, Target};
use crate::supervisor::{Action, Fact, Origin, Settlement, Stage, Time, decide};

/// All servers.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) members: ByName<Member>,
    /// Their names in the order of the configuration.
    pub(super) order: Vec<String>,
    /// What the servers' tasks are joined by.
    pub(super) tasks: JoinSet<()>,
    /// Nothing is started any more.
    pub(super) is_closing: bool,
    /// Gone when everything ends, so that listeners know it.
    pub(super) listeners: Option<broadcast::Sender<FleetEvent>>,
    /// The tools of all servers, as long as none has changed.
    pub(super) tool_set: Option<Arc<ToolSet>>,
    /// How often any has.
    pub(super) changes: u64,
}

impl Held {
    pub(super) fn new(events_kept: usize) -> Self {
        Self {
            members: ByName::default(),
            order: Vec::new(),
            tasks: JoinSet::new(),
            is_closing: false,
            listeners: Some(broadcast::Sender::new(events_kept.max(1))),
            tool_set: None,
            changes: 0,
        }
    }

    /// Takes a server in, behind those that are there.
    pub(super) fn add(&mut self, target: Target, now: Time, clock: SystemTime) {
        let name = target.name.clone();
        self.order.push(name.clone());
        self.members.insert(name, Member::new(target, now, clock));
    }

    pub(super) fn statuses(&self, now: Time) -> Vec<ServerStatus> {
        let status = |name: &String| self.members.get(name).map(|member| member.status(name, now));
        self.order.iter().filter_map(status).collect()
    }

    pub(super) fn announce(&self, event: FleetEvent) {
        if let Some(listeners) = &self.listeners {
            // Nobody listening is not an error.
            let _ = listeners.send(event);
        }
    }

    /// The tools of some server are others now.
    pub(super) fn forget_tools(&mut self) {
        self.tool_set = None;
        self.changes += 1;
    }

    /// Takes note of something that happened to a server: what others can see of it is changed by `note`, how its life
    /// goes on is decided by [`decide`], and whoever listens is told.
    pub(super) fn tell(&mut self, fleet: &Fleet, name: &str, fact: Fact, note: impl FnOnce(&mut Member)) {
        if self.is_closing {
            return;
        }
        let (at, rules) = (fleet.at(), &fleet.rules().supervisor);
        let Some(member) = self.members.get_mut(name) else { return };
        let (before, offered) = (member.seen(), member.offered().cloned());
        let hinted = member.hinted().cloned();
        note(member);
        let (life, actions) = decide(member.life, fact, at, rules);
        if life.stage != member.life.stage {
            member.forget_trouble(life.stage);
        }
        if life.since != member.life.since {
            member.since = fleet.clock();
            if let (Stage::Offline { retry }, Some(trouble)) = (life.stage, &member.trouble) {
                fleet.log_loss(name, member, trouble, retry.map(|retry| retry.saturating_sub(at.now)));
            }
        }
        member.life = life;
        for action in actions {
            match action {
                Action::Stop => member.stop(),
                Action::Connect { attempt } => begin(&mut self.tasks, fleet, name, member, attempt),
                Action::List => {
                    if let Some(run) = &member.run {
                        run.list.notify_one();
                    }
                }
            }
        }
        let due = life.due(rules);
        if member.timer.as_ref().map(|timer| timer.due) != due {
            member.timer = due.map(|due| Timer::new(fleet, name, due));
        }
        let differs = !same_tools(tools(offered.as_ref()), tools(member.offered()));
        if member.seen() != before {
            let status = Box::new(member.status(name, at.now));
            member.changed.send_replace(());
            self.announce(FleetEvent::Changed(status));
        }
        let hints = |hint: Option<&Arc<_>>| hint.map(Arc::as_ptr);
        let member = &self.members[name];
        if differs || hints(member.hinted()) != hints(hinted.as_ref()) {
            self.forget_tools();
        }
        if differs {
            self.announce(FleetEvent::ToolsChanged { server: name.to_owned() });
        }
    }
}

impl Member {
    /// What was wrong is over, or something else is.
    fn forget_trouble(&mut self, next: Stage) {
        let stays = match next {
            Stage::Connecting { origin, .. } => origin == Origin::Lost,
            Stage::Ready | Stage::Configured | Stage::Disabled => false,
            _ => true,
        };
        if !stays {
            self.trouble = None;
        }
    }
}

fn tools(list: Option<&Arc<Vec<Tool>>>) -> &[Tool] {
    list.map(|tools| tools.as_slice()).unwrap_or_default()
}

/// Starts the task of an attempt.
fn begin(tasks: &mut JoinSet<()>, fleet: &Fleet, name: &str, member: &mut Member, attempt: u64) {
    while tasks.try_join_next().is_some() {}
    let (stop, stopped) = oneshot::channel();
    let (done, over) = oneshot::channel();
    let list = Arc::new(Notify::new());
    let task = Task {
        fleet: fleet.downgrade(),
        manager: fleet.manager().clone(),
        name: name.to_owned(),
        attempt,
        stopped,
        list: list.clone(),
        before: member.over.replace(over),
        done,
    };
    member.run = Some(Run { _stop: stop, list });
    match &member.definition {
        Definition::Usable(server) => {
            tasks.spawn(task.run(server.clone()));
        }
        Definition::Refused(failure) => {
            let failure = failure.clone();
            tasks.spawn(async move { task.refuse(&failure) });
        }
    }
}

/// How an attempt settles, in the words of the decision.
pub(super) fn settlement(severity: Severity) -> Settlement {
    match severity {
        Severity::Good => Settlement::Ready,
        Severity::Degraded => Settlement::Degraded,
        Severity::NeedsLogin => Settlement::NeedsLogin,
        Severity::Blocked => Settlement::Blocked,
        Severity::Failed => Settlement::Failed,
    }
}
