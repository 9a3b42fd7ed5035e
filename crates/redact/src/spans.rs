//! Which parts of a text are secret.

use std::borrow::Cow;
use std::ops::Range;

use url::form_urlencoded;

use crate::detect::{is_known_token, is_secret_name, is_token_char};
use crate::words::{accounts, follower, password, words};
use crate::{REDACTED, Secret, address};

/// The parts of a text that look like a secret, in order; none overlaps another.
pub(crate) fn spans(text: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    pairs(text, &mut spans);
    urls(text, &mut spans);
    tokens(text, &mut spans);
    flags(text, 0, &mut spans);
    merged(spans)
}

/// What stands behind flags, and the passwords of accounts, word by word; a quoted word is looked through too.
fn flags(text: &str, start: usize, spans: &mut Vec<Range<usize>>) {
    let shifted = |span: Range<usize>, by: usize| span.start + by..span.end + by;
    let words = words(text);
    for (at, word) in words.iter().enumerate() {
        spans.extend(accounts(text, word).map(|span| shifted(span, start)));
        if let (Some(follows), Some(next)) = (follower(&text[word.clone()]), words.get(at + 1)) {
            spans.extend(follows.span(&text[next.clone()]).map(|span| shifted(span, start + next.start)));
        }
        if word.len() < text.len() && text[word.clone()].contains(char::is_whitespace) {
            flags(&text[word.clone()], start + word.start, spans);
        }
    }
}

/// Puts parts in order and those that overlap together.
pub(crate) fn merged(mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    spans.retain(|span| !span.is_empty());
    spans.sort_by_key(|span| (span.start, span.end));
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
}

/// The text with these parts hidden.
pub(crate) fn cover(text: &str, spans: &[Range<usize>]) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut copied = 0;
    for span in spans {
        shown.push_str(&text[copied..span.start]);
        shown.push_str(REDACTED);
        copied = span.end;
    }
    shown.push_str(&text[copied..]);
    shown
}

/// These parts as values that can be looked for: each whole, what follows a name in it, and both decoded.
pub(crate) fn secrets(text: &str, spans: &[Range<usize>]) -> Vec<Secret<String>> {
    let mut secrets = Vec::new();
    for span in spans {
        let whole = &text[span.clone()];
        secrets.push(whole.to_owned());
        if let Some(password) = password(whole) {
            secrets.push(password.to_owned());
        }
    }
    let decoded = |text: &String| {
        let decoded = percent_decoded(text);
        (decoded != *text).then(|| decoded.into_owned())
    };
    let more: Vec<String> = secrets.iter().filter_map(decoded).collect();
    secrets.extend(more);
    secrets.into_iter().map(Secret::new).collect()
}

fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    // Outside of forms a `+` is itself, and `&` and `=` are no separators.
    let text = text.replace('+', "%2B").replace('&', "%26").replace('=', "%3D");
    form_urlencoded::parse(text.as_bytes()).map(|(name, _)| name.into_owned()).collect()
}

/// The value of every `name=value`, `name: value` and `"name": "value"` whose name announces a secret.
fn pairs(text: &str, spans: &mut Vec<Range<usize>>) {
    let mut from = 0;
    while let Some(found) = text[from..].find(['=', ':']) {
        let separator = from + found;
        from = separator + 1;
        let (name_start, name) = name_before(&text[..separator]);
        // `://` belongs to a URL, which has its own rules.
        if !is_secret_name(name) || text[separator..].starts_with("://") {
            continue;
        }
        let value_start = from + (text[from..].len() - text[from..].trim_start().len());
        let value = &text[value_start..];
        let span = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value_start + 1..quoted_end(text, value_start + 1, quote),
            _ if text[..name_start].trim_start_matches('-').is_empty() => value_start..text.len(),
            _ => {
                let length = value.find(|c: char| c.is_whitespace() || "&;,}])\"'".contains(c));
                value_start..value_start + length.unwrap_or(value.len())
            }
        };
        from = from.max(span.end);
        spans.push(span);
    }
}

/// The name that ends where `text` ends, without the quotes around it, and where it starts.
fn name_before(text: &str) -> (usize, &str) {
    let text = text.trim_end().trim_end_matches(['"', '\'', '\\']);
    let length = text
        .chars()
        .rev()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
        .map(char::len_utf8);
    let start = text.len() - length.sum::<usize>();
    (start, &text[start..])
}

fn quoted_end(text: &str, start: usize, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text[start..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return start + at,
            _ => {}
        }
    }
    text.len()
}

/// The credentials of every URL.
fn urls(text: &str, spans: &mut Vec<Range<usize>>) {
    let mut from = 0;
    while let Some(found) = text[from..].find("://") {
        let scheme = text[from..from + found]
            .chars()
            .rev()
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
        let start = from + found - scheme.count();
        let length = text[start..].find(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
        let end = length.map_or(text.len(), |length| start + length);
        spans.extend(
            address::spans(&text[start..end]).into_iter().map(|span| span.start + start..span.end + start),
        );
        from = end;
    }
}

/// Every run of token characters that is a known token, and what stands behind `Bearer`.
fn tokens(text: &str, spans: &mut Vec<Range<usize>>) {
    let (mut previous, mut from) = ("", 0);
    while from < text.len() {
        let run = text[from..].find(|c| !is_token_char(c)).map_or(text.len(), |run| from + run);
        let word = &text[from..run];
        let bearer = previous.eq_ignore_ascii_case("bearer") || previous.eq_ignore_ascii_case("basic");
        // `name=token` is one run, and so is a path that ends in a token.
        let at = word.rfind(['=', '/']).filter(|at| at + 1 < word.len()).map_or(0, |at| at + 1);
        if (bearer && word.len() >= 6) || is_known_token(word) {
            spans.push(from..run);
        } else if is_known_token(&word[at..]) {
            spans.push(from + at..run);
        }
        if !word.is_empty() {
            previous = word;
        }
        from = text[run..].find(is_token_char).map_or(text.len(), |gap| run + gap);
    }
}
