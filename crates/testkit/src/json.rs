//! Writes JSON text by hand, so that no library can mend what a mode wants broken.

use std::fmt::Write as _;

/// `text` as a JSON string with its quotes.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\u{0}'..='\u{1f}' => {
                write!(out, "\\u{:04x}", u32::from(character)).expect("a String takes any text");
            }
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

/// A content block of type text.
pub(crate) fn text_block(text: &str) -> String {
    format!(r#"{{"type":"text","text":{}}}"#, quote(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_reads_back_as_it_was() {
        for text in ["", "plain", "\"\\\n\r\t\u{1b}[2J\u{0}", "naïve — 漢字 🐋"] {
            assert_eq!(serde_json::from_str::<String>(&quote(text)).unwrap(), text);
        }
    }
}
