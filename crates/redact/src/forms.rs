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
        escaped,
        encoded.replace('+', "%20"),
        encoded,
        safe_line(text).into_owned(),
        safe_text(text).into_owned(),
    ];
    forms.into_iter().filter(move |form| form != text)
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
