//! What most tools answer, one text, written without looking for anything else.

use codewhale_mcp_protocol::{CallToolResult, Content, ContentType, Meta, write_json};

/// The text of a result that is nothing but that.
pub(crate) fn one_text(result: &CallToolResult) -> Option<&str> {
    let CallToolResult {
        result_type: None,
        content,
        structured_content: None,
        is_error: false,
        meta: None,
        extra,
    } = result
    else {
        return None;
    };
    let [
        Content {
            kind: ContentType::Text,
            text: Some(text),
            data: None,
            mime_type: None,
            resource: None,
            title: None,
            annotations: None,
            meta: None,
            more: None,
            extra: beside,
        },
    ] = content.as_slice()
    else {
        return None;
    };
    (extra.is_empty() && beside.is_empty()).then_some(text)
}

/// Writes such a result; with a signature as the modern era has it.
pub(crate) fn write_one_text(text: &str, signature: Option<&Meta>, out: &mut Vec<u8>) {
    if signature.is_some() {
        out.extend_from_slice(br#"{"resultType":"complete","content":[{"type":"text","text":"#);
    } else {
        out.extend_from_slice(br#"{"content":[{"type":"text","text":"#);
    }
    write_json(text, out).expect("a text has a JSON form");
    out.extend_from_slice(b"}]");
    if let Some(signature) = signature {
        out.extend_from_slice(br#","_meta":"#);
        out.extend_from_slice(signature.json().as_str().as_bytes());
    }
    out.push(b'}');
}

#[cfg(test)]
mod tests {
    use codewhale_mcp_protocol::{Implementation, Json, MetaMembers, ResultType};

    use super::*;

    #[test]
    fn it_is_written_as_any_result_is() {
        let content = vec![Content::text("a\"\u{7}b\u{2028}")];
        let result = CallToolResult { content, ..CallToolResult::default() };
        let text = one_text(&result).unwrap();
        let server_info = Some(Implementation { name: "n".into(), ..Implementation::default() });
        let meta = Meta::from(&MetaMembers { server_info, ..MetaMembers::default() });
        let mut out = Vec::new();
        write_one_text(text, None, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), serde_json::to_string(&result).unwrap());
        let mut out = Vec::new();
        write_one_text(text, Some(&meta), &mut out);
        let signed = CallToolResult {
            result_type: Some(ResultType::Complete),
            meta: Some(meta),
            content: result.content.clone(),
            ..CallToolResult::default()
        };
        assert_eq!(String::from_utf8(out).unwrap(), serde_json::to_string(&signed).unwrap());
    }

    #[test]
    fn what_is_more_than_a_text_is_not_taken_for_one() {
        let text = || CallToolResult { content: vec![Content::text("x")], ..CallToolResult::default() };
        let null = Json::from_text("null").ok();
        let mut two = text();
        two.content.push(Content::text("y"));
        let mut beside = text();
        beside.content[0].extra.push("x", Json::default());
        let others = [
            CallToolResult { is_error: true, ..text() },
            CallToolResult { structured_content: null, ..text() },
            CallToolResult::default(),
            two,
            beside,
        ];
        for other in others {
            assert_eq!(one_text(&other), None, "{other:?}");
        }
    }
}
