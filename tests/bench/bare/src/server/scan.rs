//! Finds the members of a JSON object without reading their values.

use crate::sys::find;

/// So many bytes of a string are looked at one by one, since most strings end within them.
const NEAR: usize = 24;

/// The members of an object in their order, as they stand there; ends where the text is no object.
pub(super) fn members(text: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut at = match text.first() {
        Some(b'{') => 1,
        _ => text.len(),
    };
    std::iter::from_fn(move || {
        at = after_blanks(text, at);
        if text.get(at) == Some(&b',') {
            at = after_blanks(text, at + 1);
        }
        let key_end = after_string(text, at)?;
        let key = &text[at + 1..key_end - 1];
        let colon = after_blanks(text, key_end);
        if text.get(colon) != Some(&b':') {
            return None;
        }
        let begin = after_blanks(text, colon + 1);
        at = after_value(text, begin)?;
        Some((key, &text[begin..at]))
    })
}

/// The member of this name.
pub(super) fn member<'a>(text: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    members(text).find(|(key, _)| *key == name).map(|(_, value)| value)
}

fn after_blanks(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).count()
}

fn after_value(text: &[u8], begin: usize) -> Option<usize> {
    match text.get(begin)? {
        b'"' => after_string(text, begin),
        b'{' | b'[' => after_nested(text, begin),
        _ => {
            let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\r' | b'\n');
            text[begin..].iter().position(ends).map(|length| begin + length)
        }
    }
}

fn after_nested(text: &[u8], begin: usize) -> Option<usize> {
    let (mut at, mut depth) = (begin, 0_usize);
    loop {
        match text.get(at)? {
            b'"' => {
                at = after_string(text, at)?;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

fn after_string(text: &[u8], begin: usize) -> Option<usize> {
    if text.get(begin) != Some(&b'"') {
        return None;
    }
    let mut at = begin + 1;
    loop {
        let near = text.get(at..text.len().min(at + NEAR))?;
        at += match near.iter().position(|byte| matches!(byte, b'"' | b'\\')) {
            Some(more) => more,
            None => {
                let far = &text[at..];
                let quote = find(far, b'"')?;
                find(&far[..quote], b'\\').unwrap_or(quote)
            }
        };
        match text.get(at)? {
            b'"' => return Some(at + 1),
            _ => at += 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_members(text: &str, wanted: &[(&str, &str)]) {
        let found: Vec<_> = members(text.as_bytes()).collect();
        let wanted: Vec<_> = wanted.iter().map(|(key, value)| (key.as_bytes(), value.as_bytes())).collect();
        assert_eq!(found, wanted, "{text}");
    }

    #[test]
    fn values_stand_as_they_were_written() {
        assert_members("{}", &[]);
        assert_members(r#"{"a":1,"b":"x"}"#, &[("a", "1"), ("b", r#""x""#)]);
        assert_members(
            r#"{ "a" : [1, {"b": "]"}] , "c":{"d":null} }"#,
            &[("a", r#"[1, {"b": "]"}]"#), ("c", r#"{"d":null}"#)],
        );
        let long = format!(r#""{}\"{}\\""#, "a".repeat(100), "b".repeat(30));
        assert_members(&format!(r#"{{"t":{long},"z":true}}"#), &[("t", &long), ("z", "true")]);
    }

    #[test]
    fn what_is_no_object_has_no_members() {
        for text in ["", "[]", "1", r#"{"a"#, r#"{"a" 1}"#, r#"{"a":"\"#] {
            assert_members(text, &[]);
        }
    }

    #[test]
    fn a_member_is_found_by_its_name() {
        let text = br#"{"arguments":{"text":"x"},"name":"echo"}"#;
        assert_eq!(member(text, b"name"), Some(&br#""echo""#[..]));
        assert_eq!(member(text, b"text"), None);
    }
}
