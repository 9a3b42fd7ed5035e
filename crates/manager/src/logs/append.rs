//! Puts lines into a log's file, and keeps it small.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use codewhale_mcp_store::{Lock, create_private_folder};

/// The most bytes of a log; then it becomes the old one, whose content is lost.
const CAP: u64 = 1 << 20;
/// How long another process that puts the log aside is waited for.
const PATIENCE: Duration = Duration::from_millis(200);

/// Appends whole lines in one write.
pub(super) fn append(path: &Path, lines: &[u8]) -> io::Result<()> {
    let mut file = match open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            create_private_folder(path.parent().unwrap_or(path)).map_err(|error| error.source)?;
            open(path)?
        }
        opened => opened?,
    };
    if overfull(&file, lines)? {
        drop(file);
        rotate(path, lines)?;
        file = open(path)?;
    }
    file.write_all(lines)
}

/// The one old file beside a log.
pub(super) fn old(path: &Path) -> PathBuf {
    let mut old = OsString::from(path);
    old.push(".1");
    PathBuf::from(old)
}

fn rotate(path: &Path, lines: &[u8]) -> io::Result<()> {
    // Who holds the lock puts the log aside for us.
    let Ok(_lock) = Lock::acquire(path, PATIENCE) else { return Ok(()) };
    match open(path) {
        Ok(file) if overfull(&file, lines)? => std::fs::rename(path, old(path)),
        opened => opened.map(drop),
    }
}

fn overfull(file: &File, lines: &[u8]) -> io::Result<bool> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    Ok(metadata.len() > 0 && metadata.len() + lines.len() as u64 > CAP)
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;

    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).open(path)
}
