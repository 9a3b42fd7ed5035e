//! What models read of each answer.

use std::fmt::Write;

use codewhale_mcp_protocol::{Content, ContentType, ResourceContents};

use super::answer::Told;
use crate::fault::count;
use crate::{EntryKind, FileEdited, FileRead, FileWritten, FilesFound, Listed, Match, Ran, TextFound};

impl Told for FileRead {
    fn content(&self) -> Vec<Content> {
        let mut content = match (&self.base64, &self.text) {
            (Some(bytes), _) => vec![blob(self, bytes)],
            (None, Some(text)) => vec![Content::text(text.clone())],
            (None, None) => Vec::new(),
        };
        let mut notes = Vec::new();
        if let (Some(first), Some(lines)) = (self.first_line, self.lines)
            && (first > 1 || self.next_offset.is_some())
        {
            notes.push(format!("lines {first} to {} of {}", first + lines.max(1) - 1, self.path));
        }
        if let Some(encoding) = &self.encoding {
            notes.push(format!("read as {encoding}"));
        }
        if let Some(invalid) = self.invalid {
            let are = if invalid == 1 { "is" } else { "are" };
            notes.push(format!("{} {are} not UTF-8 and shown as U+FFFD", count(invalid, "place")));
        }
        if !self.cut_lines.is_empty() {
            let lines: Vec<_> = self.cut_lines.iter().map(u64::to_string).collect();
            notes.push(format!("too long and cut: line {}", lines.join(", ")));
        }
        notes.extend(self.next_offset.map(|offset| format!("more from offset {offset} on")));
        content.extend(note(&notes));
        content
    }
}

/// What goes on behind an answer, in brackets.
fn note(notes: &[String]) -> Option<Content> {
    (!notes.is_empty()).then(|| Content::text(format!("[{}]", notes.join("; "))))
}

/// Bytes as clients show them.
fn blob(read: &FileRead, bytes: &str) -> Content {
    let mime_type = read.media_type.clone();
    let whole = read.next_offset.is_none() && read.size > 0;
    let kind = match mime_type.as_deref() {
        Some(name) if whole && name.starts_with("image/") && name != "image/svg+xml" => ContentType::Image,
        Some(name) if whole && name.starts_with("audio/") => ContentType::Audio,
        _ => {
            let resource = ResourceContents {
                uri: format!("workspace:///{}", encoded(&read.path)),
                mime_type: Some(mime_type.unwrap_or_else(|| "application/octet-stream".to_owned())),
                blob: Some(bytes.to_owned()),
                ..ResourceContents::default()
            };
            return Content {
                kind: ContentType::Resource,
                resource: Some(Box::new(resource)),
                ..Content::default()
            };
        }
    };
    Content { kind, data: Some(bytes.to_owned()), mime_type, ..Content::default() }
}

/// A path as a part of an address.
fn encoded(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    path.bytes().fold(String::new(), |mut text, byte| {
        if plain(byte) {
            text.push(byte.into());
        } else {
            write!(text, "%{byte:02X}").expect("a string takes it");
        }
        text
    })
}

impl Told for Listed {
    fn content(&self) -> Vec<Content> {
        let lines = self.entries.iter().map(|entry| match (entry.kind, &entry.target) {
            (EntryKind::Directory, _) => format!("{}/", entry.name),
            (EntryKind::Link, Some(target)) => format!("{} -> {target}", entry.name),
            (EntryKind::File, _) => {
                format!("{} ({})", entry.name, count(entry.size.unwrap_or_default(), "byte"))
            }
            _ => format!("{} (no file)", entry.name),
        });
        let text = lines.collect::<Vec<_>>().join("\n");
        let text = if self.total == 0 { format!("{} is empty", self.path) } else { text };
        let mut notes = Vec::new();
        if let Some(offset) = self.next_offset {
            notes.push(format!("{} entries in all; more from offset {offset} on", self.total));
        }
        if self.more {
            notes.push("the directory has more entries than are counted".to_owned());
        }
        [Content::text(text)].into_iter().chain(note(&notes)).collect()
    }
}

impl Told for FilesFound {
    fn content(&self) -> Vec<Content> {
        let text = if self.paths.is_empty() { "no file matches".to_owned() } else { self.paths.join("\n") };
        let notes = bounds(self.next_offset, self.unreadable, self.cut);
        [Content::text(text)].into_iter().chain(note(&notes)).collect()
    }
}

fn bounds(next: Option<u64>, unreadable: Option<u64>, cut: bool) -> Vec<String> {
    let mut notes: Vec<String> =
        next.map(|offset| format!("more from offset {offset} on")).into_iter().collect();
    notes.extend(unreadable.map(|count| format!("{count} could not be read")));
    if cut {
        notes.push("there is more than is looked at; narrow it down by `path`".to_owned());
    }
    notes
}

impl Told for TextFound {
    fn content(&self) -> Vec<Content> {
        let around = self.matches.iter().any(|found| !found.before.is_empty() || !found.after.is_empty());
        let matches: Vec<String> = self.matches.iter().map(lines).collect();
        let text = match matches.is_empty() {
            true => format!("nothing matches in {}", count(self.searched, "file")),
            false => matches.join(if around { "\n--\n" } else { "\n" }),
        };
        let mut notes = bounds(self.next_offset, None, self.cut);
        notes.extend(self.unreadable.map(|count| {
            format!("{count} could not be read to the end, or not beyond a line of more than 256 KiB")
        }));
        [Content::text(text)].into_iter().chain(note(&notes)).collect()
    }
}

/// A match as `grep` prints it.
fn lines(found: &Match) -> String {
    let Match { path, line, text, .. } = found;
    let around = |line: &crate::Context| format!("{path}-{}-{}", line.line, line.text);
    let before = found.before.iter().map(around);
    let after = found.after.iter().map(around);
    before.chain([format!("{path}:{line}:{text}")]).chain(after).collect::<Vec<_>>().join("\n")
}

impl Told for FileWritten {
    fn content(&self) -> Vec<Content> {
        let what = if self.created { "made" } else { "replaced" };
        vec![Content::text(format!("{what} {}, {}", self.path, count(self.size, "byte")))]
    }
}

impl Told for FileEdited {
    fn content(&self) -> Vec<Content> {
        let mut text = format!("replaced {} in {}", count(self.replaced, "place"), self.path);
        for change in &self.changes {
            write!(text, "\n@@ line {} @@", change.line).expect("a string takes it");
            for line in change.before.lines() {
                write!(text, "\n-{line}").expect("a string takes it");
            }
            for line in change.after.lines() {
                write!(text, "\n+{line}").expect("a string takes it");
            }
        }
        if self.replaced > self.changes.len() as u64 {
            text.push_str("\n[the others are not listed]");
        }
        vec![Content::text(text)]
    }
}

impl Told for Ran {
    fn content(&self) -> Vec<Content> {
        let end = match (self.timed_out, self.exit_code, self.signal) {
            (true, ..) => format!("it took too long and was ended after {} s", self.seconds),
            (_, Some(code), _) => format!("exit code {code}, after {} s", self.seconds),
            (_, _, Some(signal)) => format!("ended by signal {signal} after {} s", self.seconds),
            _ => format!("it ended after {} s", self.seconds),
        };
        let output = (!self.output.is_empty()).then(|| Content::text(self.output.clone()));
        output.into_iter().chain(note(&[end])).collect()
    }

    fn failed(&self) -> bool {
        self.timed_out
    }
}
