//! The tools of all servers, by the names that models know them by.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use codewhale_mcp_config::ToolFilter;
use codewhale_mcp_protocol::Tool;

use super::handle::Fleet;
use crate::known::KnownList;
use crate::names::{Catalogue, ToolId};

/// The tools of all servers at one time, by name. It stays as it is, so that a name means the same tool as long as
/// somebody holds it.
#[derive(Debug, Clone, Default)]
pub struct ToolSet {
    catalogue: Catalogue,
    tools: BTreeMap<ToolId, OfferedTool>,
}

/// A tool of a server, and the name that models know it by.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct OfferedTool {
    /// The names that its owner and its server gave it.
    pub id: ToolId,
    /// The name that models know it by.
    pub name: String,
    /// Where its definition is from.
    pub offer: Offer,
    list: List,
    at: usize,
}

/// Where a tool's definition is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// The server said it in this run.
    Said,
    /// It is remembered from an earlier run: a hint, no more. The server was not started yet.
    Remembered {
        /// When the server said it.
        listed: SystemTime,
    },
}

#[derive(Debug, Clone)]
enum List {
    Said(Arc<Vec<Tool>>),
    Remembered(Arc<KnownList>),
}

impl List {
    fn tools(&self) -> &[Tool] {
        match self {
            Self::Said(tools) => tools,
            Self::Remembered(list) => &list.tools,
        }
    }
}

impl OfferedTool {
    /// The definition.
    #[must_use]
    pub fn tool(&self) -> &Tool {
        &self.list.tools()[self.at]
    }

    /// Whether the server said so in this run.
    #[must_use]
    pub fn is_said(&self) -> bool {
        self.offer == Offer::Said
    }
}

impl ToolSet {
    /// The tool that goes by a name, also one that is only remembered.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&OfferedTool> {
        self.tools.get(self.catalogue.tool(name)?)
    }

    /// A tool by the names that its owner and its server gave it.
    #[must_use]
    pub fn by_id(&self, id: &ToolId) -> Option<&OfferedTool> {
        self.tools.get(id)
    }

    /// What models may be offered: the tools that servers said in this run, ordered by name.
    pub fn said(&self) -> impl Iterator<Item = &OfferedTool> {
        self.all().filter(|tool| tool.is_said())
    }

    /// The same and what is remembered of servers that were not started yet, ordered by name.
    pub fn all(&self) -> impl Iterator<Item = &OfferedTool> {
        self.catalogue.iter().filter_map(|(_, id)| self.tools.get(id))
    }

    /// The names of all of them.
    #[must_use]
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    fn new(lists: Vec<(String, List, Option<ToolFilter>)>) -> Self {
        let mut tools = BTreeMap::new();
        for (server, list, filter) in lists {
            let offer = match &list {
                List::Said(_) => Offer::Said,
                List::Remembered(known) => Offer::Remembered { listed: known.time },
            };
            for (at, tool) in list.tools().iter().enumerate() {
                if filter.as_ref().is_some_and(|filter| !filter.allows(&tool.name)) {
                    continue;
                }
                let (id, list) = (ToolId::new(&server, &tool.name), list.clone());
                let offered = OfferedTool { id: id.clone(), name: String::new(), offer, list, at };
                tools.entry(id).or_insert(offered);
            }
        }
        let catalogue = Catalogue::new(tools.keys().cloned());
        for (id, tool) in &mut tools {
            tool.name = catalogue.name_of(id).expect("every tool was named").to_owned();
        }
        Self { catalogue, tools }
    }
}

impl Fleet {
    /// The tools of all servers as they are now. Those that are remembered are among them once they were
    /// [recalled](Self::recall).
    #[must_use]
    pub fn tools(&self) -> Arc<ToolSet> {
        let (lists, changes) = {
            let held = self.lock();
            if let Some(tools) = &held.tool_set {
                return tools.clone();
            }
            let list = |name: &String| {
                let member = held.members.get(name)?;
                let filter = || member.server().map(|server| server.tools.clone());
                let said = member.offered().map(|tools| (List::Said(tools.clone()), None));
                let known = || member.hinted().map(|known| (List::Remembered(known.clone()), filter()));
                let (list, filter) = said.or_else(known)?;
                Some((name.clone(), list, filter))
            };
            (held.order.iter().filter_map(list).collect::<Vec<_>>(), held.changes)
        };
        // Made outside the lock, since it may take long.
        let tools = Arc::new(ToolSet::new(lists));
        let mut held = self.lock();
        if held.changes == changes {
            held.tool_set = Some(tools.clone());
        }
        tools
    }
}
