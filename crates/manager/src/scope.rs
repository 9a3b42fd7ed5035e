//! Which tools a turn may use, by the names that people and programs give them.

use crate::names::{ToolId, safe_name};

/// Which tools may be used: those that an allow list names, or all, without those that a deny list names.
///
/// A name is a catalogue name (`mcp_git_status`), one that ends with `*` (`mcp_git_*`), `mcp__git__status` for one tool,
/// or `mcp__git` for all tools of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    allow: Option<Vec<String>>,
    deny: Vec<String>,
}

impl Scope {
    /// Every tool.
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    /// These tools alone.
    #[must_use]
    pub fn only(allow: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { allow: Some(allow.into_iter().map(Into::into).collect()), deny: Vec::new() }
    }

    /// The same without these.
    #[must_use]
    pub fn without(mut self, deny: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.deny.extend(deny.into_iter().map(Into::into));
        self
    }

    /// Whether a tool may be used that goes by `name`.
    #[must_use]
    pub fn admits(&self, tool: &ToolId, name: &str) -> bool {
        let named = |patterns: &[String]| patterns.iter().any(|pattern| names_tool(pattern, tool, name));
        !named(&self.deny) && self.allow.as_deref().is_none_or(named)
    }

    /// Whether any tool of a server may be used, as far as the names tell: a server that is left out altogether is not
    /// to be started.
    #[must_use]
    pub fn admits_server(&self, server: &str) -> bool {
        !self.deny.iter().any(|pattern| names_all(pattern, server))
            && self.allow.as_deref().is_none_or(|allow| allow.iter().any(|pattern| reaches(pattern, server)))
    }

    /// Whether the allow list asks for tools of a server by name, so that it is worth starting it.
    #[must_use]
    pub fn asks_for(&self, server: &str) -> bool {
        self.allow.is_some() && self.admits_server(server)
    }
}

/// How the catalogue names of a server's tools begin.
pub(crate) fn prefix(server: &str) -> String {
    format!("mcp_{}_", safe_name(server))
}

fn names_tool(pattern: &str, tool: &ToolId, name: &str) -> bool {
    if let Some(start) = pattern.strip_suffix('*') {
        return name.starts_with(start) || doubled(&tool.server, &tool.tool).starts_with(start);
    }
    pattern == name || names_all(pattern, &tool.server) || pattern == doubled(&tool.server, &tool.tool)
}

/// Whether a pattern names every tool of a server.
fn names_all(pattern: &str, server: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => prefix(server).starts_with(start) || doubled(server, "").starts_with(start),
        None => pattern == format!("mcp__{server}") || pattern == format!("mcp__{}", safe_name(server)),
    }
}

/// Whether a pattern may name a tool of a server.
fn reaches(pattern: &str, server: &str) -> bool {
    let names = pattern.strip_suffix('*').unwrap_or(pattern);
    let begins = |whole: &str| names.starts_with(whole);
    names_all(pattern, server) || begins(&prefix(server)) || begins(&doubled(server, ""))
}

fn doubled(server: &str, tool: &str) -> String {
    format!("mcp__{server}__{tool}")
}
