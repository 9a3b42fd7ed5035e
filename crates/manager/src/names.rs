//! The names that tools go by: `mcp_<server>_<tool>`, safe for every model API, with an exact way back.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

/// The longest name that every model API takes, in bytes.
pub const MAX_NAME: usize = 64;

/// The helpers that stand beside the tools; no tool goes by one of these names.
pub const HELPERS: [&str; 9] = [
    "list_mcp_resources",
    "list_mcp_resource_templates",
    "mcp_read_resource",
    "read_mcp_resource",
    "list_mcp_skills",
    "mcp_load_skill",
    "mcp_get_prompt",
    "tool_search",
    "wait_for_mcp_servers",
];

/// How many characters of a hash make a name its own.
const HASH: usize = 8;

/// A tool by the names that its owner and its server gave it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolId {
    /// The server's name in the configuration.
    pub server: String,
    /// The tool's name on the wire.
    pub tool: String,
}

impl ToolId {
    /// A tool of a server.
    pub fn new(server: impl Into<String>, tool: impl Into<String>) -> Self {
        Self { server: server.into(), tool: tool.into() }
    }
}

/// Tools and the names they go by. The same set of tools gives the same names, whatever their order.
///
/// Characters outside `[A-Za-z0-9_-]` become `_`. A name that is longer than [`MAX_NAME`], that several tools would
/// have, or that belongs to one of the [`HELPERS`], is cut and ends with a hash of server and tool instead; of
/// several tools that clash, each does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalogue {
    names: BTreeMap<ToolId, String>,
    tools: BTreeMap<String, ToolId>,
}

impl Catalogue {
    /// Names every tool.
    pub fn new(tools: impl IntoIterator<Item = ToolId>) -> Self {
        let tools: BTreeSet<ToolId> = tools.into_iter().collect();
        let mut wanted: BTreeMap<String, usize> = BTreeMap::new();
        for tool in &tools {
            *wanted.entry(plain(tool)).or_default() += 1;
        }
        let mut catalogue = Self::default();
        for tool in tools {
            let plain = plain(&tool);
            let own = wanted[&plain] == 1 && plain.len() <= MAX_NAME && !HELPERS.contains(&plain.as_str());
            let mut name = if own { plain.clone() } else { hashed(&tool, &plain, 0) };
            // A tool may be called what another one's hash happens to make; plain names stay with their owners.
            let mut round = 1;
            while catalogue.tools.contains_key(&name) || (!own && wanted.contains_key(&name)) {
                name = hashed(&tool, &plain, round);
                round += 1;
            }
            catalogue.names.insert(tool.clone(), name.clone());
            catalogue.tools.insert(name, tool);
        }
        catalogue
    }

    /// The name that a tool goes by.
    #[must_use]
    pub fn name_of(&self, tool: &ToolId) -> Option<&str> {
        self.names.get(tool).map(String::as_str)
    }

    /// The tool that goes by a name.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&ToolId> {
        self.tools.get(name)
    }

    /// Every name and its tool, ordered by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ToolId)> {
        self.tools.iter().map(|(name, tool)| (name.as_str(), tool))
    }
}

/// A name with `_` in the place of what no model API takes.
pub(crate) fn safe_name(text: &str) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    text.chars().map(keep).collect()
}

fn plain(tool: &ToolId) -> String {
    format!("mcp_{}_{}", safe_name(&tool.server), safe_name(&tool.tool))
}

fn hashed(tool: &ToolId, plain: &str, round: u32) -> String {
    let mut hash = Sha256::new();
    for part in [tool.server.as_bytes(), tool.tool.as_bytes(), &round.to_be_bytes()] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let hex: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let kept = plain.len().min(MAX_NAME - HASH - 1);
    format!("{}_{}", &plain[..kept], &hex[..HASH])
}
