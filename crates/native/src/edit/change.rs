//! The tool `edit_file`.

use std::io::Read;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::near::near;
use super::target::{LONGEST, put, writable};
use crate::workspace::{Workspace, shown};
use crate::{Fault, Stop};

/// The most changes that are listed.
const LISTED: usize = 50;
/// The most bytes that are shown of one side of a change.
const SHOWN: usize = 2000;

/// What `edit_file` takes.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditFile {
    /// The file, relative to the workspace
    pub path: String,
    /// The text to replace, exactly as it stands in the file, blanks and ends of lines included; it has to stand there
    /// once, unless `replace_all` is true
    pub old_text: String,
    /// What takes its place; empty removes it
    pub new_text: String,
    /// Whether every place is meant
    #[serde(default)]
    pub replace_all: bool,
}

/// What `edit_file` answers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileEdited {
    /// Where the file really is, relative to the workspace
    pub path: String,
    /// Bytes of the file now
    pub size: u64,
    /// How many places were replaced
    pub replaced: u64,
    /// The first of them
    pub changes: Vec<Change>,
}

/// One place that was replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Change {
    /// The number of its first line, as the file is now
    pub line: u64,
    /// The lines that were there; long ones are cut
    pub before: String,
    /// The lines that are there now; long ones are cut
    pub after: String,
}

/// Replaces a text within a file: the whole change, or nothing.
///
/// # Errors
/// What a model can mend: a path that is not served, a text that does not stand there or stands there more than once.
pub fn edit_file(workspace: &Workspace, asked: &EditFile, stop: &Stop) -> Result<FileEdited, Fault> {
    if asked.old_text.is_empty() {
        return Err(Fault::argument("old_text", "it is empty; `write_file` writes a whole file"));
    }
    if asked.old_text == asked.new_text {
        return Err(Fault::argument("new_text", "it is the same as `old_text`"));
    }
    let path = &asked.path;
    let one = workspace.writing();
    stop.check()?;
    let place = writable(workspace, path)?;
    let seen = place.seen().map_err(Fault::system("read", path))?;
    let text = read(place.open(path)?, path)?;

    let places: Vec<usize> = text.match_indices(&asked.old_text).map(|(at, _)| at).collect();
    match places.as_slice() {
        [] => {
            // Nothing is written, so others need not wait for the hint.
            drop(one);
            stop.check()?;
            return Err(Fault::NoMatch { path: path.clone(), hint: near(&text, &asked.old_text) });
        }
        [_] => {}
        _ if asked.replace_all => {}
        several => {
            let lines: Vec<_> = several.iter().take(5).map(|at| line_of(&text, *at).to_string()).collect();
            return Err(Fault::NotOnce { path: path.clone(), count: several.len(), lines: lines.join(", ") });
        }
    }
    let grown = places.len().saturating_mul(asked.new_text.len().saturating_sub(asked.old_text.len()));
    if text.len().saturating_add(grown) as u64 > LONGEST {
        let bytes = text.len().saturating_add(grown) as u64;
        return Err(Fault::TooLarge { what: format!("`{path}` after the edit"), bytes, limit: LONGEST });
    }
    let edited = text.replace(&asked.old_text, &asked.new_text);
    stop.check()?;
    put(&place, path, seen.as_ref(), &edited)?;
    drop(one);
    Ok(FileEdited {
        path: shown(&place.path),
        size: edited.len() as u64,
        replaced: places.len() as u64,
        changes: changes(&text, &edited, &places, asked),
    })
}

fn read(file: std::fs::File, path: &str) -> Result<String, Fault> {
    let mut bytes = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(Fault::system("read", path))?;
    if bytes.len() as u64 > LONGEST {
        return Err(Fault::TooLarge { what: format!("`{path}`"), bytes: bytes.len() as u64, limit: LONGEST });
    }
    String::from_utf8(bytes)
        .map_err(|bad| Fault::NotUtf8 { path: path.to_owned(), at: bad.utf8_error().valid_up_to() })
}

/// What the first places look like, whole lines each.
fn changes(text: &str, edited: &str, places: &[usize], asked: &EditFile) -> Vec<Change> {
    let (old, new) = (asked.old_text.len(), asked.new_text.len());
    let moved =
        places.iter().take(LISTED).enumerate().map(|(count, at)| (*at, at + count * new - count * old));
    moved
        .map(|(before, after)| {
            let end = end_of_change(text, before, asked);
            Change {
                line: line_of(edited, after),
                before: lines_around(text, before, old, end),
                after: lines_around(edited, after, new, end),
            }
        })
        .collect()
}

/// The number of the line where a byte stands.
fn line_of(text: &str, at: usize) -> u64 {
    memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count() as u64 + 1
}

/// Where the last line that a change touches ends.
#[derive(Debug, Clone, Copy)]
enum End {
    /// With the replaced text, of which the end of the line is a part.
    Here,
    /// Behind it.
    Behind,
}

/// Where whole lines give way to whole lines, the one behind them stays as it is.
fn end_of_change(text: &str, at: usize, asked: &EditFile) -> End {
    let begins = at == 0 || text[..at].ends_with('\n');
    let whole = asked.new_text.ends_with('\n') || asked.new_text.is_empty() && begins;
    if whole && asked.old_text.ends_with('\n') { End::Here } else { End::Behind }
}

/// The whole lines that a part of a text touches, within bounds.
fn lines_around(text: &str, at: usize, length: usize, end: End) -> String {
    let begin = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = match end {
        End::Here => at + length.saturating_sub(1),
        End::Behind => text[at + length..].find('\n').map_or(text.len(), |more| at + length + more),
    };
    let lines = &text[begin..end];
    match lines.len() <= SHOWN {
        true => lines.to_owned(),
        false => format!("{}…", &lines[..lines.floor_char_boundary(SHOWN)]),
    }
}
