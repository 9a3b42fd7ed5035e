//! The names that tools go by: `mcp_<server>_<tool>`, safe for every model API, with an exact way back.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

/// The longest name that every model API takes.
const LONGEST: usize = 64;
/// How many characters of a hash make a name its own.
const HASH: usize = 8;
/// Names of helpers that stand beside the tools.
const TAKEN: &[&str] = &[
    "list_mcp_resources",
    "list_mcp_resource_templates",
    "mcp_read_resource",
    "read_mcp_resource",
    "mcp_get_prompt",
    "tool_search",
    "wait_for_mcp_servers",
];

/// A tool by the names that its owner and its server gave it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolId {
    /// The server's name in the configuration.
    pub server: String,
    /// The tool's name on the wire.
    pub tool: String,
}

/// Tools and the names they go by. The same set of tools gives the same names, whatever their order.
#[derive(Debug, Clone, Default)]
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
            let clash = wanted[&plain] > 1 || TAKEN.contains(&plain.as_str());
            let mut name =
                if plain.len() > LONGEST || clash { hashed(&tool, &plain, 0) } else { plain.clone() };
            let mut round = 1;
            while catalogue.tools.contains_key(&name) || (name != plain && wanted.contains_key(&name)) {
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
}

fn plain(tool: &ToolId) -> String {
    let safe = |text: &str| -> String {
        let keep = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
        text.chars().map(keep).collect()
    };
    format!("mcp_{}_{}", safe(&tool.server), safe(&tool.tool))
}

fn hashed(tool: &ToolId, plain: &str, round: u32) -> String {
    let mut hash = Sha256::new();
    for part in [tool.server.as_bytes(), tool.tool.as_bytes(), &round.to_be_bytes()] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let hex: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let kept = plain.len().min(LONGEST - HASH - 1);
    format!("{}_{}", &plain[..kept], &hex[..HASH])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn id(server: &str, tool: &str) -> ToolId {
        ToolId { server: server.into(), tool: tool.into() }
    }

    #[test]
    fn plain_names_stay_and_odd_ones_become_safe() {
        let tools =
            [id("git", "status"), id("Internet Search (X)", "查询 all"), id("my__server", "do__thing")];
        let catalogue = Catalogue::new(tools.clone());
        assert_eq!(catalogue.name_of(&tools[0]), Some("mcp_git_status"));
        assert_eq!(catalogue.name_of(&tools[1]), Some("mcp_Internet_Search__X_____all"));
        assert_eq!(catalogue.tool("mcp_my__server_do__thing"), Some(&tools[2]));
    }

    #[test]
    fn clashes_and_helpers_names_get_a_hash() {
        let tools = [id("a", "b_c"), id("a_b", "c"), id("read", "resource"), id("get", "prompt")];
        let catalogue = Catalogue::new(tools.clone());
        let names: BTreeSet<_> = tools.iter().map(|tool| catalogue.name_of(tool).unwrap()).collect();
        assert_eq!(names.len(), 4);
        assert!(
            names.iter().all(|name| !["mcp_a_b_c", "mcp_read_resource", "mcp_get_prompt"].contains(name)),
            "{names:?}"
        );
    }

    proptest! {
        #[test]
        fn every_set_of_tools_has_distinct_safe_names_in_any_order(
            tools in prop::collection::vec(("[ab_. \u{4e00}]{1,40}", "[ab_. ]{1,40}"), 1..20)
        ) {
            let tools: Vec<_> = tools.iter().map(|(server, tool)| id(server, tool)).collect();
            let catalogue = Catalogue::new(tools.clone());
            let reversed = Catalogue::new(tools.iter().rev().cloned());
            for tool in &tools {
                let name = catalogue.name_of(tool).unwrap();
                prop_assert_eq!(catalogue.tool(name), Some(tool));
                prop_assert_eq!(reversed.name_of(tool), Some(name));
                prop_assert!(name.len() <= 64 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'));
            }
        }
    }
}
