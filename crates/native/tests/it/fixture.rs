//! A workspace in a folder of its own, with something beside it that must not be seen.

use std::fs;
use std::path::{Path, PathBuf};

use codewhale_native::{Keep, Workspace};
use tempfile::TempDir;

/// What stands in the file outside.
pub(crate) const SECRET: &str = "a secret outside";

/// `base/work` is the workspace, `base/outside/secret` the file beside it.
pub(crate) struct Fixture {
    base: TempDir,
    pub(crate) workspace: Workspace,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        Self::keeping(|_| Keep::default())
    }

    /// As [`new`](Self::new), with what is not served, below the workspace's path.
    pub(crate) fn keeping(keep: impl FnOnce(&Path) -> Keep) -> Self {
        let base = tempfile::tempdir().expect("a folder for the test");
        let work = base.path().join("work");
        fs::create_dir(&work).expect("in an empty folder");
        fs::create_dir(base.path().join("outside")).expect("in an empty folder");
        fs::write(base.path().join("outside/secret"), SECRET).expect("in an empty folder");
        let workspace = Workspace::open(&work, &keep(&work)).expect("a folder that is there");
        Self { base, workspace }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.base.path().join("work")
    }

    pub(crate) fn outside(&self) -> PathBuf {
        self.base.path().join("outside")
    }

    /// Writes a file of the workspace, with the folders above it.
    pub(crate) fn file(&self, path: &str, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("below the workspace")).expect("folders can be made");
        fs::write(path, bytes).expect("a file can be written");
        self
    }

    #[cfg(unix)]
    pub(crate) fn link(&self, path: &str, target: impl AsRef<Path>) -> &Self {
        std::os::unix::fs::symlink(target, self.root().join(path)).expect("a link can be made");
        self
    }

    pub(crate) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).expect("a file of the test")
    }

    /// The names in a folder of the workspace.
    pub(crate) fn names(&self, path: &str) -> Vec<String> {
        let entries = fs::read_dir(self.root().join(path)).expect("a folder of the test");
        let names = entries.map(|entry| entry.expect("it is there").file_name());
        let mut names: Vec<_> = names.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}
