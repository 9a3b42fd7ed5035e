//! The folder that is served, and what of it is not.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::place::{Directory, Place};
use super::really::really;
use super::refused::Refused;
use super::resolve::{Found, Resolver};

/// What of a workspace is not served, as paths of the system.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keep {
    /// Neither read nor written, with everything below.
    pub away: Vec<PathBuf>,
    /// Read, not written.
    pub unwritten: Vec<PathBuf>,
}

/// The folder that is served. Everything that the tools do with files goes through here.
pub struct Workspace {
    pub(super) dir: Dir,
    /// The path that was named, and where that really is; the first is how it is shown.
    pub(super) named: PathBuf,
    pub(super) real: PathBuf,
    /// Relative to the workspace.
    pub(super) away: Vec<PathBuf>,
    pub(super) unwritten: Vec<PathBuf>,
    writing: Mutex<()>,
}

/// Components that nothing is written below, wherever they are: hooks and settings there are run and obeyed.
const PROTECTED: [&str; 2] = [".git", ".codewhale"];

impl Workspace {
    /// Opens the folder at an absolute path.
    ///
    /// # Errors
    /// When it cannot be opened, when it is the root of the system, or when it lies below one that is kept away.
    pub fn open(path: &Path, keep: &Keep) -> io::Result<Self> {
        let real = path.canonicalize()?;
        if real.parent().is_none() {
            let text = "it is the root of the system; serve a folder below it";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        let below = |path: &PathBuf| really(path).strip_prefix(&real).map(Path::to_path_buf).ok();
        if keep.away.iter().any(|away| real.starts_with(really(away))) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it belongs to codewhale itself"));
        }
        Ok(Self {
            dir: Dir::open_ambient_dir(&real, ambient_authority())?,
            away: keep.away.iter().filter_map(below).collect(),
            unwritten: keep.unwritten.iter().filter_map(below).collect(),
            named: path.to_path_buf(),
            real,
            writing: Mutex::new(()),
        })
    }

    /// Where the folder really is.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.real
    }

    /// The workspace itself.
    pub(crate) fn top(&self) -> io::Result<Dir> {
        self.dir.try_clone()
    }

    /// What is at a path, or where it would be.
    pub(crate) fn find(&self, path: &str) -> Result<Found, Refused> {
        Resolver::new(self, path)?.run()
    }

    /// The directory at a path.
    pub(crate) fn directory(&self, path: &str) -> Result<Directory, Refused> {
        match self.find(path)? {
            Found::Directory(directory) => Ok(directory),
            Found::Place(place) => Err(match place.kind {
                Some(kind) => Refused::NotDirectory { path: path.to_owned(), is: kind.named() },
                None => Refused::NotFound { path: path.to_owned() },
            }),
        }
    }

    /// The place of a file, there or not.
    pub(crate) fn place(&self, path: &str) -> Result<Place, Refused> {
        match self.find(path)? {
            Found::Place(place) => Ok(place),
            Found::Directory(_) => Err(Refused::NotFile { path: path.to_owned(), is: "a directory" }),
        }
    }

    /// Whether what is at `real`, relative to the workspace, is kept away from the tools.
    pub(crate) fn is_away(&self, real: &Path) -> bool {
        self.away.iter().any(|away| begins_with(real, away))
    }

    /// Whether nothing may be written at `real`.
    pub(crate) fn is_protected(&self, real: &Path) -> bool {
        let protected =
            |name: &std::ffi::OsStr| PROTECTED.iter().any(|other| name.eq_ignore_ascii_case(other));
        real.iter().any(protected) || self.unwritten.iter().any(|path| begins_with(real, path))
    }

    /// One thing is written at a time, so that of two edits none is lost.
    pub(crate) fn writing(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspace").field("root", &self.real).finish_non_exhaustive()
    }
}

/// As `Path::starts_with`, in a system that may not tell upper from lower case.
fn begins_with(path: &Path, beginning: &Path) -> bool {
    let mut names = path.iter();
    beginning.iter().all(|name| names.next().is_some_and(|other| other.eq_ignore_ascii_case(name)))
}
