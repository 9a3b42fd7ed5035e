//! Where `execvp` would look.

use std::ffi::OsStr;
use std::path::Path;

use super::search::{Candidates, Search};

/// What `PATH` is when it is unset (POSIX `confstr`, `_CS_PATH`).
const DEFAULT_PATH: &str = "/bin:/usr/bin";

pub(super) fn candidates(search: &Search<'_>) -> Candidates {
    let program = Path::new(search.program);
    let from_cwd = |path: &Path| search.cwd.map_or_else(|| path.to_path_buf(), |cwd| cwd.join(path));
    if search.program.as_encoded_bytes().contains(&b'/') {
        return Candidates { path: None, files: vec![from_cwd(program)] };
    }
    let path = search.path.unwrap_or(OsStr::new(DEFAULT_PATH));
    let files = if program.as_os_str().is_empty() {
        Vec::new()
    } else {
        std::env::split_paths(path).map(|directory| from_cwd(&named(&directory)).join(program)).collect()
    };
    Candidates { path: Some(path.to_owned()), files }
}

/// An empty entry of `PATH` is the working directory.
fn named(directory: &Path) -> std::path::PathBuf {
    if directory.as_os_str().is_empty() { ".".into() } else { directory.to_path_buf() }
}
