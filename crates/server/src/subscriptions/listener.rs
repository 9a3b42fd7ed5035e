//! What one subscription, or one legacy session, has not heard yet. However much changes, that is no more than what it
//! asked to hear of.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use codewhale_mcp_protocol::{SubscriptionFilter, Task};
use tokio::sync::Notify;

/// Whoever wants to hear of changes.
#[derive(Debug, Default)]
pub(crate) struct Listener {
    state: Mutex<State>,
    news: Notify,
}

#[derive(Debug, Default)]
struct State {
    tools: bool,
    prompts: bool,
    resources: bool,
    uris: BTreeSet<String>,
    tasks: BTreeSet<String>,
    unheard: Unheard,
}

#[derive(Debug, Default)]
struct Unheard {
    tools: bool,
    prompts: bool,
    resources: bool,
    uris: BTreeSet<String>,
    tasks: BTreeMap<String, Task>,
    visited: BTreeSet<String>,
}

/// One thing to tell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum News {
    Tools,
    Prompts,
    Resources,
    Resource(String),
    Task(Box<Task>),
    /// What a person did at an address is done (2025-11-25).
    Visited(String),
}

impl Listener {
    /// Whoever wants to hear what a filter says.
    pub(crate) fn of(filter: &SubscriptionFilter) -> Self {
        let wanted = |flag: Option<bool>| flag.unwrap_or_default();
        let state = State {
            tools: wanted(filter.tools_list_changed),
            prompts: wanted(filter.prompts_list_changed),
            resources: wanted(filter.resources_list_changed),
            uris: filter.resource_subscriptions.iter().flatten().cloned().collect(),
            tasks: filter.task_ids.iter().flatten().cloned().collect(),
            ..State::default()
        };
        Self { state: Mutex::new(state), ..Self::default() }
    }

    /// A resource more; whether there was room.
    pub(crate) fn watch(&self, uri: &str, limit: usize) -> bool {
        let mut state = self.state();
        let room = state.uris.len() < limit || state.uris.contains(uri);
        if room {
            state.uris.insert(uri.to_owned());
        }
        room
    }

    /// A resource less.
    pub(crate) fn unwatch(&self, uri: &str) {
        let mut state = self.state();
        state.uris.remove(uri);
        state.unheard.uris.remove(uri);
    }

    pub(super) fn tools(&self) {
        self.note(|state| state.unheard.tools |= state.tools);
    }

    pub(super) fn prompts(&self) {
        self.note(|state| state.unheard.prompts |= state.prompts);
    }

    pub(super) fn resources(&self) {
        self.note(|state| state.unheard.resources |= state.resources);
    }

    pub(super) fn resource(&self, uri: &str) {
        self.note(|state| {
            if state.uris.iter().any(|watched| is_within(uri, watched))
                && state.unheard.uris.len() < MOST_PARTS
            {
                state.unheard.uris.insert(uri.to_owned());
            }
        });
    }

    pub(super) fn task(&self, task: &Task) {
        self.note(|state| {
            if state.tasks.contains(&task.task_id) {
                state.unheard.tasks.insert(task.task_id.clone(), task.clone());
            }
        });
    }

    /// A task that was begun in this session.
    pub(crate) fn own_task(&self, task: &Task) {
        self.note(|state| {
            let tasks = &mut state.unheard.tasks;
            if tasks.len() < MOST_PARTS || tasks.contains_key(&task.task_id) {
                tasks.insert(task.task_id.clone(), task.clone());
            }
        });
    }

    /// What a person did at the address of a question is done.
    pub(crate) fn visited(&self, elicitation_id: &str) {
        self.note(|state| {
            if state.unheard.visited.len() < MOST_PARTS {
                state.unheard.visited.insert(elicitation_id.to_owned());
            }
        });
    }

    fn note(&self, what: impl FnOnce(&mut State)) {
        what(&mut self.state());
        self.news.notify_one();
    }

    /// Waits for something to tell.
    pub(crate) async fn next(&self) -> News {
        loop {
            if let Some(news) = self.state().unheard.take() {
                return news;
            }
            self.news.notified().await;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A resource that is watched may have any number of parts, and a session of tasks and visits; no more of them wait to be told.
const MOST_PARTS: usize = 1024;

impl Unheard {
    fn take(&mut self) -> Option<News> {
        let taken = |flag: &mut bool| std::mem::take(flag);
        if taken(&mut self.tools) {
            return Some(News::Tools);
        }
        if taken(&mut self.prompts) {
            return Some(News::Prompts);
        }
        if taken(&mut self.resources) {
            return Some(News::Resources);
        }
        if let Some(uri) = self.uris.pop_first() {
            return Some(News::Resource(uri));
        }
        if let Some(visited) = self.visited.pop_first() {
            return Some(News::Visited(visited));
        }
        self.tasks.pop_first().map(|(_, task)| News::Task(Box::new(task)))
    }
}

/// Whether a resource is the one that is watched, or a part of it.
fn is_within(uri: &str, watched: &str) -> bool {
    let rest = uri.strip_prefix(watched);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || watched.ends_with('/'))
}
