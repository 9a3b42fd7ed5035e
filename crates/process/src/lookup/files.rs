//! The view of a file system that a look-up needs.

use std::path::Path;

/// Tells what stands at a path.
pub trait Files {
    /// What stands at `path`, links followed.
    fn kind(&self, path: &Path) -> Kind;
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing that can be seen.
    Missing,
    /// A directory.
    Directory,
    /// A file that this user may not execute, or may not even look at.
    NotExecutable,
    /// A file that this user may execute.
    Executable,
}

/// The file system of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealFiles;

impl Files for RealFiles {
    fn kind(&self, path: &Path) -> Kind {
        match std::fs::metadata(path) {
            Ok(found) if found.is_dir() => Kind::Directory,
            Ok(_) if executable(path) => Kind::Executable,
            Ok(_) => Kind::NotExecutable,
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Kind::NotExecutable,
            Err(_) => Kind::Missing,
        }
    }
}

#[cfg(unix)]
fn executable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// Elsewhere the name alone decides, and the candidates already carry it.
#[cfg(not(unix))]
fn executable(_path: &Path) -> bool {
    true
}
