//! What is answered to a message.

use super::scan::{member, members};

/// What the answers are made of.
#[derive(Debug)]
pub(super) struct Answers {
    /// Whether `server/discover` is known, and results say that they are complete.
    pub(super) modern: bool,
    /// Results of `tools/list`.
    pub(super) pages: Vec<Vec<u8>>,
}

/// Whether something was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answered {
    Yes,
    /// A message that wants no answer.
    No,
}

impl Answers {
    /// Writes the answer to `message` behind what is in `out`, without a line end.
    pub(super) fn answer(&self, message: &[u8], out: &mut Vec<u8>) -> Answered {
        let (mut id, mut method, mut params) = (None, &b""[..], &b"{}"[..]);
        for (key, value) in members(message) {
            match key {
                b"id" => id = Some(value),
                b"method" => method = value,
                b"params" => params = value,
                _ => {}
            }
        }
        let Some(id) = id else { return Answered::No };
        out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        out.extend_from_slice(id);
        match method {
            br#""tools/call""# => self.call(params, out),
            br#""tools/list""# => {
                out.extend_from_slice(br#","result":"#);
                out.extend_from_slice(self.page(params));
            }
            br#""initialize""# => {
                out.extend_from_slice(br#","result":{"protocolVersion":"#);
                out.extend_from_slice(member(params, b"protocolVersion").unwrap_or(br#""2025-06-18""#));
                out.extend_from_slice(
                    br#","capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1.0.0"}}"#,
                );
            }
            br#""server/discover""# if self.modern => out.extend_from_slice(DISCOVERED),
            br#""ping""# => out.extend_from_slice(br#","result":{}"#),
            _ => out.extend_from_slice(br#","error":{"code":-32601,"message":"Method not found"}"#),
        }
        out.push(b'}');
        Answered::Yes
    }

    fn call(&self, params: &[u8], out: &mut Vec<u8>) {
        let arguments = member(params, b"arguments").unwrap_or(b"{}");
        let text = member(arguments, b"text").unwrap_or(br#""""#);
        out.reserve(text.len() + 128);
        out.extend_from_slice(br#","result":{"content":[{"type":"text","text":"#);
        out.extend_from_slice(text);
        out.extend_from_slice(br#"}],"isError":false"#);
        if self.modern {
            out.extend_from_slice(br#","resultType":"complete""#);
        }
        out.push(b'}');
    }

    /// The page that the cursor names, the first without one.
    fn page(&self, params: &[u8]) -> &[u8] {
        let cursor = member(params, b"cursor").and_then(|cursor| std::str::from_utf8(cursor).ok());
        let number = cursor.and_then(|cursor| cursor.trim_matches('"').parse().ok()).unwrap_or(0);
        &self.pages[self.pages.len().saturating_sub(1).min(number)]
    }
}

const DISCOVERED: &[u8] = br#","result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bench","version":"1.0.0"}}}"#;

#[cfg(test)]
mod tests {
    use super::super::tools::pages;
    use super::*;

    fn answer(message: &str, modern: bool) -> Option<String> {
        let answers = Answers { modern, pages: pages(3, 2, modern) };
        let mut out = Vec::new();
        match answers.answer(message.as_bytes(), &mut out) {
            Answered::Yes => Some(String::from_utf8(out).unwrap()),
            Answered::No => None,
        }
    }

    #[test]
    fn the_text_of_a_call_comes_back_as_it_was_written() {
        let call = r#"{"jsonrpc":"2.0","id":"a\"b","method":"tools/call","params":{"name":"echo","arguments":{"text":"x\"y"}}}"#;
        let plain = r#"{"jsonrpc":"2.0","id":"a\"b","result":{"content":[{"type":"text","text":"x\"y"}],"isError":false}}"#;
        assert_eq!(answer(call, false).unwrap(), plain);
        assert!(answer(call, true).unwrap().ends_with(r#""isError":false,"resultType":"complete"}}"#));
    }

    #[test]
    fn pages_are_found_by_their_cursor() {
        let list = |params| format!(r#"{{"id":1,"method":"tools/list","params":{params}}}"#);
        assert!(answer(&list("{}"), false).unwrap().ends_with(r#""nextCursor":"1"}}"#));
        assert!(answer(&list(r#"{"cursor":"1"}"#), false).unwrap().ends_with("}}]}}"));
    }

    #[test]
    fn the_handshake_is_that_of_the_era() {
        let discover = r#"{"id":1,"method":"server/discover"}"#;
        assert!(answer(discover, false).unwrap().contains("-32601"));
        assert!(answer(discover, true).unwrap().contains(r#"["2026-07-28"]"#));
        let initialize = r#"{"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#;
        assert!(answer(initialize, false).unwrap().contains(r#""protocolVersion":"2025-11-25""#));
        assert_eq!(answer(r#"{"method":"notifications/initialized"}"#, false), None);
    }
}
