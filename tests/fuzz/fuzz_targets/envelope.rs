//! The two ways to read a message agree, and a message that is written again is the same message.

#![no_main]

use codewhale_mcp_protocol::{CallToolResult, Message, Reply, ReplyError, batch, range_in};
use libfuzzer_sys::fuzz_target;
use serde_json::value::RawValue;

fuzz_target!(|frame: &[u8]| {
    check_message(frame);
    check_peek(frame);
    if let Some(elements) = batch(frame) {
        check_batch(&elements);
    }
});

fn check_message(frame: &[u8]) {
    let Ok(message) = Message::parse(frame) else { return };
    assert_eq!(frame.trim_ascii_start().first(), Some(&b'{'), "a message is an object");
    let text = rewritten(&message);
    let again = Message::parse(text.as_bytes()).expect("a message that is written again is one");
    assert_eq!(rewritten(&again), text);
    match message {
        Message::Result { result, .. } => {
            let reply = Reply::Result(range_in(frame, result));
            let decoded = reply.decode::<&RawValue>(frame).expect("it was parsed");
            assert_eq!(decoded.get(), result.get());
        }
        Message::Error { error, .. } => {
            let reply = Reply::Error(range_in(frame, error));
            let told = reply.decode::<&RawValue>(frame).expect_err("an error is no result");
            assert!(matches!(told, ReplyError::Peer(_) | ReplyError::Form(_)), "{told:?}");
        }
        Message::Request { .. } | Message::Notification { .. } => {}
    }
}

fn rewritten(message: &Message<'_>) -> String {
    let members = match message {
        Message::Request { id, method, params } => [
            Some(("id", id.get())),
            Some(("method", &*quoted(method))),
            params.map(|it| ("params", it.get())),
        ]
        .map(written),
        Message::Notification { method, params } => {
            [None, Some(("method", &*quoted(method))), params.map(|it| ("params", it.get()))].map(written)
        }
        Message::Result { id, result } => {
            [None, Some(("id", id.get())), Some(("result", result.get()))].map(written)
        }
        Message::Error { id, error } => {
            [None, id.map(|id| ("id", id.get())), Some(("error", error.get()))].map(written)
        }
    };
    format!(r#"{{"jsonrpc":"2.0"{}}}"#, members.concat())
}

fn written(member: Option<(&str, &str)>) -> String {
    member.map(|(name, value)| format!(r#","{name}":{value}"#)).unwrap_or_default()
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a string has a JSON form")
}

/// What the quick look says is what the slow way says, or decoding tells.
fn check_peek(frame: &[u8]) {
    let Some((id, reply)) = Reply::peek(frame) else { return };
    let decoded = reply.decode::<&RawValue>(frame);
    match Message::parse(frame) {
        Ok(Message::Result { id: parsed, result }) => {
            assert_eq!(parsed.get(), id.to_string());
            assert_eq!(decoded.expect("it is a result").get(), result.get());
        }
        Ok(other) => panic!("not a result: {other:?}"),
        Err(fault) => {
            decoded.expect_err(&fault.to_string());
            reply.decode::<CallToolResult>(frame).expect_err(&fault.to_string());
        }
    }
}

/// Elements are values that stand in the text one after the other.
fn check_batch(elements: &[&RawValue]) {
    let texts: Vec<&str> = elements.iter().map(|element| element.get()).collect();
    let text = format!("[{}]", texts.join(","));
    let again = batch(text.as_bytes()).expect("a batch that is written again is one");
    assert!(again.iter().map(|element| element.get()).eq(texts.iter().copied()));
    for element in elements {
        check_message(element.get().as_bytes());
    }
}
