//! JSON that is one line and holds no raw control character.

use codewhale_mcp_redact::safe_json;
use serde::Serialize;

/// Encodes a value as one line that is safe to print, after `hide` took out of the text what must not be seen.
pub(crate) fn one_line(
    value: &impl Serialize,
    hide: impl FnOnce(String) -> String,
) -> Result<String, serde_json::Error> {
    Ok(safe_json(&hide(serde_json::to_string(value)?)).into_owned())
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
