//! Replaces ranges of a text.

use std::ops::Range;

/// One replacement. Two at the same offset apply in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Splice {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

impl Splice {
    pub(super) fn insert(at: usize, text: impl Into<String>) -> Self {
        Self { range: at..at, text: text.into() }
    }

    pub(super) fn cut(range: Range<usize>) -> Self {
        Self { range, text: String::new() }
    }
}

/// Applies splices whose ranges do not overlap.
pub(super) fn apply(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|splice| splice.range.start);
    let mut result = String::with_capacity(text.len() + 256);
    let mut copied = 0;
    for splice in splices {
        result.push_str(&text[copied..splice.range.start]);
        result.push_str(&splice.text);
        copied = splice.range.end;
    }
    result.push_str(&text[copied..]);
    result
}
