//! Text of strangers, made harmless to a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Makes text of several lines safe to print: line feeds and tabs stay, every other character that could move the
/// cursor, start an escape sequence, reorder the text or hide in it becomes visible as `\u{1b}`.
///
/// A carriage return before a line feed is dropped, any other is shown as `\r`.
pub fn safe_text(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| is_unsafe(c) && c != '\n' && c != '\t') {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' | '\t' => safe.push(c),
            '\r' if chars.peek() == Some(&'\n') => {}
            c => push_escaped(&mut safe, c),
        }
    }
    Cow::Owned(safe)
}

/// Makes text safe to print within one line: as [`safe_text`], and line feeds and tabs become `\n` and `\t`.
pub fn safe_line(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        push_escaped(&mut safe, c);
    }
    Cow::Owned(safe)
}

/// Makes JSON safe to print, as one line of the same value: inside of strings what [`safe_line`] shows otherwise is
/// written as `\u` escapes; outside it can only be white space, and becomes blanks.
pub fn safe_json(json: &str) -> Cow<'_, str> {
    if !json.chars().any(is_unsafe) {
        return Cow::Borrowed(json);
    }
    let mut safe = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        match c {
            '\n' | '\r' | '\t' => safe.push(' '),
            c if is_unsafe(c) => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    // Writing to a `String` cannot fail.
                    let _ = write!(safe, "\\u{unit:04x}");
                }
            }
            c => safe.push(c),
        }
    }
    Cow::Owned(safe)
}

fn push_escaped(safe: &mut String, c: char) {
    match c {
        '\n' => safe.push_str("\\n"),
        '\r' => safe.push_str("\\r"),
        '\t' => safe.push_str("\\t"),
        c if is_unsafe(c) => {
            // Writing to a `String` cannot fail.
            let _ = write!(safe, "\\u{{{:x}}}", u32::from(c));
        }
        c => safe.push(c),
    }
}

/// C0 and C1 controls, DEL, and what is invisible or reorders its neighbours: such text can pass for other text.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{3164}'
            | '\u{feff}' | '\u{ffa0}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}
