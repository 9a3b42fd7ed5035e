//! A home, a workspace and servers for one test.

use std::ffi::OsString;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use codewhale_mcp_config::{McpFile, Merged, Scope, Server, Source};
use codewhale_mcp_manager::{Ladder, Manager, Setup};
use serde_json::{Value, json};
use tempfile::TempDir;

/// More time than anything here takes.
const DEADLINE: Duration = Duration::from_secs(120);

/// A home, a workspace and a manager with a short ladder.
pub(crate) struct World {
    pub(crate) folder: TempDir,
    pub(crate) manager: Manager,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::at(SystemTime::now)
    }

    pub(crate) fn at(clock: fn() -> SystemTime) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let manager = Manager::new(setup(folder.path(), clock));
        Self { folder, manager }
    }

    /// In a world that differs from the usual one.
    pub(crate) fn with(change: impl FnOnce(&mut Setup)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut setup = setup(folder.path(), SystemTime::now);
        change(&mut setup);
        Self { folder, manager: Manager::new(setup) }
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// The same home, in another run.
    pub(crate) fn again(&self) -> Manager {
        self.again_at(SystemTime::now)
    }

    /// The same home, in another run at another time.
    pub(crate) fn again_at(&self, clock: fn() -> SystemTime) -> Manager {
        Manager::new(setup(self.folder.path(), clock))
    }

    /// A file of the workspace.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.file(name)).unwrap_or_default()
    }
}

fn setup(folder: &Path, clock: fn() -> SystemTime) -> Setup {
    let environment = vec![
        (OsString::from("PATH"), OsString::from("/usr/bin:/bin")),
        (OsString::from("INHERITED"), OsString::from("from the caller")),
        (OsString::from("OVERRIDDEN"), OsString::from("from the caller")),
    ];
    let mut setup = Setup::new(environment, folder.to_owned(), folder.join("home"), clock);
    let wait = Duration::from_millis(100);
    setup.ladder = Ladder { stdin_wait: wait, term_wait: wait };
    setup
}

/// A server from the members of its definition, as it stands in a file.
pub(crate) fn server(name: &str, definition: &Value) -> Server {
    from(&Source::file(Path::new("/test/mcp.json"), Scope::User), name, definition)
}

/// A server from the members of its definition, whatever it stands in.
pub(crate) fn from(source: &Source, name: &str, definition: &Value) -> Server {
    let text = json!({"servers": {name: definition}}).to_string();
    let file = McpFile::parse(&text, source).unwrap();
    Merged::new(vec![file]).servers[0].resolve(&|_: &str| None, Path::new("/")).expect("a sound definition")
}

/// The fake server in a mode, with further members of its definition.
pub(crate) fn fake(name: &str, args: &[&str], more: Value) -> Server {
    let mut definition = json!({"command": codewhale_testkit::fake(), "args": args});
    definition.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    server(name, &definition)
}

/// Runs a test on a runtime of its own, as the command line does.
pub(crate) fn run<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { tokio::time::timeout(DEADLINE, test).await.expect("the test ends in time") })
}
