//! The strings within a JSON text.

use std::borrow::Cow;

use crate::forms::json_escaped;

/// Replaces string values of a JSON text: `map` is given the outermost member that a value belongs to (empty if
/// there is none) and what it means, and says what stands there instead, if anything else. Everything else stays as it was written,
/// names of members too. A text that is no JSON comes back with such of its strings replaced as can be made out.
pub fn map_strings<'t>(text: &'t str, mut map: impl FnMut(&str, &str) -> Option<String>) -> Cow<'t, str> {
    let bytes = text.as_bytes();
    let (mut shown, mut copied) = (String::new(), 0);
    let (mut at, mut depth, mut member) = (0, 0usize, Cow::Borrowed(""));
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let end = string_end(bytes, at + 1);
                let inner = at + 1..end;
                let next = bytes[end..].iter().skip(1).find(|byte| !byte.is_ascii_whitespace());
                let meant = unescaped(&text[inner.clone()]);
                if next == Some(&b':') {
                    if depth == 1 {
                        member = meant;
                    }
                } else if let Some(value) = map(&member, &meant) {
                    shown.push_str(&text[copied..inner.start]);
                    shown.push_str(&json_escaped(&value));
                    copied = inner.end;
                }
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    shown.push_str(&text[copied..]);
    Cow::Owned(shown)
}

/// Where the closing quote stands, or the text ends.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

/// What the inside of a JSON string means.
fn unescaped(inner: &str) -> Cow<'_, str> {
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut units: Vec<u16> = Vec::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        let c = match c {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('b') => '\u{8}',
                Some('f') => '\u{c}',
                Some('u') => {
                    let hex: String = chars.by_ref().take(4).collect();
                    units.push(u16::from_str_radix(&hex, 16).unwrap_or(0xfffd));
                    continue;
                }
                Some(other) => other,
                None => '\\',
            },
            c => c,
        };
        units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
    }
    Cow::Owned(String::from_utf16_lossy(&units))
}
