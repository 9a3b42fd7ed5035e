//! A place in the workspace, and opening what is there.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, FileType, OpenOptions};

use super::Refused;

/// What stands in a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Directory,
    Link,
    Other(&'static str),
}

impl Kind {
    pub(crate) fn of(found: &FileType) -> Self {
        if found.is_symlink() {
            Self::Link
        } else if found.is_dir() {
            Self::Directory
        } else if found.is_file() {
            Self::File
        } else {
            Self::Other(special(found))
        }
    }

    /// With an article.
    pub(crate) fn named(self) -> &'static str {
        match self {
            Self::File => "a file",
            Self::Directory => "a directory",
            Self::Link => "a link",
            Self::Other(name) => name,
        }
    }
}

#[cfg(unix)]
fn special(found: &FileType) -> &'static str {
    use cap_std::fs::FileTypeExt;
    if found.is_fifo() {
        "a FIFO"
    } else if found.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn special(_: &FileType) -> &'static str {
    "neither a file nor a directory"
}

/// A directory, and where it is.
pub(crate) struct Directory {
    pub(crate) dir: Dir,
    /// Relative to the workspace, without links.
    pub(crate) path: PathBuf,
}

/// A name in an opened directory.
pub(crate) struct Place {
    pub(crate) dir: Dir,
    pub(crate) name: OsString,
    /// Relative to the workspace, without links.
    pub(crate) path: PathBuf,
    /// What was there when it was looked at.
    pub(crate) kind: Option<Kind>,
}

impl Place {
    /// Opens the regular file that is there. `asked` is the path for messages.
    pub(crate) fn open(&self, asked: &str) -> Result<File, Refused> {
        let path = asked.to_owned();
        match self.kind {
            Some(Kind::File) => {}
            Some(kind) => return Err(Refused::NotFile { path, is: kind.named() }),
            None => return Err(Refused::NotFound { path }),
        }
        let system = |error| Refused::system(asked, error);
        let mut options = OpenOptions::new();
        // What was a file a moment ago may be a FIFO now, which would be waited for.
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        let file = self.dir.open_with(&self.name, &options).map_err(system)?;
        let found = file.metadata().map_err(system)?;
        if !found.is_file() {
            return Err(Refused::NotFile { path, is: Kind::of(&found.file_type()).named() });
        }
        let file = file.into_std();
        if of_the_system(&file).map_err(system)? {
            return Err(Refused::NotFile { path, is: "a view of the running system" });
        }
        Ok(file)
    }
}

/// Whether a file is no file, but what the kernel says about processes and devices.
#[cfg(target_os = "linux")]
fn of_the_system(file: &File) -> io::Result<bool> {
    const PROC: u64 = 0x9fa0;
    const SYS: u64 = 0x6265_6572;
    let kind = rustix::fs::fstatfs(file)?.f_type;
    Ok(u64::try_from(kind).is_ok_and(|kind| kind == PROC || kind == SYS))
}

#[cfg(not(target_os = "linux"))]
fn of_the_system(_: &File) -> io::Result<bool> {
    Ok(false)
}

/// A path of the workspace as tools show it: with `/`, and `.` for the workspace itself. Names that are not UTF-8 are
/// shown with replacements, and cannot be asked for.
pub(crate) fn shown(path: &Path) -> String {
    if path.as_os_str().is_empty() {
        return ".".to_owned();
    }
    let names: Vec<_> = path.iter().map(|name| name.to_string_lossy()).collect();
    names.join("/")
}
