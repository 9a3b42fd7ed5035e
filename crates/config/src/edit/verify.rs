//! Nothing but the wanted change has happened.

use std::ops::Range;

use crate::Source;
use crate::json::{Document, Node, TokenKind};

/// Whether `text` parses to exactly `wanted`, and has the comments of `old` except those within `replaced`.
pub(super) fn is_exactly(
    text: &str,
    source: &Source,
    wanted: &Node,
    old: &Document<'_>,
    replaced: &[Range<usize>],
) -> bool {
    let Ok(new) = Document::parse(text, source) else { return false };
    let inside = |at: usize| replaced.iter().any(|range| range.contains(&at));
    let kept = comments(old).into_iter().filter(|(at, _)| !inside(*at)).map(|(_, comment)| comment);
    new.root.same(wanted) && comments(&new).into_iter().map(|(_, comment)| comment).eq(kept)
}

fn comments<'t>(document: &Document<'t>) -> Vec<(usize, &'t str)> {
    let tokens = document.tokens();
    let comments = tokens.into_iter().filter(|token| token.kind != TokenKind::Comma);
    comments.map(|token| (token.span.start, &document.text[token.span])).collect()
}
