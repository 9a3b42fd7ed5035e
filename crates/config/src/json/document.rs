//! A parsed text that knows the place of everything in it.

use std::ops::Range;

use super::{Lines, Node, ParseError, ParseReason, excerpt, parse};
use crate::{Place, Source};

/// A text whose root is an object.
#[derive(Debug)]
pub(crate) struct Document<'t> {
    /// Without a byte order mark.
    pub(crate) text: &'t str,
    pub(crate) root: Node,
    source: Source,
    lines: Lines<'t>,
}

/// A comma or a comment; the other tokens are in the nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Comma,
    LineComment,
    BlockComment,
}

impl<'t> Document<'t> {
    /// Parses a text; one byte order mark at its start is dropped.
    pub(crate) fn parse(text: &'t str, source: &Source) -> Result<Self, ParseError> {
        let text = strip_bom(text);
        let lines = Lines::new(text);
        let refuse = |offset, reason| refusal(text, &lines, source, offset, reason);
        let root = parse::parse(text).map_err(|(offset, reason)| refuse(offset, reason))?;
        if root.members().is_none() {
            return Err(refuse(root.span.start, ParseReason::NotAnObject { key: None, found: root.kind() }));
        }
        Ok(Self { text, root, source: source.clone(), lines })
    }

    /// A text of another format whose nodes are known.
    pub(crate) fn new(text: &'t str, root: Node, source: &Source) -> Self {
        Self { text, root, source: source.clone(), lines: Lines::new(text) }
    }

    /// The commas and comments of the text, in order.
    pub(crate) fn tokens(&self) -> Vec<Token> {
        parse::tokens(self.text)
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    pub(crate) fn place(&self, offset: usize) -> Place {
        let (line, column) = self.lines.position(offset);
        self.source.at(line, column)
    }

    /// Refuses the whole text for what stands at an offset.
    pub(crate) fn refuse(&self, offset: usize, reason: ParseReason) -> ParseError {
        refusal(self.text, &self.lines, &self.source, offset, reason)
    }
}

/// Drops one byte order mark at the start, only there and only one.
pub(crate) fn strip_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn refusal(text: &str, lines: &Lines<'_>, source: &Source, offset: usize, reason: ParseReason) -> ParseError {
    let (line, column) = lines.position(offset);
    let excerpt = excerpt::excerpt(text, lines.line_of(offset), offset, line);
    ParseError { place: source.at(line, column), reason, excerpt }
}
