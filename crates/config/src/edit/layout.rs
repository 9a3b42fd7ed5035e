//! The line ends, indentation and separators of a file.

use std::ops::Range;

use crate::json::{Document, Node, Style, Token};

/// How a text is laid out, and where its commas and comments are.
pub(super) struct Layout<'d> {
    pub(super) text: &'d str,
    pub(super) newline: &'static str,
    /// One step of indentation.
    pub(super) unit: String,
    /// What stands behind a colon: a blank or nothing.
    pub(super) gap: &'static str,
    tokens: Vec<Token>,
}

impl<'d> Layout<'d> {
    pub(super) fn of(document: &'d Document<'d>) -> Self {
        let text = document.text;
        let newline = match text.find('\n') {
            Some(at) if text[..at].ends_with('\r') => "\r\n",
            _ => "\n",
        };
        let first = document.root.members().and_then(<[_]>::first);
        let mut layout = Self { text, newline, unit: "  ".to_owned(), gap: " ", tokens: document.tokens() };
        if let Some(first) = first {
            let indented = layout.own_indent(first.key_span.start).filter(|indent| !indent.is_empty());
            if let Some(indent) = indented {
                layout.unit = indent.to_owned();
            }
            if text[first.key_span.end..first.value.span.start].ends_with(':') {
                layout.gap = "";
            }
        }
        layout
    }

    /// The commas and comments within a range that starts and ends outside of them.
    pub(super) fn tokens(&self, range: Range<usize>) -> &[Token] {
        let from = self.tokens.partition_point(|token| token.span.start < range.start);
        let to = self.tokens.partition_point(|token| token.span.start < range.end);
        &self.tokens[from..to.max(from)]
    }

    /// The indentation of what is first on its line.
    pub(super) fn own_indent(&self, offset: usize) -> Option<&'d str> {
        let indent = self.line_before(offset)?;
        indent.chars().all(is_blank).then_some(indent)
    }

    /// The indentation of the line that holds `offset`.
    pub(super) fn line_indent(&self, offset: usize) -> &'d str {
        let line = self.line_before(offset).unwrap_or(&self.text[..offset]);
        &line[..line.len() - line.trim_start_matches(is_blank).len()]
    }

    /// A style of one member a line, for a value whose line is indented by `indent`.
    pub(super) fn broken(&self, indent: &str) -> Style {
        Style::Broken { newline: self.newline, indent: indent.to_owned(), unit: self.unit.clone() }
    }

    /// Whether a value stands on one line though it need not.
    pub(super) fn is_inline(&self, node: &Node) -> bool {
        node.members().is_some_and(|members| !members.is_empty())
            && !has_newline(&self.text[node.span.clone()])
    }

    /// The line's text before `offset`, unless it is the text's first line.
    fn line_before(&self, offset: usize) -> Option<&'d str> {
        self.text[..offset].rfind(['\n', '\r']).map(|end| &self.text[end + 1..offset])
    }
}

pub(super) fn has_newline(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

/// Line ends in a text; `\r\n` is one.
pub(super) fn newlines(text: &str) -> usize {
    text.replace("\r\n", "\n").matches(['\n', '\r']).count()
}

fn is_blank(c: char) -> bool {
    c == ' ' || c == '\t'
}
