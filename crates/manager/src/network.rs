//! The network that servers with a URL are reached over.

use std::sync::Arc;

use codewhale_mcp_config::{Located, Network as NetworkSettings, Problem};
use codewhale_mcp_net::HostLists;
use codewhale_mcp_net::client::Parts;

/// Where requests may go, and what they are made with. The proxies are those of the environment.
#[derive(Debug, Clone, Default)]
pub struct Network {
    /// Hosts that may be reached, and those that may not.
    pub lists: Arc<HostLists>,
    /// How names are looked up, connections made, and whose certificates are trusted.
    pub parts: Parts,
}

/// The lists of hosts in the settings.
///
/// # Errors
/// Every entry that is none: half of a policy is none.
pub fn host_lists(settings: &NetworkSettings) -> Result<HostLists, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut list = |key: &str, entries: &[Located<String>]| {
        let mut patterns = Vec::with_capacity(entries.len());
        for entry in entries {
            match entry.value.parse() {
                Ok(pattern) => patterns.push(pattern),
                Err(_) => problems.push(Problem::BadValue {
                    place: entry.place.clone(),
                    key: key.to_owned(),
                    expected: "a host, `*.suffix`, an address or a block of addresses such as 10.0.0.0/8",
                }),
            }
        }
        patterns
    };
    let allow = list("network.allow", &settings.allow);
    let deny = list("network.deny", &settings.deny);
    if problems.is_empty() { Ok(HostLists { allow, deny }) } else { Err(problems) }
}
