//! Messages as they leave: one compact text each, without an end of line.

use codewhale_mcp_protocol::{ErrorObject, write_json};
use serde::Serialize;

/// An answer, whose result is written by the caller.
pub(crate) fn result(id: &str, out: &mut Vec<u8>, result: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    out.extend_from_slice(id.as_bytes());
    out.extend_from_slice(br#","result":"#);
    result(out);
    out.push(b'}');
}

/// A refusal; without an id where none could be read.
pub(crate) fn error(id: Option<&str>, error: &ErrorObject, out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","#);
    if let Some(id) = id {
        out.extend_from_slice(br#""id":"#);
        out.extend_from_slice(id.as_bytes());
        out.push(b',');
    }
    out.extend_from_slice(br#""error":"#);
    write_json(error, out).expect("wire types have a JSON form");
    out.push(b'}');
}

/// A notification.
pub(crate) fn notification<T: Serialize + ?Sized>(method: &str, params: &T) -> Vec<u8> {
    message(None, method, params)
}

/// A request of ours (legacy).
pub(crate) fn request<T: Serialize + ?Sized>(id: u64, method: &str, params: &T) -> Vec<u8> {
    message(Some(id), method, params)
}

fn message<T: Serialize + ?Sized>(id: Option<u64>, method: &str, params: &T) -> Vec<u8> {
    let mut out = Vec::with_capacity(256);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","#);
    if let Some(id) = id {
        out.extend_from_slice(format!("\"id\":{id},").as_bytes());
    }
    out.extend_from_slice(br#""method":"#);
    write_json(method, &mut out).expect("a text has a JSON form");
    out.extend_from_slice(br#","params":"#);
    write_json(params, &mut out).expect("wire types have a JSON form");
    out.push(b'}');
    out
}
