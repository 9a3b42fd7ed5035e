//! Where `cmd.exe` would look, except for the working directory.
//!
//! Plain text work without [`std::path`], so that it means the same on every system.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::search::{Candidates, Search};

/// What `PATHEXT` is when it is unset.
const DEFAULT_PATHEXT: &str = ".COM;.EXE;.BAT;.CMD";

pub(super) fn candidates(search: &Search<'_>, pathext: Option<&OsStr>) -> Candidates {
    let program = search.program.to_string_lossy();
    let pathext = pathext.map_or(DEFAULT_PATHEXT.into(), OsStr::to_string_lossy);
    let extensions: Vec<&str> = pathext.split(';').filter(|extension| extension.starts_with('.')).collect();
    let with_extensions = |stem: &str| -> Vec<PathBuf> {
        let all = extensions.iter().map(|extension| format!("{stem}{}", extension.to_ascii_lowercase()));
        let exact = std::iter::once(stem.to_owned());
        if ends_with_one(stem, &extensions) {
            exact.chain(all).map(PathBuf::from).collect()
        } else if stem.rsplit(is_separator).next().is_some_and(|name| name.contains('.')) {
            all.chain(exact).map(PathBuf::from).collect()
        } else {
            // A bare `npx` beside `npx.cmd` is a shell script for other systems.
            all.map(PathBuf::from).collect()
        }
    };

    if program.contains(is_separator) || has_drive(&program) {
        return Candidates { path: None, files: with_extensions(&from_cwd(search.cwd, &program)) };
    }
    let path = search.path.unwrap_or_default();
    let files = if program.is_empty() {
        Vec::new()
    } else {
        split(&path.to_string_lossy())
            .iter()
            .flat_map(|directory| with_extensions(&from_cwd(search.cwd, &join(directory, &program))))
            .collect()
    };
    Candidates { path: Some(path.to_owned()), files }
}

fn ends_with_one(name: &str, extensions: &[&str]) -> bool {
    let name = name.to_ascii_lowercase();
    extensions.iter().any(|extension| name.ends_with(&extension.to_ascii_lowercase()))
}

/// The entries of `PATH`; one may stand in quotes, and a semicolon within them is its own.
fn split(path: &str) -> Vec<String> {
    let mut entries = vec![String::new()];
    let mut quoted = false;
    for character in path.chars() {
        match character {
            '"' => quoted = !quoted,
            ';' if !quoted => entries.push(String::new()),
            other => entries.last_mut().expect("starts with one and only grows").push(other),
        }
    }
    entries.retain(|entry| !entry.is_empty());
    entries
}

fn join(directory: &str, name: &str) -> String {
    if directory.ends_with(is_separator) {
        format!("{directory}{name}")
    } else {
        format!("{directory}\\{name}")
    }
}

fn from_cwd(cwd: Option<&Path>, path: &str) -> String {
    match cwd {
        Some(cwd) if !path.starts_with(is_separator) && !has_drive(path) => {
            join(&cwd.to_string_lossy(), path)
        }
        _ => path.to_owned(),
    }
}

fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

fn is_separator(character: char) -> bool {
    matches!(character, '\\' | '/')
}
