//! What most tools answer, in the words of the SDKs that most servers are written with: one text and little else.

use super::unescape::unescaped;
use crate::scan::{is_plain, plain};
use crate::{CallToolResult, Content};

const BEGIN: &[u8] = br#"{"content":[{"type":"text","text":""#;

/// What may stand behind the text, and whether the tool failed then.
const ENDS: [(&[u8], bool); 3] =
    [(br#""}],"isError":false}"#, false), (br#""}]}"#, false), (br#""}],"isError":true}"#, true)];

/// The result, if it is in these very words: then it cannot mean anything else, and all but the text is known to be
/// UTF-8.
pub(crate) fn one_text(result: &[u8]) -> Option<CallToolResult> {
    let rest = result.strip_prefix(BEGIN)?;
    let (quoted, is_error) =
        ENDS.iter().find_map(|(end, is_error)| Some((rest.strip_suffix(*end)?, *is_error)))?;
    let text = match is_plain(quoted) {
        true => str::from_utf8(quoted).ok()?.to_owned(),
        false => escaped_text(rest, quoted.len())?,
    };
    Some(CallToolResult { content: vec![Content::text(text)], is_error, ..CallToolResult::default() })
}

/// The text, unless there is more behind it than its end.
#[inline(never)]
fn escaped_text(rest: &[u8], quoted: usize) -> Option<String> {
    let rest = str::from_utf8(rest).ok()?;
    let (text, length) = unescaped(rest, plain(rest.as_bytes())).ok()?;
    (length == quoted + 1).then_some(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::one_text;
    use crate::CallToolResult;

    /// Whether it is read here; if so, as `serde_json` reads it.
    fn is_read(result: &str) -> bool {
        let Some(read) = one_text(result.as_bytes()) else { return false };
        assert_eq!(Some(read), serde_json::from_str::<CallToolResult>(result).ok(), "{result}");
        true
    }

    #[test]
    fn one_text_is_read_and_nothing_else() {
        for result in [
            r#"{"content":[{"type":"text","text":"hello"}]}"#,
            r#"{"content":[{"type":"text","text":""}],"isError":false}"#,
            r#"{"content":[{"type":"text","text":"a\"}],\n\u00e9\ud83d\udc0b\\"}],"isError":true}"#,
            r#"{"content":[{"type":"text","text":"鲸鱼 \t, and a line that is long enough for vectors"}]}"#,
        ] {
            assert!(is_read(result), "{result}");
        }
        for result in [
            r#"{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#,
            r#"{"content":[{"type":"text","text":"a","text":"b"}]}"#,
            r#"{"content":[{"type":"text","text":"a\"}]}"#,
            r#"{"content":[{"type":"text","text":"\ud83d"}]}"#,
            r#"{"content":[{"type":"text","text":"\x"}]}"#,
            r#"{"content":[{"type":"text","text":"a","_meta":{}}],"isError":false}"#,
            r#"{"content":[{"type":"text","text":"a"}],"structuredContent":{}}"#,
            r#"{"content":[{"type":"text","text":"a"}]} "#,
            r#"{"content":[]}"#,
            "{\"content\":[{\"type\":\"text\",\"text\":\"a\tb\"}]}",
            "",
        ] {
            assert!(!is_read(result), "{result}");
        }
    }

    #[test]
    fn a_text_that_is_not_utf_8_is_not_read() {
        for text in [&b"\xff"[..], b"caf\xc3", b"\xc3\\n"] {
            let result = [br#"{"content":[{"type":"text","text":""#, text, br#""}]}"#].concat();
            assert_eq!(one_text(&result), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_alike(
            text in r#"([a-z é]{0,40}|\\["\\/bfnrtu]|\\u[0-9a-fA-F]{4}|\\ud83d\\udc0b|["\t,{}\\]){0,6}"#,
            end in prop::sample::select(vec![r#""}]}"#, r#""}],"isError":true}"#, r#""}],"isError":false}"#, "]}"]),
        ) {
            is_read(&format!(r#"{{"content":[{{"type":"text","text":"{text}{end}"#));
        }

        #[test]
        fn every_text_is_read(text: String) {
            let text = serde_json::Value::from(text);
            let result = format!(r#"{{"content":[{{"type":"text","text":{text}}}]}}"#);
            prop_assert!(is_read(&result));
        }
    }
}
