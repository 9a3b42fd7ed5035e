//! Where a path leads, be it there or not.

use std::path::{Component, Path, PathBuf};

/// The most links that are followed where the last of them leads to nothing.
const LINKS: usize = 40;

/// A path without links, as far as it is there: what is made at the path later will stand at the answer.
pub(super) fn really(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        if let Ok(real) = path.canonicalize() {
            return real;
        }
        // A link to what is not there yet.
        match (path.read_link(), path.parent()) {
            (Ok(target), Some(above)) => path = above.join(target),
            _ => break,
        }
    }
    let Some(above) = path.parent() else { return path };
    match path.components().next_back() {
        Some(Component::Normal(name)) => really(above).join(name),
        Some(Component::ParentDir) => {
            let mut above = really(above);
            above.pop();
            above
        }
        _ => path,
    }
}
