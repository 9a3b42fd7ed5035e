//! The tool `search_text`.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use grep_matcher::LineTerminator;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::directory::within;
use super::globs::Globs;
use super::matches::{Match, Matches, Room};
use super::walk::{Scope, Walked, walk};
use crate::Fault;
use crate::stop::{Stop, Watched};
use crate::workspace::{Found, Kind, Refused, Workspace, shown};

/// Matches of one answer where nothing else is asked for, and the most.
const MATCHES: u64 = 100;
const MOST_MATCHES: u64 = 2000;
/// The most bytes of text in one answer.
const TEXT: usize = 256 * 1024;
/// The most lines around a match.
const MOST_CONTEXT: u64 = 20;
/// The longest pattern, and the most memory of one that is ready to be used, and of what it learns on its way.
const PATTERN: usize = 4096;
const READY: usize = 1 << 20;
const LEARNT: usize = 10 << 20;
/// The longest line that is searched. One look at it by the worst of patterns takes as long as it takes to notice that
/// nobody waits any more.
const HEAP: usize = 256 << 10;

/// What `search_text` takes.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchText {
    /// A regular expression as in Rust and ripgrep: no look-around, no back-references; it is searched line by line
    pub pattern: String,
    /// Whether the pattern is a text as it stands, and no regular expression
    #[serde(default)]
    pub literal: bool,
    /// `smart` unless given: upper and lower case are one as long as the pattern has no capital
    #[serde(default)]
    pub case: Case,
    /// The directory or file to look in, relative to the workspace
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub path: Option<String>,
    /// Globs of the files to look at, such as `*.rs`; `!` before one leaves out
    #[serde(default)]
    pub globs: Vec<String>,
    /// How many lines to show before and after each match, at most 20
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub context: Option<u64>,
    /// Whether to look at what .gitignore and .ignore leave out too, and into .git
    #[serde(default)]
    pub include_ignored: bool,
    /// How many matches to leave out at the beginning
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub offset: Option<u64>,
    /// How many matches to list: 100 unless given, at most 2000
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub limit: Option<u64>,
}

/// Whether upper and lower case are one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Case {
    /// As long as the pattern has no capital
    #[default]
    Smart,
    /// Never
    Sensitive,
    /// Always
    Insensitive,
}

/// What `search_text` answers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TextFound {
    /// The lines that match, sorted by path and line
    pub matches: Vec<Match>,
    /// Files that were searched
    pub searched: u64,
    /// Files that hold NUL bytes: searched up to there
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binary: Option<u64>,
    /// Files and directories that could not be read, and files that hold a line of more than 256 KiB: searched up to there
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<u64>,
    /// Where to go on; absent at the end
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u64>,
    /// Whether there is more below the directory than is looked at
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// Searches files for lines that match.
///
/// # Errors
/// What a model can mend: a path that is not served, a pattern that makes no sense, an argument out of range.
pub fn search_text(workspace: &Workspace, asked: &SearchText, stop: &Stop) -> Result<TextFound, Fault> {
    let limit = within("limit", asked.limit, MATCHES, MOST_MATCHES)?;
    let matcher = matcher(asked)?;
    let globs = Globs::new("globs", asked.globs.iter().map(String::as_str))?;
    let mut search = Search {
        searcher: searcher(asked.context.unwrap_or(0))?,
        matches: Matches::new(
            &matcher,
            stop,
            asked.offset.unwrap_or(0),
            Room { matches: limit, bytes: TEXT },
        ),
        matcher: &matcher,
        stop,
        searched: 0,
        unreadable: 0,
    };
    let path = asked.path.as_deref().unwrap_or(".");
    let walked = match workspace.find(path)? {
        Found::Place(place) => {
            let file = place.open(path)?;
            let _ = search.file(&place.path, file)?;
            Walked::default()
        }
        Found::Directory(from) => {
            let base = from.path.clone();
            let scope = if asked.include_ignored { Scope::Everything } else { Scope::Kept };
            walk(workspace, from, scope, stop, &mut |visit| {
                let below = visit.path.strip_prefix(&base).unwrap_or(visit.path);
                if visit.kind != Kind::File || !globs.take(below) {
                    return Ok(ControlFlow::Continue(()));
                }
                let system = |source| Refused::System { path: shown(visit.path), source };
                match visit.place().map_err(system).and_then(|place| place.open(&shown(visit.path))) {
                    Ok(file) => search.file(visit.path, file),
                    Err(_) => {
                        search.unreadable += 1;
                        Ok(ControlFlow::Continue(()))
                    }
                }
            })?
        }
    };
    let unreadable = search.unreadable + walked.unreadable;
    let told = asked.offset.unwrap_or(0) + search.matches.found.len() as u64;
    Ok(TextFound {
        searched: search.searched,
        binary: (search.matches.binary > 0).then_some(search.matches.binary),
        unreadable: (unreadable > 0).then_some(unreadable),
        next_offset: search.matches.full.then_some(told),
        cut: walked.cut,
        matches: search.matches.found,
    })
}

struct Search<'a> {
    searcher: Searcher,
    matcher: &'a RegexMatcher,
    matches: Matches<'a>,
    stop: &'a Stop,
    searched: u64,
    unreadable: u64,
}

impl Search<'_> {
    fn file(&mut self, path: &Path, file: File) -> Result<ControlFlow<()>, Fault> {
        self.matches.file(shown(path));
        let reader = Watched { from: file, stop: self.stop };
        match self.searcher.search_reader(self.matcher, reader, &mut self.matches) {
            Ok(()) => self.searched += 1,
            Err(_) if self.stop.is_stopped() => return Err(Fault::Cancelled),
            // It could not be read to its end, or a line is longer than is searched.
            Err(_) => self.unreadable += 1,
        }
        Ok(if self.matches.full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

fn matcher(asked: &SearchText) -> Result<RegexMatcher, Fault> {
    if asked.pattern.is_empty() {
        return Err(Fault::argument("pattern", "it is empty"));
    }
    if asked.pattern.len() > PATTERN {
        return Err(Fault::argument("pattern", format!("it is longer than {PATTERN} bytes")));
    }
    let mut builder = RegexMatcherBuilder::new();
    builder
        .multi_line(true)
        .crlf(true)
        .fixed_strings(asked.literal)
        .size_limit(READY)
        .dfa_size_limit(LEARNT)
        .case_smart(asked.case == Case::Smart)
        .case_insensitive(asked.case == Case::Insensitive);
    builder.build(&asked.pattern).map_err(|error| Fault::argument("pattern", error.to_string()))
}

fn searcher(context: u64) -> Result<Searcher, Fault> {
    if context > MOST_CONTEXT {
        return Err(Fault::argument("context", format!("it must be from 0 to {MOST_CONTEXT}")));
    }
    let mut builder = SearcherBuilder::new();
    builder
        .line_terminator(LineTerminator::crlf())
        .line_number(true)
        .before_context(context as usize)
        .after_context(context as usize)
        .heap_limit(Some(HEAP))
        .binary_detection(BinaryDetection::quit(0));
    Ok(builder.build())
}
