//! What `.gitignore` and its like leave out.

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;

use cap_std::fs::Dir;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::workspace::{Kind, Place};

/// Files that say what is ignored; the later one wins.
const FILES: [&str; 2] = [".gitignore", ".ignore"];
/// The most bytes of such a file.
const LONGEST: u64 = 1 << 20;

/// What is ignored, directory by directory from the workspace down to where we are.
///
/// Files above the workspace and the user's own settings of git are not looked at.
#[derive(Default)]
pub(super) struct Ignored {
    levels: Vec<Gitignore>,
}

impl Ignored {
    /// Goes down into a directory.
    pub(super) fn enter(&mut self, dir: &Dir) {
        let mut builder = GitignoreBuilder::new(".");
        for name in FILES {
            for line in text(dir, name).lines() {
                // A line that makes no sense leaves nothing out.
                let _ = builder.add_line(None, line);
            }
        }
        self.levels.push(builder.build().unwrap_or_else(|_| Gitignore::empty()));
    }

    /// Comes back out of it.
    pub(super) fn leave(&mut self) {
        self.levels.pop();
    }

    /// Whether an entry of the directory where we are is ignored. `path` is that of the entry from the directory of the
    /// first level on.
    pub(super) fn covers(&self, path: &Path, kind: Kind) -> bool {
        if path.file_name() == Some(OsStr::new(".git")) {
            return true;
        }
        let names: Vec<&OsStr> = path.iter().collect();
        let is_dir = kind == Kind::Directory;
        // The nearest file that says something decides.
        for (depth, level) in self.levels.iter().enumerate().rev() {
            if level.is_empty() {
                continue;
            }
            let below: std::path::PathBuf = names[depth.min(names.len())..].iter().collect();
            match level.matched(below, is_dir) {
                Match::None => {}
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
            }
        }
        false
    }
}

/// The text of a file, or nothing where there is none that can be read.
fn text(dir: &Dir, name: &str) -> String {
    let Ok(found) = dir.symlink_metadata(name) else { return String::new() };
    let Ok(dir) = dir.try_clone() else { return String::new() };
    let place = Place { dir, name: name.into(), path: name.into(), kind: Some(Kind::of(&found.file_type())) };
    let mut bytes = Vec::new();
    match place.open(name).map(|file| file.take(LONGEST).read_to_end(&mut bytes)) {
        Ok(Ok(_)) => String::from_utf8_lossy(&bytes).into_owned(),
        _ => String::new(),
    }
}
