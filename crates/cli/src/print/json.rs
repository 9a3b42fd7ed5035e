//! JSON that is one line and holds no raw control character.

use std::fmt::Write as _;

use codewhale_mcp_redact::safe_line;
use serde::Serialize;

/// Encodes a value as one line, after `hide` took out of the text what must not be seen. Inside of strings, characters that could change what a terminal shows are written as
/// `\u` escapes, which mean the same to a reader of JSON; outside they can only be white space, and become blanks.
pub(crate) fn one_line(
    value: &impl Serialize,
    hide: impl FnOnce(String) -> String,
) -> Result<String, serde_json::Error> {
    let text = hide(serde_json::to_string(value)?);
    let harmless = |text: &str| matches!(safe_line(text), std::borrow::Cow::Borrowed(_));
    if harmless(&text) {
        return Ok(text);
    }
    let mut line = String::with_capacity(text.len() + 16);
    let mut buffer = [0; 4];
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => line.push(' '),
            c if harmless(c.encode_utf8(&mut buffer)) => line.push(c),
            c => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    // Writing to a `String` cannot fail.
                    let _ = write!(line, "\\u{unit:04x}");
                }
            }
        }
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_value_comes_back_and_no_control_character_leaves() {
        let text = "\u{1b}[2J \u{9b}31m \u{7f} \u{202e} \u{e0001} \r\n\t ok é 查";
        let line = one_line(&text, |text| text).unwrap();
        assert!(!line.chars().any(char::is_control), "{line:?}");
        assert!(!line.contains('\u{202e}') && !line.contains('\u{e0001}'), "{line:?}");
        assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);
    }

    #[test]
    fn a_raw_value_keeps_its_numbers_and_loses_its_line_breaks() {
        let raw = serde_json::value::RawValue::from_string("{\n\t\"n\": 1.00e+2 }".into()).unwrap();
        assert_eq!(one_line(&raw, |text| text).unwrap(), "{  \"n\": 1.00e+2 }");
    }
}
