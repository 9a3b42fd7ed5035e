//! Folders that only their owner may enter.

use std::fs::DirBuilder;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A folder could not be made.
#[derive(Debug, Error)]
#[error("cannot create the folder `{}`", path.display())]
pub struct FolderError {
    /// The folder asked for.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// Makes a folder and its parents, those that are missing with mode 0700. Folders that exist stay as they are.
pub fn create_private_folder(path: &Path) -> Result<(), FolderError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    make_private(&mut builder);
    builder.create(path).map_err(|source| FolderError { path: path.to_owned(), source })
}

#[cfg(unix)]
fn make_private(builder: &mut DirBuilder) {
    use std::os::unix::fs::DirBuilderExt as _;

    builder.mode(0o700);
}

#[cfg(not(unix))]
fn make_private(_builder: &mut DirBuilder) {}
