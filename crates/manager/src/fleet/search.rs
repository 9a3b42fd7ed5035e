//! Tools are looked for, and servers started for it.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use tokio::time::timeout;

use super::handle::Fleet;
use super::query::Query;
use super::tool_set::{Offer, OfferedTool};
use super::trouble::Trouble;
use crate::scope::Scope;
use crate::supervisor::ServerState;

/// What a search came to.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Found {
    /// The tools, the best first.
    pub tools: Vec<FoundTool>,
    /// How many more there are.
    pub more: usize,
    /// Servers that were asked for and are on their way.
    pub pending: Vec<String>,
    /// Servers that were asked for and have not been started, because others took all the time.
    pub not_started: Vec<String>,
    /// Servers that were asked for and cannot be used.
    pub unavailable: Vec<Unavailable>,
}

/// A tool that was found.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FoundTool {
    /// The tool.
    pub tool: OfferedTool,
    /// How old its definition is, if it is only remembered.
    pub age: Option<Duration>,
}

/// A server that was asked for and cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unavailable {
    /// Its name.
    pub server: String,
    /// How it is.
    pub state: ServerState,
    /// Why.
    pub trouble: Option<Trouble>,
}

impl Found {
    /// What to do when servers are missing, for a model.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match (self.pending.is_empty(), self.not_started.is_empty()) {
            (true, true) => None,
            (false, true) => {
                Some("some servers are still starting: search again in a moment, or wait_for_mcp_servers")
            }
            (_, false) => Some("not every server was started: search for one of them by its name"),
        }
    }
}

impl Fleet {
    /// Looks for tools within a scope. Servers that the query names are started, a few at a time, and waited for, all
    /// together for [`FleetRules::search_time`](super::FleetRules::search_time); no other server is started. What is
    /// remembered of servers that were not started yet is found as well, with its age. Dropping the future ends the
    /// waiting.
    pub async fn search(&self, query: &Query, scope: &Scope) -> Found {
        self.recall().await;
        let named = self.named_by(query, scope);
        let startable: Vec<String> = {
            let held = self.lock();
            let is_new = |name: &&String| {
                let state = held.members.get(*name).map(|member| member.life.state());
                matches!(state, Some(ServerState::Configured | ServerState::Connecting))
            };
            named.iter().filter(is_new).cloned().collect()
        };
        let starting = self.start_few(startable, self.rules().at_once);
        let _ = timeout(self.rules().search_time, starting).await;
        self.found(query, scope, &named)
    }

    /// The servers that a query names.
    fn named_by(&self, query: &Query, scope: &Scope) -> Vec<String> {
        let tools = self.tools();
        // Of a server whose tools are known they tell whether a pattern means it.
        let known: HashSet<&str> = tools.all().map(|tool| tool.id.server.as_str()).collect();
        let meant: HashSet<&str> = tools
            .all()
            .filter(|tool| scope.admits(&tool.id, &tool.name) && query.score(tool) > 0)
            .map(|tool| tool.id.server.as_str())
            .collect();
        let named = |name: &str| match query.is_pattern() && known.contains(name) {
            true => meant.contains(name),
            false => query.names_server(name),
        };
        let held = self.lock();
        held.order.iter().filter(|name| scope.admits_server(name) && named(name)).cloned().collect()
    }

    fn found(&self, query: &Query, scope: &Scope, named: &[String]) -> Found {
        let (set, now) = (self.tools(), self.clock());
        let mut scored: Vec<(u32, &OfferedTool)> = set
            .all()
            .filter(|tool| scope.admits(&tool.id, &tool.name))
            .map(|tool| (query.score(tool), tool))
            .filter(|(score, _)| *score > 0)
            .collect();
        scored.sort_by(|(one, a), (other, b)| other.cmp(one).then_with(|| a.name.cmp(&b.name)));
        let most = self.rules().most_found;
        let mut found = Found { more: scored.len().saturating_sub(most), ..Found::default() };
        found.tools = scored.into_iter().take(most).map(|(_, tool)| FoundTool::new(tool, now)).collect();
        for name in named {
            let Some(status) = self.status(name) else { continue };
            match status.state {
                ServerState::Connecting => found.pending.push(name.clone()),
                ServerState::Configured => found.not_started.push(name.clone()),
                ServerState::Ready | ServerState::Degraded | ServerState::Disabled => {}
                state => found.unavailable.push(Unavailable {
                    server: name.clone(),
                    state,
                    trouble: status.trouble,
                }),
            }
        }
        found
    }
}

impl FoundTool {
    fn new(tool: &OfferedTool, now: SystemTime) -> Self {
        let age = match tool.offer {
            Offer::Said => None,
            Offer::Remembered { listed } => Some(now.duration_since(listed).unwrap_or_default()),
        };
        Self { tool: tool.clone(), age }
    }
}
