//! The forms that one text has within others.

use std::fmt::Write as _;

use url::form_urlencoded;

use crate::{safe_line, safe_text};

/// How a text is written within JSON, a URL, and where control characters are made visible, if that is another text.
pub(crate) fn forms(text: &str) -> impl Iterator<Item = String> {
    let encoded: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
    let escaped = json_escaped(text);
    let forms = [
        safe_line(&escaped).into_owned(),
        json_escaped(&escaped),
        ascii(&escaped),
        escaped,
        encoded.replace('+', "%20"),
        encoded,
        safe_line(text).into_owned(),
        safe_text(text).into_owned(),
    ];
    forms.into_iter().filter(move |form| form != text)
}

/// The same with escapes for what is not ASCII, as some write JSON.
fn ascii(escaped: &str) -> String {
    let mut ascii = String::with_capacity(escaped.len());
    for c in escaped.chars() {
        match c.is_ascii() {
            true => ascii.push(c),
            false => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                let _ = write!(ascii, "\\u{unit:04x}");
            }),
        }
    }
    ascii
}

/// What stands between the quotes of a JSON string.
pub(crate) fn json_escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            '\u{8}' => escaped.push_str("\\b"),
            '\u{c}' => escaped.push_str("\\f"),
            c if u32::from(c) < 0x20 => {
                // Writing to a `String` cannot fail.
                let _ = write!(escaped, "\\u{:04x}", u32::from(c));
            }
            c => escaped.push(c),
        }
    }
    escaped
}
