//! A result that is too long for the model goes to a file, and the model gets its beginning.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::wire::uuid;

/// The most bytes of a result that the model is given.
pub(super) const MOST: usize = 100_000;

/// The most bytes of a result's blocks that the caller is given: pictures may be long.
pub(super) const MOST_CONTENT: usize = 32 * 1024 * 1024;

/// How much the model is given of a result that is longer.
const BEGINNING: usize = 20_000;

/// Keeps a text in a file of the folder, which is made if it is not there, and gives its beginning with the file's name.
pub(super) async fn spill(folder: &Path, text: String) -> String {
    let file = folder.join(format!("{}.txt", uuid()));
    let folder = folder.to_owned();
    let (total, end) = (text.len(), text.floor_char_boundary(BEGINNING));
    let beginning = text[..end].to_owned();
    let kept = tokio::task::spawn_blocking(move || keep(&folder, file, &text)).await;
    let place = match kept {
        Ok(Ok(file)) => format!("all of it is in {}", file.display()),
        _ => "the rest could not be kept".to_owned(),
    };
    format!("{beginning}\n\n[the result has {total} bytes, these are the first {end}; {place}]")
}

fn keep(folder: &Path, file: PathBuf, text: &str) -> io::Result<PathBuf> {
    let (mut make, mut open) = (DirBuilder::new(), OpenOptions::new());
    make.recursive(true);
    // Others may write into the folder above: nothing that is there already is written to.
    open.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
        make.mode(0o700);
        open.mode(0o600);
    }
    make.create(folder)?;
    open.open(&file)?.write_all(text.as_bytes())?;
    Ok(file)
}
