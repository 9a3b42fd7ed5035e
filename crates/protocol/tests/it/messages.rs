//! Envelopes and replies.

use codewhale_mcp_protocol::{ErrorObject, Message, Reply, ReplyError, Revision, batch};
use proptest::prelude::*;

fn kind(text: &str) -> String {
    match Message::parse(text.as_bytes()) {
        Ok(Message::Request { id, method, params }) => {
            format!("request {} {method} {}", id.get(), params.map_or("-", |params| params.get()))
        }
        Ok(Message::Notification { method, params }) => {
            format!("notification {method} {}", params.map_or("-", |params| params.get()))
        }
        Ok(Message::Result { id, result }) => format!("result {} {}", id.get(), result.get()),
        Ok(Message::Error { id, error }) => {
            format!("error {} {}", id.map_or("-", |id| id.get()), error.get())
        }
        Err(fault) => format!("fault: {fault}"),
    }
}

#[test]
fn a_message_is_known_by_its_members() {
    for (text, expected) in [
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "request 1 ping -"),
        (r#"{"jsonrpc":"2.0","id":"a-b","method":"x","params":{"n":1e30}}"#, r#"request "a-b" x {"n":1e30}"#),
        (r#"{"jsonrpc":"2.0","id":-5,"method":"m\u0061"}"#, "request -5 ma -"),
        (r#"{"jsonrpc":"2.0","method":"n"}"#, "notification n -"),
        (r#"{"jsonrpc":"2.0","id":null,"method":"n"}"#, "notification n -"),
        (r#"{"jsonrpc":"2.0","id":9007199254740993,"result":{}}"#, "result 9007199254740993 {}"),
        (r#"{"jsonrpc":"2.0","id":1,"result":{},"error":null}"#, "result 1 {}"),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#, r#"error 1 {"code":1}"#),
        (r#"{"jsonrpc":"2.0","id":null,"error":{}}"#, "error - {}"),
        (r#"{"jsonrpc":"2.0","error":{}}"#, "error - {}"),
        (r#"{"jsonrpc":"2.0","id":1.5,"result":{}}"#, "fault: an id is neither a string nor an integer"),
        (r#"{"jsonrpc":"2.0","id":[],"method":"x"}"#, "fault: an id is neither a string nor an integer"),
        (r#"{"jsonrpc":"2.0","id":1}"#, "fault: a response has neither a result nor an error"),
        (r#"{"id":1,"result":{}}"#, "fault: not a JSON-RPC 2.0 message"),
        (r#"["2.0",1,"ping"]"#, "fault: not a JSON-RPC message: a message is an object"),
        (r#"{"jsonrpc":"2.0"}"#, "fault: a message has neither a method nor an id"),
        (
            "5",
            "fault: not a JSON-RPC message: invalid type: integer `5`, expected an object at line 1 column 1",
        ),
    ] {
        assert_eq!(kind(text), expected, "{text}");
    }
}

#[test]
fn a_batch_is_an_array() {
    let elements = batch(br#"[{"a":1},{"b":[2]}]"#).unwrap();
    assert_eq!(
        elements.iter().map(|element| element.get()).collect::<Vec<_>>(),
        [r#"{"a":1}"#, r#"{"b":[2]}"#]
    );
    assert!(batch(b"[INFO] started").is_none());
    assert!(batch(b"{}").is_none());
    let many = |count: usize| format!("[{}]", vec!["{}"; count].join(","));
    assert_eq!(batch(many(10_000).as_bytes()).map(|elements| elements.len()), Some(10_000));
    assert!(batch(many(10_001).as_bytes()).is_none());
}

#[test]
fn an_error_reply_is_the_peers_word() {
    let frame = br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2025-06-18"]}}}"#;
    let Ok(Message::Error { error, .. }) = Message::parse(frame) else { panic!("an error") };
    let reply = Reply::Error(codewhale_mcp_protocol::range_in(frame, error));
    let Err(ReplyError::Peer(error)) = reply.decode::<ErrorObject>(frame) else { panic!("the peer's error") };
    assert!(error.is_modern());
    assert_eq!(error.supported_versions(), ["2025-06-18"]);
}

#[test]
fn revisions_are_compared_as_strings() {
    for revision in Revision::ALL {
        assert_eq!(Revision::parse(revision.as_str()), Some(revision));
    }
    assert_eq!(Revision::parse("2025-6-18"), None);
    assert_eq!(Revision::parse(" 2025-06-18"), None);
}

proptest! {
    /// The quick look and the full parse agree on whose reply it is and on what it says.
    #[test]
    fn a_quick_look_never_says_anything_else_than_a_full_parse(
        id in any::<u64>(),
        result in prop::sample::select(vec!["{}", "[1,{\"result\":2}]", "\"}\"", "{\"jsonrpc\":\"2.0\",\"id\":7}", "null", "{", "{},\"id\":3", "1,\"error\":{}"]),
        order in 0..4_usize,
    ) {
        let text = match order {
            0 => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
            1 => format!(r#"{{"result":{result},"jsonrpc":"2.0","id":{id}}}"#),
            2 => format!(r#"{{"id":{id},"jsonrpc":"2.0","result":{result}}}"#),
            _ => format!(r#"{{"jsonrpc":"2.0","result":{result},"id":{id}}}"#),
        };
        if let Some((found, reply)) = Reply::peek(text.as_bytes()) {
            let quick = reply.decode::<serde_json::Value>(text.as_bytes()).ok();
            let full = match Message::parse(text.as_bytes()) {
                Ok(Message::Result { id, result }) => {
                    prop_assert_eq!(id.get(), found.to_string());
                    serde_json::from_str(result.get()).ok()
                }
                _ => None,
            };
            prop_assert_eq!(quick, full, "{}", text);
        }
    }

    #[test]
    fn no_text_makes_the_parsers_panic(text in prop::collection::vec(any::<u8>(), 0..120)) {
        let _ = Message::parse(&text);
        let _ = batch(&text);
        if let Some((_, reply)) = Reply::peek(&text) {
            let _ = reply.decode::<serde_json::Value>(&text);
        }
    }
}
