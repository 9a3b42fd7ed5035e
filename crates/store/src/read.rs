//! Reads with a limit.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file was not read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// There is no such file.
    #[error("`{}` does not exist", path.display())]
    Missing {
        /// The file asked for.
        path: PathBuf,
    },
    /// A folder, a pipe, a socket or a device stands there.
    #[error("`{}` is not a regular file", path.display())]
    NotAFile {
        /// The file asked for.
        path: PathBuf,
    },
    /// The file is larger than the caller allows.
    #[error("`{}` is larger than {limit} bytes", path.display())]
    TooLarge {
        /// The file asked for.
        path: PathBuf,
        /// The limit in bytes.
        limit: u64,
    },
    /// The system refused.
    #[error("cannot read `{}`", path.display())]
    System {
        /// The file asked for.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Reads a regular file of at most `limit` bytes. Symbolic links are followed; anything that is not a regular file is
/// refused without blocking on it.
pub fn read_bounded(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let path = || path.to_owned();
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => ReadError::Missing { path: path() },
        _ => ReadError::System { path: path(), source },
    };
    let file = open(&path()).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Err(ReadError::NotAFile { path: path() });
    }
    if metadata.len() > limit {
        return Err(ReadError::TooLarge { path: path(), limit });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    // The file may grow meanwhile.
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    match u64::try_from(bytes.len()) {
        Ok(length) if length <= limit => Ok(bytes),
        _ => Err(ReadError::TooLarge { path: path(), limit }),
    }
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;

    use rustix::fs::OFlags;

    // Without it, opening a pipe waits for a writer.
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).open(path)
}
