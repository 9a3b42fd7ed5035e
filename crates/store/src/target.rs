//! The file that a path means in the end, behind symbolic links.

use std::io;
use std::path::{Path, PathBuf};

/// As many links as Linux follows.
const MAX_LINKS: usize = 40;

/// Follows symbolic links of the last component, also when the file they lead to does not exist yet, so that a link
/// into a folder of dotfiles stays a link when its file is replaced. The folder itself is resolved too: every way to
/// write a path gives the same answer.
pub(crate) fn target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match std::fs::read_link(&path) {
            Ok(link) => path = folder_of(&path).join(link),
            // Not a link, or nothing there.
            Err(_) => {
                let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
                return Ok(folder_of(&path).canonicalize()?.join(name));
            }
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// The folder a file stands in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
