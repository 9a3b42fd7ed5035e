//! What a turn works with.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use codewhale_mcp_client::SkillEntry;
use codewhale_mcp_config::AutoApprove;
use codewhale_mcp_manager::{Fleet, ToolDefinition, ToolId, ToolScope};
use codewhale_mcp_redact::Redactor;

use super::spill::Spill;
use crate::approval::Mode;
use crate::caller::Caller;
use crate::model::{Chat, NotConfigured};
use crate::out::Out;
use crate::session::Talk;
use crate::wire::Messages;

/// What a turn works with. It stays the same while the turn lasts, save what is behind a lock.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) chat: Result<Chat, NotConfigured>,
    pub(crate) fleet: Fleet,
    pub(crate) caller: Caller,
    pub(crate) out: Out,
    pub(crate) messages: Messages,
    pub(crate) policy: Policy,
    pub(crate) granted: Granted,
    /// Servers whose tools are offered from the start.
    pub(crate) inline: BTreeSet<String>,
    pub(crate) system: String,
    /// What the definitions of servers hold and nobody is to see.
    pub(crate) secrets: Redactor,
    /// Whether pieces of an answer are told of.
    pub(crate) partial: bool,
    pub(crate) max_turns: Option<u32>,
    /// Where results go that are too long for the model.
    pub(crate) spill: Spill,
    /// How long is waited before the model is asked again.
    pub(crate) backoff: Duration,
    /// Hears what is worth knowing.
    pub(crate) talk: Arc<Talk>,
    /// One question at a time.
    pub(crate) asking: Arc<tokio::sync::Mutex<()>>,
}

/// Which tools run, and which of them unasked.
#[derive(Debug, Clone, Default)]
pub(crate) struct Policy {
    pub(crate) mode: Mode,
    /// Without what is denied.
    pub(crate) scope: ToolScope,
    /// The names of what is denied, for helpers.
    pub(crate) denied: Vec<String>,
    pub(crate) allowed: Vec<String>,
    /// What the definitions of servers let run, by server.
    pub(crate) auto_approved: BTreeMap<String, AutoApprove>,
    /// Always asked for.
    pub(crate) asked: Vec<String>,
    /// Whether anybody is there to ask.
    pub(crate) has_approver: bool,
}

/// What the session has learnt that outlives a turn. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Granted(Arc<Mutex<Learnt>>);

#[derive(Debug, Default)]
struct Learnt {
    /// Tools that a search has found: they are offered from then on.
    found: BTreeSet<ToolId>,
    /// Tools that the caller allowed for the session, with the definition that it was shown.
    allowed: BTreeMap<ToolId, ToolDefinition>,
    /// The names of tools that were not allowed to run.
    denied: BTreeSet<String>,
    /// The entries that skills were loaded from, by server and address.
    skills: BTreeMap<(String, String), SkillEntry>,
}

impl Granted {
    pub(crate) fn find(&self, tool: ToolId) {
        self.lock().found.insert(tool);
    }

    pub(crate) fn is_found(&self, tool: &ToolId) -> bool {
        self.lock().found.contains(tool)
    }

    /// Lets a tool run unasked as long as its definition stays this one.
    pub(crate) fn allow(&self, tool: ToolId, definition: ToolDefinition) {
        self.lock().allowed.insert(tool, definition);
    }

    /// Whether this is the first time that a tool of this name is not allowed to run.
    pub(crate) fn deny(&self, name: &str) -> bool {
        self.lock().denied.insert(name.to_owned())
    }

    pub(crate) fn allows(&self, tool: &ToolId, definition: &ToolDefinition) -> bool {
        self.lock().allowed.get(tool).is_some_and(|known| known == definition)
    }

    /// What is different about a tool that was allowed as another one.
    pub(crate) fn changes(&self, tool: &ToolId, now: &ToolDefinition) -> Option<Vec<String>> {
        let changes = self.lock().allowed.get(tool)?.changes(now);
        (!changes.is_empty()).then_some(changes)
    }

    /// Keeps the entry that a skill was loaded from: its files are held against that.
    pub(crate) fn hold_skill(&self, server: &str, entry: SkillEntry) {
        self.lock().skills.insert((server.to_owned(), entry.uri().to_owned()), entry);
    }

    pub(crate) fn skill(&self, server: &str, uri: &str) -> Option<SkillEntry> {
        self.lock().skills.get(&(server.to_owned(), uri.to_owned())).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Learnt> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
