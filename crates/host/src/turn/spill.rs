//! A result that is too long for the model goes to a file, and the model gets its beginning.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::wire::uuid;

/// The most bytes of a result that the model is given.
pub(super) const MOST: usize = 100_000;

/// The most bytes of a result's blocks that the caller is given: pictures may be long.
pub(super) const MOST_CONTENT: usize = 32 * 1024 * 1024;

/// What the names of all sessions' folders begin with.
const MARK: &str = "session-";

/// How much the model is given of a result that is longer.
const BEGINNING: usize = 20_000;

/// How long what a session left behind that was killed is kept.
const LEFT_BEHIND: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The folder of a session's results. It is made for the first of them, and gone with the last clone.
#[derive(Debug, Clone)]
pub(crate) struct Spill(Arc<Folder>);

#[derive(Debug)]
struct Folder {
    path: PathBuf,
    made: AtomicBool,
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.made.load(Ordering::Relaxed) {
            // What cannot be removed is removed by another session, in a week.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

impl Spill {
    /// A folder among those of other sessions.
    pub(crate) fn new(results: &Path) -> Self {
        let path = results.join(format!("{MARK}{}", uuid()));
        Self(Arc::new(Folder { path, made: AtomicBool::new(false) }))
    }

    /// Keeps a text in a file, and gives its beginning with the file's name.
    pub(super) async fn keep(&self, text: String) -> String {
        let folder = self.0.clone();
        let (total, end) = (text.len(), text.floor_char_boundary(BEGINNING));
        let beginning = text[..end].to_owned();
        let kept = tokio::task::spawn_blocking(move || folder.keep(&text)).await;
        let place = match kept {
            Ok(Ok(file)) => format!("all of it is in {} until this session ends", file.display()),
            _ => "the rest could not be kept".to_owned(),
        };
        format!("{beginning}\n\n[the result has {total} bytes, these are the first {end}; {place}]")
    }
}

impl Folder {
    fn keep(&self, text: &str) -> io::Result<PathBuf> {
        let (mut make, mut open) = (DirBuilder::new(), OpenOptions::new());
        make.recursive(true);
        // Nothing that is there already is written to.
        open.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
            make.mode(0o700);
            open.mode(0o600);
        }
        make.create(&self.path)?;
        if !self.made.swap(true, Ordering::Relaxed) {
            self.path.parent().into_iter().for_each(clear);
        }
        let file = self.path.join(format!("{}.txt", uuid()));
        open.open(&file)?.write_all(text.as_bytes())?;
        Ok(file)
    }
}

/// Removes what sessions left here that could not do it themselves.
fn clear(results: &Path) {
    for entry in fs::read_dir(results).into_iter().flatten().flatten() {
        let is_old = || entry.metadata().ok()?.modified().ok()?.elapsed().ok().map(|age| age > LEFT_BEHIND);
        if entry.file_name().to_string_lossy().starts_with(MARK) && is_old() == Some(true) {
            // Another session may do the same now.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
