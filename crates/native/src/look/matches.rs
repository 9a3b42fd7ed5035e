//! What a search found in one file.

use std::io;

use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkContextKind, SinkFinish, SinkMatch};
use schemars::JsonSchema;
use serde::Serialize;

use crate::Stop;

/// The most bytes that are shown of a line.
const LINE: usize = 512;
/// Of a longer line, how much is shown before the match.
const BEFORE: usize = 128;

/// A line that matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Match {
    /// The file, relative to the workspace
    pub path: String,
    /// The number of the line, from 1 on
    pub line: u64,
    /// Where in the line the first match begins, in characters, from 1 on
    pub column: u64,
    /// The line; one that is long is cut around the match, which `…` shows
    pub text: String,
    /// Lines before it
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<Context>,
    /// Lines after it
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<Context>,
}

/// A line beside one that matches. One that stands between two matches is told once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Context {
    /// The number of the line
    pub line: u64,
    /// The line
    pub text: String,
}

/// Takes the matches of one file after another, within bounds.
pub(super) struct Matches<'m> {
    matcher: &'m RegexMatcher,
    stop: &'m Stop,
    /// How many are left out at the beginning.
    pub(super) skip: u64,
    pub(super) room: Room,
    pub(super) found: Vec<Match>,
    /// Whether a match came for which there was no room.
    pub(super) full: bool,
    pub(super) binary: u64,
    path: String,
    begin: usize,
    before: Vec<Context>,
    /// Whether the last match was left out, with the lines around it.
    skipped: bool,
}

/// What may still be told.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    pub(super) matches: u64,
    pub(super) bytes: usize,
}

impl<'m> Matches<'m> {
    pub(super) fn new(matcher: &'m RegexMatcher, stop: &'m Stop, skip: u64, room: Room) -> Self {
        Self {
            matcher,
            stop,
            skip,
            room,
            found: Vec::new(),
            full: false,
            binary: 0,
            path: String::new(),
            begin: 0,
            before: Vec::new(),
            skipped: false,
        }
    }

    /// The next file.
    pub(super) fn file(&mut self, path: String) {
        (self.path, self.begin, self.skipped) = (path, self.found.len(), false);
        self.before.clear();
    }

    fn take(&mut self, bytes: usize) -> bool {
        let room = self.room.bytes >= bytes;
        self.room.bytes = self.room.bytes.saturating_sub(bytes);
        room
    }
}

impl Sink for Matches<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        if self.stop.is_stopped() {
            return Err(io::ErrorKind::Other.into());
        }
        if self.skip > 0 {
            self.skip -= 1;
            self.skipped = true;
            self.before.clear();
            return Ok(true);
        }
        if self.room.matches == 0 || self.room.bytes == 0 {
            self.full = true;
            return Ok(false);
        }
        self.skipped = false;
        self.room.matches -= 1;
        let bytes = trimmed(found.bytes());
        let at = self.matcher.find(bytes).ok().flatten().map_or(0, |at| at.start());
        let text = cut(bytes, at);
        self.take(text.len() + self.path.len());
        let column = String::from_utf8_lossy(&bytes[..at]).chars().count() as u64 + 1;
        self.found.push(Match {
            path: self.path.clone(),
            line: found.line_number().unwrap_or_default(),
            column,
            text,
            before: std::mem::take(&mut self.before),
            after: Vec::new(),
        });
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, line: &SinkContext<'_>) -> io::Result<bool> {
        let text = cut(trimmed(line.bytes()), 0);
        let context = Context { line: line.line_number().unwrap_or_default(), text };
        match line.kind() {
            SinkContextKind::After if !self.skipped => {
                let fits = self.take(context.text.len());
                let begin = self.begin;
                if fits && let Some(last) = self.found[begin..].last_mut() {
                    last.after.push(context);
                }
            }
            SinkContextKind::Before if self.take(context.text.len()) => self.before.push(context),
            _ => {}
        }
        Ok(true)
    }

    fn finish(&mut self, _: &Searcher, end: &SinkFinish) -> io::Result<()> {
        self.binary += u64::from(end.binary_byte_offset().is_some());
        Ok(())
    }
}

/// A line without its end.
fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// A line, or the part of a long one where `at` is.
fn cut(line: &[u8], at: usize) -> String {
    if line.len() <= LINE {
        return String::from_utf8_lossy(line).into_owned();
    }
    let edge = |at: usize| (at..line.len()).find(|at| line[*at] & 0xc0 != 0x80).unwrap_or(line.len());
    let begin = edge(at.saturating_sub(BEFORE));
    let end = edge((begin + LINE).min(line.len()));
    let text = String::from_utf8_lossy(&line[begin..end]);
    let mark = |is: bool| if is { "…" } else { "" };
    format!("{}{text}{}", mark(begin > 0), mark(end < line.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_around_the_match() {
        assert_eq!(cut(b"short", 3), "short");
        let line = format!("{}match{}", "é".repeat(500), "x".repeat(1000));
        let shown = cut(line.as_bytes(), 1000);
        assert!(shown.starts_with("…é") && shown.ends_with("x…"), "{shown}");
        assert!(shown.contains("ématchx") && shown.len() <= LINE + 8, "{shown}");
    }
}
