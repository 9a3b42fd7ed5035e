//! Edits of files that other processes edit too.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use codewhale_mcp_store::{
    FolderError, Lock, LockError, Mode, ReadError, ReplaceError, create_private_folder, read_bounded, replace,
};
use thiserror::Error;

use super::starter::EMPTY;
use super::{EditError, OnExisting, STARTER};
use crate::file::{MAX_FILE_SIZE, text};
use crate::{ParseError, Scope, Source};

/// How long another process may hold the file.
const LOCK_LIMIT: Duration = Duration::from_secs(10);

/// What an edit did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The file did not exist.
    Created,
    /// The file has changed.
    Changed,
    /// The file already was what it should be, and was not written.
    Unchanged,
}

/// Why a file was not edited. It is as it was.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EditFileError {
    /// The change is refused.
    #[error(transparent)]
    Refused(#[from] EditError),
    /// `init` does not overwrite.
    #[error("`{}` exists already", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The folder cannot be made.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Another process holds the file.
    #[error(transparent)]
    Locked(#[from] LockError),
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// It cannot be written.
    #[error(transparent)]
    Unwritable(#[from] ReplaceError),
    /// The old file cannot be kept as a backup.
    #[error("cannot find a name for a backup of `{}`", path.display())]
    NoBackup {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl From<ParseError> for EditFileError {
    fn from(error: ParseError) -> Self {
        Self::Refused(EditError::Unusable(error))
    }
}

/// Reads a file, changes its text and replaces it, under its lock and atomically. A file that does not exist is made,
/// private unless it is a project's, if the change to an empty one succeeds. A file that makes no sense is not written.
/// Blocks while another process holds the file, at most ten seconds.
pub fn edit_file(
    path: &Path,
    scope: Scope,
    change: impl Fn(&str, &Source) -> Result<String, EditError>,
) -> Result<Outcome, EditFileError> {
    let source = Source::file(path, scope);
    if !path.exists() {
        // No folder and no lock appear for a change that is refused anyway.
        change(EMPTY, &source)?;
        prepare_folder(path, scope)?;
    }
    let lock = Lock::acquire(path, LOCK_LIMIT)?;
    let bytes = match read_bounded(path, MAX_FILE_SIZE) {
        Ok(bytes) => Some(bytes),
        Err(ReadError::Missing { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    let old = match &bytes {
        Some(bytes) => text(bytes, &source)?,
        None => EMPTY,
    };
    let new = change(old, &source)?;
    if bytes.is_some() && new == old {
        return Ok(Outcome::Unchanged);
    }
    lock.remove_leftovers();
    replace(path, new.as_bytes(), new_mode(scope))?;
    Ok(match bytes {
        Some(_) => Outcome::Changed,
        None => Outcome::Created,
    })
}

/// Writes the [`STARTER`]. A file that exists is refused, or replaced with its old bytes kept beside it: then the
/// result is the backup's path.
pub fn init_file(
    path: &Path,
    scope: Scope,
    on_existing: OnExisting,
) -> Result<Option<PathBuf>, EditFileError> {
    if on_existing == OnExisting::Refuse && path.exists() {
        return Err(EditFileError::Exists { path: path.to_owned() });
    }
    prepare_folder(path, scope)?;
    let lock = Lock::acquire(path, LOCK_LIMIT)?;
    // Whatever it holds and however large it is, it is kept.
    let old = match read_bounded(path, u64::MAX) {
        Ok(bytes) => Some(bytes),
        Err(ReadError::Missing { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    lock.remove_leftovers();
    let backup = match (old, on_existing) {
        (None, _) => None,
        (Some(_), OnExisting::Refuse) => return Err(EditFileError::Exists { path: path.to_owned() }),
        (Some(bytes), OnExisting::Replace) => {
            let backup = backup_name(path)
                .map_err(|source| EditFileError::NoBackup { path: path.to_owned(), source })?;
            replace(&backup, &bytes, Mode::Private)?;
            Some(backup)
        }
    };
    replace(path, STARTER.as_bytes(), new_mode(scope))?;
    Ok(backup)
}

/// A project's file belongs to everybody who has the project; the user's may hold secrets.
fn new_mode(scope: Scope) -> Mode {
    match scope {
        Scope::Project => Mode::Shared,
        _ => Mode::Private,
    }
}

fn prepare_folder(path: &Path, scope: Scope) -> Result<(), EditFileError> {
    let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else { return Ok(()) };
    if scope != Scope::Project {
        return Ok(create_private_folder(folder)?);
    }
    std::fs::create_dir_all(folder).map_err(|source| FolderError { path: folder.to_owned(), source }.into())
}

/// The first of `mcp.json.bak`, `mcp.json.bak2`, … that is free: an older backup is not overwritten.
fn backup_name(path: &Path) -> io::Result<PathBuf> {
    let name = |number: u32| {
        let mut name = OsString::from(path);
        name.push(".bak");
        if number > 1 {
            name.push(number.to_string());
        }
        PathBuf::from(name)
    };
    let free = (1..1000).map(name).find(|candidate| candidate.symlink_metadata().is_err());
    free.ok_or_else(|| io::ErrorKind::AlreadyExists.into())
}
