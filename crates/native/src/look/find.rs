//! The tool `find_files`.

use std::ops::ControlFlow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::directory::within;
use super::globs::Globs;
use super::walk::{Scope, walk};
use crate::workspace::{Workspace, shown};
use crate::{Fault, Stop};

/// Paths of one answer where nothing else is asked for, and the most.
const PATHS: u64 = 200;
const MOST_PATHS: u64 = 5000;

/// What `find_files` takes.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindFiles {
    /// A glob such as `*.rs`, `src/**/*.ts` or `**/test_*.{py,pyi}`; without a `/` it counts for the last name alone
    pub pattern: String,
    /// The directory to look in, relative to the workspace; patterns count from there
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub path: Option<String>,
    /// Whether to look at what .gitignore and .ignore leave out too, and into .git
    #[serde(default)]
    pub include_ignored: bool,
    /// How many paths to leave out at the beginning
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub offset: Option<u64>,
    /// How many paths to list: 200 unless given, at most 5000
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub limit: Option<u64>,
}

/// What `find_files` answers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FilesFound {
    /// Files and links, sorted, relative to the workspace
    pub paths: Vec<String>,
    /// Where to go on; absent at the end
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u64>,
    /// Directories that could not be read
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<u64>,
    /// Whether there is more below the directory than is looked at
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// Finds files by their paths.
///
/// # Errors
/// What a model can mend: a path that is not served, a pattern that makes no sense, an argument out of range.
pub fn find_files(workspace: &Workspace, asked: &FindFiles, stop: &Stop) -> Result<FilesFound, Fault> {
    let limit = within("limit", asked.limit, PATHS, MOST_PATHS)?;
    if asked.pattern.is_empty() {
        return Err(Fault::argument("pattern", "it is empty; `*` finds every file"));
    }
    let globs = Globs::new("pattern", [asked.pattern.as_str()])?;
    let from = workspace.directory(asked.path.as_deref().unwrap_or("."))?;
    let base = from.path.clone();
    let scope = if asked.include_ignored { Scope::Everything } else { Scope::Kept };
    let (offset, mut matched) = (asked.offset.unwrap_or(0), 0);
    let mut found = FilesFound::default();
    let walked = walk(workspace, from, scope, stop, &mut |visit| {
        let below = visit.path.strip_prefix(&base).unwrap_or(visit.path);
        if !globs.take(below) {
            return Ok(ControlFlow::Continue(()));
        }
        matched += 1;
        if found.paths.len() as u64 == limit {
            found.next_offset = Some(offset + limit);
            return Ok(ControlFlow::Break(()));
        }
        if matched > offset {
            found.paths.push(shown(visit.path));
        }
        Ok(ControlFlow::Continue(()))
    })?;
    found.cut = walked.cut;
    found.unreadable = (walked.unreadable > 0).then_some(walked.unreadable);
    Ok(found)
}
