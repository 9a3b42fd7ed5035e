//! The offending line with a caret, without the secrets in it.

use std::ops::Range;

use codewhale_mcp_redact::{is_secret_name, safe_args, safe_line};

/// Characters shown of a line.
const WIDTH: usize = 100;

/// Shows the line that holds `offset`, a caret below it, both behind a gutter with the line's number. Values that may
/// be secret are masked character by character, so that the caret stays true.
pub(crate) fn excerpt(text: &str, line: Range<usize>, offset: usize, number: u32) -> String {
    // A file may be one line of many megabytes; only what can be shown is looked at closely.
    let start = text.floor_char_boundary(offset.saturating_sub(4 * WIDTH)).max(line.start);
    let end = text.floor_char_boundary(offset + 4 * WIDTH).min(line.end);
    let masked = Masker { text, line: start..end, offset, hidden: Vec::new(), stack: Vec::new() }.mask();
    frame(&masked, text[start..offset.min(end)].chars().count(), number)
}

/// The same for a line of TOML. Behind a key, and where it is not certain that there is one, everything that may be a
/// value is masked.
pub(crate) fn toml_excerpt(line: &str, caret: usize, number: u32) -> String {
    let bare = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "-_. \t".contains(c));
    let shown = match line.find('=') {
        Some(at) if bare(&line[..at]) => at,
        None if line.trim_start().starts_with('[') && bare(line.trim().trim_matches(['[', ']'])) => {
            line.len()
        }
        _ => 0,
    };
    let mask = |(at, c): (usize, char)| if at >= shown && c.is_alphanumeric() { '*' } else { c };
    frame(&line.char_indices().map(mask).collect::<String>(), caret, number)
}

fn frame(line: &str, caret: usize, number: u32) -> String {
    let from = caret.saturating_sub(WIDTH / 2);
    let visible = |c: char| if safe_line(c.encode_utf8(&mut [0; 4])).len() == c.len_utf8() { c } else { ' ' };
    let shown: String = line.chars().skip(from).take(WIDTH).map(visible).collect();
    let gutter = number.to_string();
    let blank = " ".repeat(gutter.len());
    format!("{gutter} | {}\n{blank} | {}^", shown.trim_end(), " ".repeat(caret - from))
}

/// Walks the text up to the end of the line, knowing the key of everything it meets; up to the fault the text is sound.
struct Masker<'t> {
    text: &'t str,
    line: Range<usize>,
    offset: usize,
    /// Parts of the line that stay hidden.
    hidden: Vec<Range<usize>>,
    stack: Vec<Level>,
}

enum Level {
    Object { key: String, at_key: bool },
    Array { previous: String },
}

impl Masker<'_> {
    fn mask(mut self) -> String {
        let mut at = 0;
        while at < self.line.end {
            let rest = &self.text[at..self.line.end];
            let length = match rest.as_bytes()[0] {
                b'{' => self.open(Level::Object { key: String::new(), at_key: true }),
                b'[' => self.open(Level::Array { previous: String::new() }),
                b'}' | b']' => {
                    self.stack.pop();
                    1
                }
                b':' => self.expect_key(Expect::Value),
                b',' => self.expect_key(Expect::Key),
                b'"' => self.string(at, rest),
                b'/' if rest.starts_with("//") => {
                    self.comment(at, rest.find(['\n', '\r']).unwrap_or(rest.len()))
                }
                b'/' if rest.starts_with("/*") => {
                    self.comment(at, rest.find("*/").map_or(rest.len(), |end| end + 2))
                }
                // JSON has four blanks, but any may stand in a text that is refused.
                _ if rest.starts_with(char::is_whitespace) => rest.chars().next().map_or(1, char::len_utf8),
                _ => self.word(at, rest),
            };
            at += length;
        }
        // The ranges are in order and do not overlap.
        let hidden = |at: usize| {
            let next = self.hidden.partition_point(|range| range.end <= at);
            self.hidden.get(next).is_some_and(|range| range.contains(&at))
        };
        let line = &self.text[self.line.clone()];
        line.char_indices().map(|(at, c)| if hidden(self.line.start + at) { '*' } else { c }).collect()
    }

    fn open(&mut self, level: Level) -> usize {
        self.stack.push(level);
        1
    }

    fn expect_key(&mut self, expect: Expect) -> usize {
        if let Some(Level::Object { at_key, .. }) = self.stack.last_mut() {
            *at_key = matches!(expect, Expect::Key);
        }
        1
    }

    fn string(&mut self, at: usize, rest: &str) -> usize {
        let mut escaped = false;
        let end = rest.char_indices().skip(1).find(|(_, c)| match c {
            _ if escaped => {
                escaped = false;
                false
            }
            '\\' => {
                escaped = true;
                false
            }
            c => *c == '"',
        });
        let content = &rest[1..end.map_or(rest.len(), |(end, _)| end)];
        let length = end.map_or(rest.len(), |(end, _)| end + 1);
        if self.is_hidden(at, content) {
            self.hide(at + 1..at + 1 + content.len());
        }
        self.remember(content);
        length
    }

    fn word(&mut self, at: usize, rest: &str) -> usize {
        let length = rest.find(|c: char| "{}[]:,\"".contains(c) || c.is_whitespace()).unwrap_or(rest.len());
        if self.is_hidden(at, &rest[..length]) {
            self.hide(at..at + length);
        }
        length
    }

    fn comment(&mut self, at: usize, length: usize) -> usize {
        let content = &self.text[at..at + length];
        if at > self.offset || safe_args(&[content]).first().is_none_or(|shown| *shown != safe_line(content))
        {
            self.hide(at + 2..at + length);
        }
        length
    }

    fn hide(&mut self, range: Range<usize>) {
        if range.end > self.line.start {
            self.hidden.push(range);
        }
    }

    fn remember(&mut self, content: &str) {
        match self.stack.last_mut() {
            Some(Level::Object { key, at_key: true }) => content.clone_into(key),
            Some(Level::Array { previous }) => content.clone_into(previous),
            _ => {}
        }
    }

    /// Whether what stands at `at` is shown and must not be; behind the fault nothing is certain.
    fn is_hidden(&self, at: usize, content: &str) -> bool {
        at + content.len() >= self.line.start && (at > self.offset || self.is_secret(content))
    }

    fn is_secret(&self, content: &str) -> bool {
        let named = match self.stack.last() {
            Some(Level::Object { at_key: true, .. }) => return false,
            Some(Level::Object { key, .. }) => is_secret_name(key),
            Some(Level::Array { previous }) => is_secret_name(previous),
            None => false,
        };
        let within =
            |level: &Level| matches!(level, Level::Object { key, .. } if key == "env" || key == "headers");
        named
            || self.stack.iter().any(within)
            || safe_args(&[content]).first().is_none_or(|shown| *shown != safe_line(content))
    }
}

enum Expect {
    Key,
    Value,
}
