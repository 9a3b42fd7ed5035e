//! One trial: temporary folders, a bare environment, a marker of its own.

use crate::run::{Run, run};
use crate::survivors::{MARKER, end_survivors};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

/// Everything a run of the binary can see; it heeds signals, also where the tests themselves do not. What is left of its processes ends when this is dropped.
#[derive(Debug)]
pub struct TestEnvironment {
    root: TempDir,
    marker: String,
    variables: BTreeMap<String, String>,
}

impl Default for TestEnvironment {
    fn default() -> Self {
        TestEnvironment::new()
    }
}

impl TestEnvironment {
    /// Fresh folders for home, configuration, workspace and temporary files, and an environment of `PATH`, `HOME`,
    /// `CODEWHALE_HOME`, `TMPDIR` and the marker.
    ///
    /// # Panics
    ///
    /// When no temporary folder can be made.
    #[must_use]
    pub fn new() -> TestEnvironment {
        #[cfg(unix)]
        crate::heeded::heed_signals();
        let root = tempfile::tempdir().expect("a temporary folder can be made");
        let marker = unique();
        let environment = TestEnvironment { root, marker, variables: BTreeMap::new() };
        let temp = environment.root().join("temp");
        for folder in
            [environment.home(), environment.codewhale_home(), environment.workspace(), temp.clone()]
        {
            std::fs::create_dir_all(&folder).expect("a folder in a new folder can be made");
        }
        let text = |path: PathBuf| path.to_str().expect("temporary paths are plain").to_owned();
        let (home, codewhale_home) = (text(environment.home()), text(environment.codewhale_home()));
        let temp = text(temp);
        let marker = environment.marker.clone();
        let kept = KEPT.iter().filter_map(|name| Some((*name, inherited(name)?)));
        kept.fold(environment, |environment, (name, value)| environment.with(name, &value))
            .with("HOME", &home)
            .with("USERPROFILE", &home)
            .with("CODEWHALE_HOME", &codewhale_home)
            .with("TMPDIR", &temp)
            .with("TEMP", &temp)
            .with("TMP", &temp)
            .with(MARKER, &marker)
    }

    /// The same with one more variable.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> TestEnvironment {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    /// The same without a variable.
    #[must_use]
    pub fn without(mut self, name: &str) -> TestEnvironment {
        self.variables.remove(name);
        self
    }

    /// The folder that holds all others.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// `HOME`.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    /// `CODEWHALE_HOME`.
    #[must_use]
    pub fn codewhale_home(&self) -> PathBuf {
        self.home().join(".codewhale")
    }

    /// The working directory of each run.
    #[must_use]
    pub fn workspace(&self) -> PathBuf {
        self.root().join("workspace")
    }

    /// The value by which processes of this trial are known; see [`crate::survivors()`].
    #[must_use]
    pub fn marker(&self) -> &str {
        &self.marker
    }

    /// Writes a file below the root, with the folders it needs, and gives its path.
    ///
    /// # Panics
    ///
    /// When it cannot be written.
    pub fn write(&self, path: &str, contents: &str) -> PathBuf {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().expect("a path below the root has a parent"))
            .expect("a folder of the trial can be made");
        std::fs::write(&path, contents).expect("a file of the trial can be written");
        path
    }

    /// A command that sees this trial and nothing else, yet to be started.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "trials start the binary under test")]
    pub fn command(&self, program: &Path, arguments: impl IntoIterator<Item: AsRef<OsStr>>) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).env_clear().envs(&self.variables).current_dir(self.workspace());
        command
    }

    /// Runs the prebuilt `codewhale` with an empty stdin.
    ///
    /// # Panics
    ///
    /// When the binary is not there, or does not end in time.
    pub fn codewhale(&self, arguments: impl IntoIterator<Item: AsRef<OsStr>>) -> Run {
        self.codewhale_with(arguments, "")
    }

    /// As [`TestEnvironment::codewhale`], with something on its stdin.
    ///
    /// # Panics
    ///
    /// As there.
    pub fn codewhale_with(&self, arguments: impl IntoIterator<Item: AsRef<OsStr>>, stdin: &str) -> Run {
        run(self.command(&codewhale_testkit::binary("codewhale"), arguments), stdin)
    }

    /// The command line of the fake server in `mode`, with flags.
    ///
    /// # Panics
    ///
    /// When the binary is not there.
    #[must_use]
    pub fn fake(&self, mode: &str) -> Vec<String> {
        let path = codewhale_testkit::fake().to_str().expect("the target folder is plain").to_owned();
        std::iter::once(path).chain(mode.split_whitespace().map(str::to_owned)).collect()
    }
}

impl Drop for TestEnvironment {
    fn drop(&mut self) {
        end_survivors(&self.marker);
    }
}

/// Without these neither system finds a program to start.
const KEPT: [&str; 3] = ["PATH", "SystemRoot", "PATHEXT"];

#[expect(clippy::disallowed_methods, reason = "a trial starts from the variables a system cannot do without")]
fn inherited(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn unique() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    format!("{}-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed), time.as_nanos())
}
