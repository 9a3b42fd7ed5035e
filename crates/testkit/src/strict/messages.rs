//! The rules of requests, responses and notifications, apart from the shape of params.

use super::ledger::{Opening, Seen};
use super::{methods, shape};
use crate::base::{Base, MODERN};
use crate::features;
use crate::message::Message;
use serde_json::Value;

type Found = Option<String>;

/// The fault of a request; one without is entered into the ledger.
pub(super) fn request(message: &Message, base: &Base, seen: &mut Seen) -> Found {
    let fault = envelope(message)
        .or_else(|| id(message, base, seen))
        .or_else(|| place(message, base, seen))
        .or_else(|| contents(message, base, seen));
    if fault.is_none() {
        let (id, method) = (message.id()?.to_owned(), message.method()?);
        if method == "initialize" {
            seen.opening = Opening::Asked;
        }
        seen.open.insert(id.clone(), message.meta("progressToken"));
        seen.used.insert(id, method);
    }
    fault
}

/// The fault of a response to the server.
pub(super) fn response(message: &Message, modern: bool, seen: &Seen) -> Found {
    if modern {
        return Some("a response has no place in the modern era".to_owned());
    }
    let id = message.id()?;
    let Some((method, params)) = seen.asked.get(id) else {
        return (!seen.withdrawn.contains(id)).then(|| "nobody asked".to_owned());
    };
    let (result, error) = (message.member("result"), message.member("error"));
    envelope(message).or_else(|| match (result, error) {
        (Some(result), None) => features::fault(method, params, result),
        (None, Some(error)) => {
            let error: Value = serde_json::from_str(error).unwrap_or_default();
            let fits = error["code"].is_i64() && error["message"].is_string();
            (!fits).then(|| format!("the error is {error}"))
        }
        _ => Some("a response has either a result or an error".to_owned()),
    })
}

/// The fault of a notification.
pub(super) fn notification(message: &Message, modern: bool, base: &Base, seen: &mut Seen) -> Found {
    let Some(method) = message.method() else { return Some("a message has a method or an id".to_owned()) };
    let revision = if modern { MODERN } else { base.revision(message) };
    if !methods::is_known_notification(&method, revision) {
        return Some("this notification is unknown at this revision".to_owned());
    }
    envelope(message).or_else(|| match method.as_str() {
        "notifications/initialized" if seen.opening != Opening::Answered => {
            Some("initialize has not just been answered".to_owned())
        }
        "notifications/initialized" => {
            seen.opening = Opening::Done;
            None
        }
        "notifications/cancelled" => cancelled(message, revision, seen),
        "notifications/progress" => Some("the server gave no progress token".to_owned()),
        "notifications/roots/list_changed" => {
            let declared = base.client_capabilities(message)["roots"]["listChanged"] == true;
            (!declared).then(|| "roots.listChanged is not declared".to_owned())
        }
        _ => None,
    })
}

/// What every message must be.
fn envelope(message: &Message) -> Found {
    if message.member("jsonrpc") != Some(r#""2.0""#) {
        return Some("jsonrpc is not 2.0".to_owned());
    }
    if message.member("method").is_some() && message.method().is_none() {
        return Some("method is no string".to_owned());
    }
    let odd = message.member("params").filter(|params| !params.starts_with('{'));
    odd.map(|params| format!("params is {params}"))
}

fn id(message: &Message, base: &Base, seen: &Seen) -> Found {
    let id = message.id()?;
    let value: Value = serde_json::from_str(id).unwrap_or_default();
    if !(value.is_string() || value.is_i64() || value.is_u64()) {
        return Some("an id is a string or an integer".to_owned());
    }
    let reused =
        if base.is_modern(message) { seen.open.contains_key(id) } else { seen.used.contains_key(id) };
    reused.then(|| "the id has been used".to_owned())
}

/// Whether the era and the state of the connection allow this method.
fn place(message: &Message, base: &Base, seen: &Seen) -> Found {
    let method = message.method()?;
    let modern = base.is_modern(message);
    match (method.as_str(), seen.opening) {
        ("initialize", _) if seen.modern => Some("the server has said that it is modern".to_owned()),
        ("initialize", Opening::Nothing) => None,
        ("initialize", _) => Some("the connection is initialized already".to_owned()),
        _ if modern && !methods::is_known(&method, MODERN) => {
            Some("this method is unknown at this revision".to_owned())
        }
        _ if modern => None,
        ("server/discover", Opening::Nothing) => None,
        ("server/discover", _) => Some("a probe has no place after initialize".to_owned()),
        ("ping", _) => None,
        (_, Opening::Nothing | Opening::Asked) => Some("initialize comes first".to_owned()),
        (_, Opening::Answered) => Some("notifications/initialized comes first".to_owned()),
        (_, Opening::Done) => {
            let known = methods::is_known(&method, base.revision(message));
            (!known).then(|| "this method is unknown at this revision".to_owned())
        }
    }
}

fn contents(message: &Message, base: &Base, seen: &Seen) -> Found {
    let method = message.method()?;
    // A probe is a modern request, also when the server is not.
    let modern = base.is_modern(message) && method != "initialize" || method == "server/discover";
    let revision = if modern { MODERN } else { base.revision(message) };
    if modern && let Some(fault) = shape::meta_fault(message) {
        return Some(fault);
    }
    if !modern && message.meta("io.modelcontextprotocol/protocolVersion").is_some() {
        return Some("a legacy request has _meta of the modern era".to_owned());
    }
    if let Some(token) = message.meta("progressToken") {
        let value: Value = serde_json::from_str(&token).unwrap_or_default();
        if !(value.is_string() || value.is_i64() || value.is_u64()) {
            return Some("a progress token is a string or an integer".to_owned());
        }
        if seen.open.values().flatten().any(|known| *known == token) {
            return Some("the progress token is in use".to_owned());
        }
    }
    let told = !modern || seen.modern;
    if let Some(place) = methods::capability(&method, revision).filter(|_| told) {
        let declared: Value = serde_json::from_str(&base.capabilities_at(revision)).unwrap_or_default();
        if declared.pointer(place).is_none_or(|value| *value == false) {
            return Some(format!("the server has not declared {place}"));
        }
    }
    shape::fault(&method, message, revision, seen)
}

fn cancelled(message: &Message, revision: &str, seen: &mut Seen) -> Found {
    let Some(id) = message.param("requestId") else {
        return (revision != "2025-11-25").then(|| "requestId is missing".to_owned());
    };
    match seen.used.get(id).map(String::as_str) {
        None => Some(format!("{id} was never sent")),
        Some(method @ ("initialize" | "server/discover")) => Some(format!("{method} is not to be cancelled")),
        Some(_) => {
            seen.open.remove(id);
            None
        }
    }
}
