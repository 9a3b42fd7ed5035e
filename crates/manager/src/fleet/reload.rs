//! Other definitions take the place of those there are.

use std::collections::HashSet;
use std::sync::Arc;

use codewhale_mcp_config::Server;

use super::events::FleetEvent;
use super::handle::Fleet;
use super::held::{Held, settlement};
use super::member::{Definition, Hint, Member};
use crate::connect::Target;
use crate::supervisor::{Fact, ServerState};

/// A set of definitions that cannot take the place of another. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReloadError {
    /// Two have the same name.
    #[error("two servers are named `{server}`")]
    ServerTwice {
        /// The name.
        server: String,
    },
}

/// What a reload came to, by the servers' names, each in the order of the new configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reloaded {
    /// New ones. They start when they are needed.
    pub added: Vec<String>,
    /// Those that are there no more. They were stopped.
    pub removed: Vec<String>,
    /// Those that are started in another way now. What ran was stopped and starts again.
    pub changed: Vec<String>,
    /// Those that are started as before. What runs goes on.
    pub kept: Vec<String>,
}

/// How a definition follows another.
#[derive(PartialEq, Eq)]
enum Step {
    /// What runs goes on.
    Same,
    /// It is another server, or another way to it.
    Other,
}

impl Fleet {
    /// Applies the difference to another set of definitions: unchanged servers keep running and lose no call, changed
    /// ones that ran start again, and those that could not be used may be tried again, since what they lacked (a login,
    /// a consent) may be there now.
    ///
    /// # Errors
    /// When the new set cannot be used. The old one stays as it is.
    pub fn reload(&self, targets: Vec<Target>) -> Result<Reloaded, ReloadError> {
        once_each(&targets)?;
        let mut held = self.lock();
        let mut reloaded = Reloaded::default();
        let names: Vec<String> = targets.iter().map(|target| target.name.clone()).collect();
        let old = std::mem::take(&mut held.order);
        reloaded.removed = old.into_iter().filter(|name| !names.contains(name)).collect();
        for name in &reloaded.removed {
            held.tell(self, name, Fact::Disabled, |member| member.tools = None);
            if let Some(member) = held.members.remove(name) {
                member.changed.send_replace(());
            }
            held.announce(FleetEvent::Removed { server: name.clone() });
        }
        held.order = names;
        for target in targets {
            let name = target.name.clone();
            if !held.members.contains_key(&name) {
                held.enter(self, target);
                reloaded.added.push(name);
                continue;
            }
            match held.redefine(self, target) {
                Step::Same => reloaded.kept.push(name),
                Step::Other => reloaded.changed.push(name),
            }
        }
        held.forget_tools();
        Ok(reloaded)
    }

    /// Takes up one more server, behind the others, and leaves those as they are; false if its name is taken.
    pub fn add(&self, target: Target) -> bool {
        let mut held = self.lock();
        let is_new = !held.members.contains_key(&target.name);
        if is_new {
            held.order.push(target.name.clone());
            held.enter(self, target);
            held.forget_tools();
        }
        is_new
    }

    /// Starts a server anew by a definition that was read again; false if there is no such server. Returns at once.
    pub fn reconnect(&self, target: Target) -> bool {
        let mut held = self.lock();
        let name = target.name.clone();
        if !held.members.contains_key(&name) {
            return false;
        }
        held.redefine(self, target);
        held.tell(self, &name, Fact::Restart, |_| {});
        true
    }
}

impl Held {
    /// Takes up a server that stands in the order already.
    fn enter(&mut self, fleet: &Fleet, target: Target) {
        let name = target.name.clone();
        let member = Member::new(target, fleet.now(), fleet.clock());
        let status = Box::new(member.status(&name, fleet.now()));
        self.members.insert(name, member);
        self.announce(FleetEvent::Changed(status));
    }

    /// Has a definition take the place of another.
    fn redefine(&mut self, fleet: &Fleet, target: Target) -> Step {
        let name = target.name.clone();
        let required = target.required;
        let definition = Definition::from(target);
        let Some(member) = self.members.get(&name) else { return Step::Other };
        let step = match (&member.definition, &definition) {
            (Definition::Usable(old), Definition::Usable(new)) if starts_alike(old, new) => Step::Same,
            (Definition::Refused(old), Definition::Refused(new)) if old == new => Step::Same,
            _ => Step::Other,
        };
        let fact = fact(&step, &definition, member.life.state());
        let (_, trouble) = definition.first();
        let note = |member: &mut Member| {
            if step == Step::Other {
                (member.hint, member.tools, member.instructions) = (Hint::NotLooked, None, None);
            }
            (member.definition, member.required) = (definition, required);
            member.trouble = trouble.or(member.trouble.take());
        };
        match fact {
            Some(fact) => self.tell(fleet, &name, fact, note),
            None => {
                let member = self.members.get_mut(&name).expect("it was found a moment ago");
                note(member);
                let status = Box::new(member.status(&name, fleet.now()));
                self.announce(FleetEvent::Changed(status));
            }
        }
        step
    }
}

/// What another definition means for a server. Where it means nothing, what runs goes on, under other rules perhaps.
fn fact(step: &Step, definition: &Definition, state: ServerState) -> Option<Fact> {
    let server = match definition {
        Definition::Usable(server) => server,
        Definition::Refused(_) if *step == Step::Same => return None,
        Definition::Refused(failure) => {
            return Some(Fact::Refused { settlement: settlement(failure.class.severity()) });
        }
    };
    match (step, state) {
        _ if !server.enabled => Some(Fact::Disabled),
        (_, ServerState::Disabled) => Some(Fact::Enabled),
        (Step::Same, state) if state.is_alive() => None,
        (Step::Same, ServerState::Connecting | ServerState::Offline) => None,
        (Step::Other, state) if state.is_alive() => Some(Fact::Restart),
        (Step::Other, ServerState::Connecting | ServerState::Offline) => Some(Fact::Restart),
        _ => Some(Fact::Reset),
    }
}

/// Whether two definitions start the same server within the same budgets.
fn starts_alike(old: &Arc<Server>, new: &Arc<Server>) -> bool {
    let budgets = |server: &Server| {
        let timeouts = &server.timeouts;
        let idle = timeouts.idle.as_ref().map(|idle| idle.value);
        (timeouts.connect.value, timeouts.execute.value, timeouts.read.value, idle)
    };
    old.fingerprint() == new.fingerprint() && budgets(old) == budgets(new)
}

pub(super) fn once_each(targets: &[Target]) -> Result<(), ReloadError> {
    let mut names = HashSet::new();
    match targets.iter().find(|target| !names.insert(target.name.as_str())) {
        Some(twice) => Err(ReloadError::ServerTwice { server: twice.name.clone() }),
        None => Ok(()),
    }
}
