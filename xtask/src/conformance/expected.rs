//! What is expected beside a pass of every scenario: `tests/conformance/expected.toml`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::scenarios::Role;

/// `expected.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    client: Expected,
    server: Expected,
}

/// What is expected of one end.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expected {
    /// Scenarios that are passed by giving up.
    #[serde(default)]
    pub(crate) may_end_with_an_error: BTreeSet<String>,
    /// Scenarios in which the suite itself skips every check.
    #[serde(default)]
    pub(crate) only_skipped: BTreeSet<String>,
    #[serde(default)]
    pub(crate) not_yet: Vec<NotYet>,
}

/// Scenarios that cannot be passed yet, for one reason.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NotYet {
    /// What they need that is not there.
    pub(crate) needs: String,
    pub(crate) scenarios: BTreeSet<String>,
}

impl Expected {
    pub(crate) fn read(file: &Path, role: Role) -> Result<Self, String> {
        let cannot = |why: String| format!("cannot read {}: {why}", file.display());
        let text = fs::read_to_string(file).map_err(|error| cannot(error.to_string()))?;
        let file: File = toml::from_str(&text).map_err(|error| cannot(error.to_string()))?;
        Ok(match role {
            Role::Client => file.client,
            Role::Server => file.server,
        })
    }

    /// Fails if it names a scenario that the suite does not have.
    pub(crate) fn fits(&self, known: &[String]) -> Result<(), String> {
        let named = self.not_yet.iter().flat_map(|not_yet| &not_yet.scenarios);
        let named = named.chain(&self.may_end_with_an_error).chain(&self.only_skipped);
        match named.clone().find(|name| !known.contains(name)) {
            Some(name) => Err(format!("expected.toml: there is no scenario `{name}`")),
            None => Ok(()),
        }
    }

    /// What a scenario needs that is not there yet.
    pub(crate) fn lacks(&self, scenario: &str) -> Option<&str> {
        let lacking = self.not_yet.iter().find(|not_yet| not_yet.scenarios.contains(scenario));
        lacking.map(|not_yet| not_yet.needs.as_str())
    }
}
