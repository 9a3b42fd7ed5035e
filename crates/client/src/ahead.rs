//! What a page of a list says about the next one, before the page is read.
//!
//! To read a page takes a client about as long as it takes a server to write one, so the next is asked for first. What
//! is found here is a guess: whoever has read the page compares.

/// How far from the end of a result the cursor is looked for.
const NEAR: usize = 1024;

const MEMBER: &[u8] = br#","nextCursor":""#;

/// The cursor of the next page, where a result ends with it, or with it and a few members without structure.
pub(crate) fn next_cursor(result: &[u8]) -> Option<&str> {
    let tail = &result[result.len().saturating_sub(NEAR)..];
    let members = tail.trim_ascii_end().strip_suffix(b"}")?;
    // Looked at from the end, where most results have a list: then nothing is looked for.
    let begin = members.iter().rposition(|byte| b"{}[]\\".contains(byte)).map_or(0, |at| at + 1);
    let flat = &members[begin..];
    let at = flat.windows(MEMBER.len()).position(|window| window == MEMBER)?;
    let cursor = flat[at + MEMBER.len()..].split(|byte| *byte == b'"').next()?;
    std::str::from_utf8(cursor).ok().filter(|cursor| !cursor.contains(char::is_control))
}

#[cfg(test)]
mod tests {
    use super::next_cursor;

    #[test]
    fn the_cursor_is_found_at_the_end_of_a_result() {
        for (result, cursor) in [
            (r#"{"tools":[{"name":"a"}],"nextCursor":"2"}"#, Some("2")),
            (r#"{"tools":[],"nextCursor":"","ttlMs":0,"cacheScope":"private"} "#, Some("")),
            (r#"{"tools":[]}"#, None),
            (r#"{"tools":[{"name":"a","nextCursor":"2"}]}"#, None),
            (r#"{"tools":[],"nextCursor":"2","_meta":{}}"#, None),
            (r#"{"tools":[],"nextCursor":"a\"b"}"#, None),
            (r#"{"tools":[],"nextCursor":"a[0]"}"#, None),
            (r#"{"tools":[],"nextCursor":"a","nextCursor":"b"}"#, Some("a")),
            (r#"{"tools":[{"name":",\"nextCursor\":\"2"}]}"#, None),
            (r#"{"tools":[],"nextCursor":null}"#, None),
            ("", None),
        ] {
            assert_eq!(next_cursor(result.as_bytes()), cursor, "{result}");
        }
    }
}
