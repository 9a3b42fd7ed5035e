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

/// An exclusive lock on a file. It ends when it is dropped, or with the process.
///
/// What is locked is the folder that the file lies in, behind all links: it is there before the file, it stays when
/// the file is replaced, nothing has to be put beside the file, and whoever edits the file, under whatever home or
/// user, locks the same. The files of one folder wait for each other, so two locks in one folder must not be held at
/// the same time. Where the system locks no folders (Windows, some network file systems) a private, empty
/// `<file>.lock` beside the file is locked instead; it is never renamed or deleted, since a lock on a file that
/// somebody replaces would protect nothing.
#[derive(Debug)]
pub struct Lock {
    target: PathBuf,
    _file: File,
}

/// Why a lock was not taken.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LockError {
    /// Somebody else held the lock for the whole time limit.
    #[error("`{}` is locked by another process (waited {} ms)", path.display(), waited.as_millis())]
    HeldByOther {
        /// The file behind all links.
        path: PathBuf,
        /// The time limit that ran out.
        waited: Duration,
    },
    /// The system cannot lock it.
    #[error("cannot lock `{}`", path.display())]
    System {
        /// The file, or the sidecar that could not be opened.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Lock {
    /// Takes the lock of the file at `path`, which need not exist (its folder must). Waits for another holder, at most
    /// for `limit`.
    pub fn acquire(path: &Path, limit: Duration) -> Result<Self, LockError> {
        let started = Instant::now();
        let failed = |path: &Path, source| LockError::System { path: path.to_owned(), source };
        let target = target(path).map_err(|source| failed(path, source))?;
        let locked = match lock_folder(&target, started, limit) {
            Err(error) if locks_no_folder(&error) => {
                let sidecar = sidecar(&target);
                let lock = |file| wait(file, started, limit);
                open_sidecar(&sidecar).and_then(lock).map_err(|source| failed(&sidecar, source))?
            }
            locked => locked.map_err(|source| failed(&target, source))?,
        };
        match locked {
            Some(file) => Ok(Self { target, _file: file }),
            None => Err(LockError::HeldByOther { path: target, waited: limit }),
        }
    }

    /// Removes the temporary files that killed writers of the file left beside it, as far as the system allows. Whoever
    /// holds the lock is the only one who writes, so they are nobody's.
    pub fn remove_leftovers(&self) {
        let Some(name) = self.target.file_name() else { return };
        let Ok(entries) = std::fs::read_dir(folder_of(&self.target)) else { return };
        for entry in entries.flatten().filter(|entry| is_leftover(&entry.file_name(), name)) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Locks an open file or folder; `None` if somebody else held it until the time was up.
fn wait(file: File, started: Instant, limit: Duration) -> io::Result<Option<File>> {
    let mut pause = Duration::from_millis(1);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) if started.elapsed() < limit => {
                std::thread::sleep(pause.min(limit.saturating_sub(started.elapsed())));
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(source)) => return Err(source),
        }
    }
}

#[cfg(unix)]
fn lock_folder(target: &Path, started: Instant, limit: Duration) -> io::Result<Option<File>> {
    wait(File::open(folder_of(target))?, started, limit)
}

/// Whether this is what the system says to everybody who locks a folder here. Any other error may come once only, and
/// a lock elsewhere would then exclude nobody.
#[cfg(unix)]
fn locks_no_folder(error: &io::Error) -> bool {
    // A file has to be open for writing on some network file systems, which a folder cannot be.
    let is_bad_file = error.raw_os_error() == Some(rustix::io::Errno::BADF.raw_os_error());
    is_bad_file || matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput)
}

#[cfg(not(unix))]
fn lock_folder(_target: &Path, _started: Instant, _limit: Duration) -> io::Result<Option<File>> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
fn locks_no_folder(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Unsupported
}

fn sidecar(target: &Path) -> PathBuf {
    let mut sidecar = OsString::from(target);
    sidecar.push(".lock");
    PathBuf::from(sidecar)
}

fn open_sidecar(sidecar: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    keep_private(&mut options);
    let file = options.open(sidecar)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("not a regular file")),
    }
}

/// Neither a link nor a pipe that somebody put there leads us elsewhere or holds us up.
#[cfg(unix)]
fn keep_private(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt as _;

    use rustix::fs::OFlags;

    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    options.mode(0o600).custom_flags(flags);
}

#[cfg(not(unix))]
fn keep_private(_options: &mut OpenOptions) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sidecar_is_private_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = sidecar(&folder.path().join("x.json"));
        let held = wait(open_sidecar(&path).unwrap(), Instant::now(), Duration::ZERO).unwrap();
        assert!(held.is_some());
        let again = wait(open_sidecar(&path).unwrap(), Instant::now(), Duration::from_millis(5)).unwrap();
        assert!(again.is_none());
        drop(held);
        assert_eq!((path.file_name().unwrap().to_str(), path.is_file()), (Some("x.json.lock"), true));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_planted_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("elsewhere", folder.path().join("x.lock")).unwrap();
        open_sidecar(&folder.path().join("x.lock")).unwrap_err();
        assert!(!folder.path().join("elsewhere").exists());
    }
}
