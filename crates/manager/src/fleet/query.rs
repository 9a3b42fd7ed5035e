//! What is looked for, and how well a tool fits it.

use codewhale_mcp_protocol::Tool;
use regex::bytes::{Regex, RegexBuilder};

use super::tool_set::OfferedTool;
use crate::scope::prefix;

/// The longest query, in bytes.
const LONGEST: usize = 512;
/// The most memory that a pattern may take, in bytes.
const PATTERN_SIZE: usize = 256 << 10;

/// How a query is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Matching {
    /// As words, the name of a server or the full name of a tool.
    #[default]
    Words,
    /// As a regular expression on full names, in which case does not matter.
    Regex,
}

/// What is looked for.
#[derive(Debug, Clone)]
pub struct Query(Kind);

#[derive(Debug, Clone)]
enum Kind {
    Words { whole: String, words: Vec<String> },
    Pattern { regex: Regex, literal: String },
}

/// A query that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// It is empty.
    #[error("the query is empty")]
    Empty,
    /// It is too long.
    #[error("the query has more than {LONGEST} bytes")]
    TooLong,
    /// It is no regular expression, or one that is too large.
    #[error("the query is no regular expression that can be used: {reason}")]
    Pattern {
        /// Why.
        reason: String,
    },
}

impl Query {
    /// Reads a query. A pattern takes time in proportion to what it is held against, whatever it is.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn new(text: &str, matching: Matching) -> Result<Self, QueryError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(QueryError::Empty);
        }
        if text.len() > LONGEST {
            return Err(QueryError::TooLong);
        }
        Ok(Self(match matching {
            Matching::Words => Kind::Words { whole: text.to_lowercase(), words: words(text).collect() },
            Matching::Regex => {
                let regex = RegexBuilder::new(text)
                    .case_insensitive(true)
                    .unicode(false)
                    .size_limit(PATTERN_SIZE)
                    .dfa_size_limit(PATTERN_SIZE)
                    .build();
                let regex = regex.map_err(|error| QueryError::Pattern { reason: error.to_string() })?;
                let meta = |c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '^');
                let literal = text.split(meta).next().unwrap_or_default().trim_start_matches('^');
                Kind::Pattern { regex, literal: literal.to_lowercase() }
            }
        }))
    }

    pub(super) fn is_pattern(&self) -> bool {
        matches!(self.0, Kind::Pattern { .. })
    }

    /// Whether it asks for a server of which no list is known.
    pub(super) fn names_server(&self, server: &str) -> bool {
        let (prefix, server) = (prefix(server).to_lowercase(), server.to_lowercase());
        match &self.0 {
            Kind::Words { whole, words } => {
                *whole == server
                    || words.contains(&server)
                    || whole.split_whitespace().any(|word| word == server || word.starts_with(&prefix))
            }
            Kind::Pattern { regex, literal } => {
                regex.is_match(prefix.as_bytes()) || literal.starts_with(&prefix)
            }
        }
    }

    /// Whether it asks for something else that a server has, such as a skill: by its name, by words of its description or
    /// by the server's name.
    #[must_use]
    pub fn asks_for(&self, server: &str, name: &str, description: &str) -> bool {
        match &self.0 {
            Kind::Words { words, .. } => {
                let said = format!("{name} {description}").to_lowercase();
                words.iter().any(|word| said.contains(word.as_str())) || self.names_server(server)
            }
            Kind::Pattern { regex, .. } => regex.is_match(name.as_bytes()),
        }
    }

    /// How well a tool fits; 0 if it does not.
    pub(super) fn score(&self, offered: &OfferedTool) -> u32 {
        match &self.0 {
            Kind::Words { whole, words } => score(whole, words, offered),
            Kind::Pattern { regex, .. } => u32::from(regex.is_match(offered.name.as_bytes())),
        }
    }
}

fn score(whole: &str, wanted: &[String], offered: &OfferedTool) -> u32 {
    let Tool { name, title, description, .. } = offered.tool();
    let full = offered.name.to_lowercase();
    if full == whole || name.to_lowercase() == whole {
        return 1_000;
    }
    // Every name begins with `mcp_`, which says nothing.
    let own = full.strip_prefix("mcp_").unwrap_or(&full);
    let named: Vec<String> = words(own).collect();
    let said = [title.as_deref(), description.as_deref()].map(|text| text.unwrap_or_default().to_lowercase());
    let one = |word: &String| match () {
        () if named.contains(word) => 10,
        () if own.contains(word.as_str()) => 5,
        () if said.iter().any(|text| text.contains(word.as_str())) => 2,
        () => 0,
    };
    let server = offered.id.server.to_lowercase();
    let of_server = if whole.split_whitespace().any(|word| word == server) { 20 } else { 0 };
    wanted.iter().map(one).sum::<u32>() + of_server
}

/// The words of a text: what stands between other characters, in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}
