//! Replaces a file whole.

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};
use thiserror::Error;

use crate::target::{folder_of, target};

/// Who may read a file that did not exist before. A file that exists keeps its mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The owner alone (0600).
    Private,
    /// Whoever the process's umask allows (0666 less the umask).
    Shared,
}

/// Why a file was not replaced; the old content stands.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReplaceError {
    /// A folder, a pipe, a socket or a device stands where the file should.
    #[error("`{}` is not a regular file", path.display())]
    NotAFile {
        /// The file to replace.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot write `{}`", path.display())]
    System {
        /// The file to replace.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Puts `bytes` in the place of the file at `path`, or makes it. Whoever reads meanwhile, or after the process was
/// killed at any moment, finds the old file or the new one, whole.
///
/// The new content is written to a temporary file in the same folder, flushed to the disk and renamed. The file keeps
/// its mode, and its owner where the system allows; a symbolic link stays one, the file it leads to is replaced. A
/// kill may leave a temporary file behind, see [`Lock::remove_leftovers`](crate::Lock::remove_leftovers).
pub fn replace(path: &Path, bytes: &[u8], mode: Mode) -> Result<(), ReplaceError> {
    put(path, bytes, mode, Disk::WaitedFor)
}

/// The same for what can be found out again: nobody waits for the disk. Where the whole machine fails, the file may be
/// the old one, the new one, or an empty one.
pub fn replace_unsynced(path: &Path, bytes: &[u8], mode: Mode) -> Result<(), ReplaceError> {
    put(path, bytes, mode, Disk::Trusted)
}

/// Whether what was written has to be on the disk before anybody goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Disk {
    WaitedFor,
    Trusted,
}

fn put(path: &Path, bytes: &[u8], mode: Mode, disk: Disk) -> Result<(), ReplaceError> {
    let failed = |source| ReplaceError::System { path: path.to_owned(), source };
    let target = target(path).map_err(failed)?;
    let old = match std::fs::symlink_metadata(&target) {
        Ok(old) if !old.is_file() => return Err(ReplaceError::NotAFile { path: path.to_owned() }),
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(failed(error)),
    };
    let write = || -> io::Result<()> {
        let mut temporary = temporary(&target, mode)?;
        if let Some(old) = &old {
            take_over(temporary.as_file(), old)?;
        }
        temporary.write_all(bytes)?;
        if disk == Disk::WaitedFor {
            temporary.as_file().sync_all()?;
        }
        temporary.persist(&target).map_err(|error| error.error)?;
        match disk {
            Disk::WaitedFor => sync_folder(folder_of(&target)),
            Disk::Trusted => Ok(()),
        }
    };
    write().map_err(failed)
}

/// Whether `candidate` (a file name) is a temporary file that a killed [`replace`] of a file named `name` left behind.
pub fn is_leftover(candidate: &OsStr, name: &OsStr) -> bool {
    let (candidate, name) = (candidate.as_encoded_bytes(), name.as_encoded_bytes());
    let middle = candidate.strip_prefix(b".").and_then(|rest| rest.strip_prefix(name));
    middle
        .and_then(|rest| rest.strip_prefix(b".")?.strip_suffix(b".tmp"))
        .is_some_and(|random| random.len() == RANDOM_LENGTH && random.iter().all(u8::is_ascii_alphanumeric))
}

const RANDOM_LENGTH: usize = 10;

fn temporary(target: &Path, mode: Mode) -> io::Result<NamedTempFile> {
    let mut prefix = std::ffi::OsString::from(".");
    prefix.push(target.file_name().ok_or(io::ErrorKind::InvalidInput)?);
    prefix.push(".");
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(".tmp").rand_bytes(RANDOM_LENGTH);
    with_mode(&mut builder, mode);
    builder.tempfile_in(folder_of(target))
}

#[cfg(unix)]
fn with_mode(builder: &mut Builder<'_, '_>, mode: Mode) {
    use std::os::unix::fs::PermissionsExt as _;

    builder.permissions(std::fs::Permissions::from_mode(match mode {
        Mode::Private => 0o600,
        Mode::Shared => 0o666,
    }));
}

#[cfg(not(unix))]
fn with_mode(_builder: &mut Builder<'_, '_>, _mode: Mode) {}

/// Gives the new file what the old one had.
#[cfg(unix)]
fn take_over(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};

    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        // Only a privileged process may give files away; for others the new file is simply theirs.
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
    // After the owner, because giving a file away clears bits.
    file.set_permissions(old.permissions())
}

#[cfg(not(unix))]
fn take_over(file: &File, old: &Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
}

/// A rename is only on the disk when its folder is.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}
