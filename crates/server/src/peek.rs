//! Requests whose members stand in one of the two orders that clients write: found without reading their params.

/// A request as it seems to be. Whether its params are one JSON value, and nothing else, is for whoever reads them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Peeked<'a> {
    pub(crate) id: &'a str,
    pub(crate) method: &'a str,
    pub(crate) params: &'a str,
}

/// A request in a usual order; `None` means that the whole text has to be read.
pub(crate) fn peek(text: &str) -> Option<Peeked<'_>> {
    const VERSION_FIRST: &str = r#"{"jsonrpc":"2.0","id":"#;
    const METHOD_FIRST: &str = r#"{"method":""#;
    const VERSION_LAST: &str = r#","jsonrpc":"2.0","id":"#;
    let body = text.strip_suffix('}')?;
    if let Some(rest) = body.strip_prefix(VERSION_FIRST) {
        let (id, rest) = rest.split_at(id_length(rest.bytes())?);
        let (method, params) = named(rest.strip_prefix(r#","method":""#).filter(|_| is_plain_id(id))?)?;
        return Some(Peeked { id, method, params });
    }
    let (method, rest) = named(body.strip_prefix(METHOD_FIRST)?)?;
    let (rest, id) = rest.split_at(rest.len() - id_length(rest.bytes().rev())?);
    let params = rest.strip_suffix(VERSION_LAST)?;
    is_plain_id(id).then_some(Peeked { id, method, params })
}

/// How many bytes an id seems to have, seen from either of its ends.
fn id_length(mut bytes: impl Iterator<Item = u8> + Clone) -> Option<usize> {
    let digits = bytes.clone().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        return Some(digits);
    }
    // From its quote to the next one.
    (bytes.next()? == b'"').then_some(())?;
    bytes.position(|byte| byte == b'"').map(|between| between + 2)
}

/// A method's name up to its quote, and the params behind it.
fn named(text: &str) -> Option<(&str, &str)> {
    let (method, rest) = text.split_once('"')?;
    let params = rest.strip_prefix(r#","params":"#)?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b'.');
    (method.bytes().all(plain) && params.starts_with('{')).then_some((method, params))
}

/// A number that is written in one way only, or a text without escapes.
fn is_plain_id(id: &str) -> bool {
    if let Some(text) = id.strip_prefix('"').and_then(|id| id.strip_suffix('"')) {
        return text.bytes().all(|byte| (0x20..0x7f).contains(&byte) && !matches!(byte, b'"' | b'\\'));
    }
    (1..=18).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_digit())
        && (id == "0" || !id.starts_with('0'))
}

#[cfg(test)]
mod tests {
    use codewhale_mcp_protocol::method;

    use super::{Peeked, peek};

    #[test]
    fn a_request_in_a_usual_order_is_seen_and_no_other() {
        let seen = |id, params| Some(Peeked { id, method: method::TOOLS_CALL, params });
        for (text, expected) in [
            (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":1}}"#, seen("7", r#"{"a":1}"#)),
            (r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{}}"#, seen("\"x\"", "{}")),
            (r#"{"method":"tools/call","params":{},"jsonrpc":"2.0","id":0}"#, seen("0", "{}")),
            // What is not one value is found out by whoever reads it.
            (
                r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{},"id":8}"#,
                seen("7", r#"{},"id":8"#),
            ),
            (r#"{"jsonrpc":"2.0","id":07,"method":"tools/call","params":{}}"#, None),
            (r#"{"jsonrpc":"2.0","id":-7,"method":"tools/call","params":{}}"#, None),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{}}"#, None),
            (r#"{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{}}"#, None),
            (r#"{"jsonrpc":"2.0","id":"a\"b","method":"tools/call","params":{}}"#, None),
            (r#"{"jsonrpc":"2.0","id":7,"method":"tools\/call","params":{}}"#, None),
            (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}"#, None),
            (r#"{"jsonrpc":"2.0","method":"tools/call","params":{}}"#, None),
            (r#"{"method":"tools/call","params":{},"jsonrpc":"2.0","id":1,"x":2}"#, None),
        ] {
            assert_eq!(peek(text), expected, "{text}");
        }
    }
}
