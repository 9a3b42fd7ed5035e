//! One writer at a time, across processes.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::replace::is_leftover;
use crate::target::{folder_of, target};

/// The longest pause between two tries. A holder keeps a lock for milliseconds.
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// An exclusive lock on `<path>.lock`, beside the file that `path` leads to. It ends when it is dropped, or with the
/// process.
///
/// The sidecar is private (0600), empty, and never renamed or deleted: a lock on a file that somebody else replaces
/// would protect nothing.
#[derive(Debug)]
pub struct Lock {
    sidecar: PathBuf,
    _file: File,
}

/// Why a lock was not taken.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LockError {
    /// Somebody else held the lock for the whole time limit.
    #[error("`{}` is locked by another process (waited {} ms)", sidecar.display(), waited.as_millis())]
    HeldByOther {
        /// The lock's own file.
        sidecar: PathBuf,
        /// The time limit that ran out.
        waited: Duration,
    },
    /// The sidecar cannot be opened or locked.
    #[error("cannot lock `{}`", sidecar.display())]
    Sidecar {
        /// The lock's own file.
        sidecar: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Lock {
    /// Takes the lock of the file at `path`, which need not exist (its folder must). Waits for another holder, at most
    /// for `limit`.
    pub fn acquire(path: &Path, limit: Duration) -> Result<Self, LockError> {
        let started = Instant::now();
        let (sidecar, file) = open(path)?;
        let mut pause = Duration::from_millis(1);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { sidecar, _file: file }),
                Err(TryLockError::WouldBlock) if started.elapsed() < limit => {
                    std::thread::sleep(pause.min(limit.saturating_sub(started.elapsed())));
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(LockError::HeldByOther { sidecar, waited: limit });
                }
                Err(TryLockError::Error(source)) => return Err(LockError::Sidecar { sidecar, source }),
            }
        }
    }

    /// The lock's own file.
    pub fn sidecar(&self) -> &Path {
        &self.sidecar
    }

    /// Removes the temporary files that killed writers of the file left beside it, as far as the system allows. Whoever
    /// holds the lock is the only one who writes, so they are nobody's.
    pub fn remove_leftovers(&self) {
        let Some(name) = self.sidecar.file_stem() else { return };
        let Ok(entries) = std::fs::read_dir(folder_of(&self.sidecar)) else { return };
        for entry in entries.flatten().filter(|entry| is_leftover(&entry.file_name(), name)) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn open(path: &Path) -> Result<(PathBuf, File), LockError> {
    let with_suffix = |path: &Path| {
        let mut sidecar = OsString::from(path);
        sidecar.push(".lock");
        PathBuf::from(sidecar)
    };
    let sidecar = match target(path) {
        Ok(target) => with_suffix(&target),
        Err(source) => return Err(LockError::Sidecar { sidecar: with_suffix(path), source }),
    };
    let opened = open_sidecar(&sidecar).and_then(|file| match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("not a regular file")),
    });
    match opened {
        Ok(file) => Ok((sidecar, file)),
        Err(source) => Err(LockError::Sidecar { sidecar, source }),
    }
}

#[cfg(unix)]
fn open_sidecar(sidecar: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;

    use rustix::fs::OFlags;

    // Neither a link nor a pipe that somebody put there leads us elsewhere or holds us up.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(flags)
        .open(sidecar)
}

#[cfg(not(unix))]
fn open_sidecar(sidecar: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(sidecar)
}
