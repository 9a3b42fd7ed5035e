//! One look-up: the question, the answer, and the loop over the candidates.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::{Files, Kind, unix, windows};

/// What is looked up, and where.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    /// The program as it was asked for.
    pub program: &'a OsStr,
    /// The value of `PATH` in the child's environment.
    pub path: Option<&'a OsStr>,
    /// The child's working directory, from which relative paths count.
    pub cwd: Option<&'a Path>,
    /// Whose rules hold.
    pub rules: Rules<'a>,
}

/// The rules of a system.
#[derive(Debug, Clone, Copy)]
pub enum Rules<'a> {
    /// `execvp`: the name as it is, in each directory of `PATH` (`/bin:/usr/bin` if that is unset).
    Unix,
    /// The name with each extension of `PATHEXT`, in each directory of `PATH`; never in the working directory
    /// unless `PATH` names it.
    ///
    /// What is found may be a batch file (`npx.cmd`): the standard library runs it through `cmd.exe`, escapes
    /// the arguments for it, and refuses those that cannot be escaped (a line break, for one).
    Windows {
        /// The value of `PATHEXT` in the child's environment.
        pathext: Option<&'a OsStr>,
    },
}

/// Why nothing was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Miss {
    /// No such file.
    NotFound {
        /// The `PATH` that was searched; `None` if the program was given as a path.
        path: Option<OsString>,
        /// Every file that was looked for, in order.
        tried: Vec<PathBuf>,
    },
    /// The path names a directory.
    Directory(PathBuf),
    /// A file is there, but may not be executed.
    NotExecutable(PathBuf),
}

/// Where a program might be.
pub(super) struct Candidates {
    /// The `PATH` they come from; `None` if the program was given as a path.
    pub(super) path: Option<OsString>,
    /// The files, best first.
    pub(super) files: Vec<PathBuf>,
}

/// Finds the file that a program's name stands for.
///
/// # Errors
/// [`Miss`] tells a missing file from a directory and from one that may not be executed. On `PATH` those two
/// are passed over, and only a file that may not be executed is remembered, as `execvp` does.
pub fn find(search: &Search<'_>, files: &impl Files) -> Result<PathBuf, Miss> {
    let candidates = match search.rules {
        Rules::Unix => unix::candidates(search),
        Rules::Windows { pathext } => windows::candidates(search, pathext),
    };
    let mut blocked = None;
    for file in &candidates.files {
        match files.kind(file) {
            Kind::Executable => return Ok(file.clone()),
            Kind::NotExecutable => {
                blocked.get_or_insert_with(|| Miss::NotExecutable(file.clone()));
            }
            Kind::Directory if candidates.path.is_none() => {
                blocked.get_or_insert_with(|| Miss::Directory(file.clone()));
            }
            Kind::Directory | Kind::Missing => {}
        }
    }
    Err(blocked.unwrap_or(Miss::NotFound { path: candidates.path, tried: candidates.files }))
}
