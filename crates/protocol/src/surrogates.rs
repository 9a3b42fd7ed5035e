//! Halves of characters: a `\ud83d` without its other half, which programs write that cut text in the middle of a
//! character beyond the first 65,536.

/// The same JSON text with each lone half replaced by `\ufffd` (the replacement character), or `None` if it has none.
///
/// JSON allows such text (RFC 8259, section 8.2), Rust's strings cannot hold it.
#[must_use]
pub fn without_lone_surrogates(text: &str) -> Option<String> {
    let mut mended = String::new();
    let mut copied = 0;
    let mut at = 0;
    let bytes = text.as_bytes();
    while let Some(found) = memchr::memchr(b'\\', &bytes[at..]) {
        at += found;
        match unit(text, at) {
            None => at += 2.min(bytes.len() - at),
            Some(0xd800..0xdc00) if matches!(unit(text, at + UNIT), Some(0xdc00..0xe000)) => at += 2 * UNIT,
            Some(0xd800..0xe000) => {
                mended.push_str(&text[copied..at]);
                mended.push_str("\\ufffd");
                at += UNIT;
                copied = at;
            }
            Some(_) => at += UNIT,
        }
    }
    if copied == 0 {
        return None;
    }
    mended.push_str(&text[copied..]);
    Some(mended)
}

/// The bytes of `\uXXXX`.
const UNIT: usize = 6;

/// The number of the escape that stands at this place.
fn unit(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at + UNIT)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))
}

#[cfg(test)]
mod tests {
    use super::without_lone_surrogates;

    #[test]
    fn lone_halves_become_the_replacement_character_and_nothing_else_changes() {
        for (text, expected) in [
            (r#""a\ud83d""#, r#""a\ufffd""#),
            (r#""\udc0b\ud83d b""#, r#""\ufffd\ufffd b""#),
            (r#""\ud83d\ud83d\udc0b""#, r#""\ufffd\ud83d\udc0b""#),
            (r#""é\uD83Dé""#, r#""é\ufffdé""#),
        ] {
            assert_eq!(without_lone_surrogates(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            r#""\ud83d\udc0b""#,
            r#""\\ud83d""#,
            r#""\u00e9\n""#,
            r#""plain""#,
            r#""\u"#,
            r"\",
            r#""\u+123""#,
        ] {
            assert_eq!(without_lone_surrogates(text), None, "{text}");
        }
    }
}
