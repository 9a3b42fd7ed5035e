//! The tool `list_directory`.

use std::ffi::OsString;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::workspace::{Directory, Kind, Workspace, shown};
use crate::{Fault, Stop};

/// Entries of one answer where nothing else is asked for, and the most.
const ENTRIES: u64 = 500;
const MOST_ENTRIES: u64 = 5000;
/// The most entries of a directory that are put in order.
const SORTED: usize = 200_000;

/// What `list_directory` takes.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListDirectory {
    /// The directory, relative to the workspace; the workspace itself unless given
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub path: Option<String>,
    /// How many entries to leave out at the beginning
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub offset: Option<u64>,
    /// How many entries to list: 500 unless given, at most 5000
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub limit: Option<u64>,
}

/// What `list_directory` answers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Listed {
    /// Where the directory really is, relative to the workspace
    pub path: String,
    /// What stands there, by name
    pub entries: Vec<Entry>,
    /// Entries in all
    pub total: u64,
    /// Where to go on; absent at the end
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u64>,
    /// Whether the directory has more entries than are counted and put in order
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
}

/// An entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Entry {
    /// Its name
    pub name: String,
    /// What it is
    pub kind: EntryKind,
    /// Bytes, of a file
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Where a link leads
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    /// A regular file
    File,
    /// A directory
    Directory,
    /// A symbolic link
    Link,
    /// A device, a FIFO or a socket
    Other,
}

/// Lists a directory.
///
/// # Errors
/// What a model can mend: a path that is not served, an argument out of range.
pub fn list_directory(workspace: &Workspace, asked: &ListDirectory, stop: &Stop) -> Result<Listed, Fault> {
    let path = asked.path.as_deref().unwrap_or(".");
    let limit = within("limit", asked.limit, ENTRIES, MOST_ENTRIES)?;
    let directory = workspace.directory(path)?;
    let system = Fault::system("list", path);
    let mut names: Vec<(OsString, Kind)> = Vec::new();
    let mut more = false;
    for entry in directory.dir.entries().map_err(&system)? {
        stop.check()?;
        let entry = entry.map_err(&system)?;
        if workspace.is_away(&directory.path.join(entry.file_name())) {
            continue;
        }
        if names.len() == SORTED {
            more = true;
            break;
        }
        // One that went meanwhile is not there.
        if let Ok(kind) = entry.file_type() {
            names.push((entry.file_name(), Kind::of(&kind)));
        }
    }
    names.sort_by(|one, other| one.0.cmp(&other.0));
    let (total, offset) = (names.len() as u64, asked.offset.unwrap_or(0));
    if offset > total {
        return Err(Fault::argument("offset", format!("`{path}` has {total} entries")));
    }
    let end = offset.saturating_add(limit).min(total);
    let page = names.into_iter().skip(offset as usize).take(limit as usize);
    let entries = page.map(|(name, kind)| entry(&directory, name, kind)).collect();
    let next_offset = (end < total).then_some(end);
    Ok(Listed { path: shown(&directory.path), entries, total, next_offset, more })
}

fn entry(directory: &Directory, name: OsString, kind: Kind) -> Entry {
    let dir = &directory.dir;
    let size = (kind == Kind::File).then(|| dir.symlink_metadata(&name).ok().map(|found| found.len()));
    let target = (kind == Kind::Link).then(|| dir.read_link_contents(&name).ok());
    Entry {
        size: size.flatten(),
        target: target.flatten().map(|target| target.to_string_lossy().into_owned()),
        kind: match kind {
            Kind::File => EntryKind::File,
            Kind::Directory => EntryKind::Directory,
            Kind::Link => EntryKind::Link,
            Kind::Other(_) => EntryKind::Other,
        },
        name: name.to_string_lossy().into_owned(),
    }
}

/// A number that was asked for, if it is one of those that are served.
pub(super) fn within(name: &'static str, asked: Option<u64>, usual: u64, most: u64) -> Result<u64, Fault> {
    match asked {
        None => Ok(usual),
        Some(asked) if (1..=most).contains(&asked) => Ok(asked),
        Some(_) => Err(Fault::argument(name, format!("it must be from 1 to {most}"))),
    }
}
