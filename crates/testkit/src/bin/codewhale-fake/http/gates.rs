//! The HTTP modes that answer in the server's place.

use super::request::Request;
use super::response::Response;
use super::wire::{Passage, Wire};
use crate::options::Options;

/// Requests of a session after so many get 404, once or until the client opens a new one.
pub(crate) fn lost_session(options: &Options, wire: &mut Wire) {
    wire.session = true;
    let (after, always) = (options.number("after", 2), options.has("always"));
    let body = options.word("body", "");
    let (mut seen, mut lost) = (0, false);
    wire.gates.push(Box::new(move |request| {
        if request.method != "POST" || request.header("mcp-session-id").is_none() {
            return Passage::Open;
        }
        seen += 1;
        if seen <= after || (lost && !always) {
            return Passage::Open;
        }
        lost = true;
        Passage::Answer(Response { body: body.clone().into_bytes(), ..Response::empty(404) })
    }));
}

/// 401 with a challenge until the right token comes.
pub(crate) fn unauthorized(options: &Options, wire: &mut Wire) {
    let wanted = format!("Bearer {}", options.word("token", "good-token"));
    let challenge = options.word("challenge", r#"Bearer realm="fake""#);
    wire.gates.push(Box::new(move |request| {
        if request.header("authorization") == Some(&wanted) {
            return Passage::Open;
        }
        Passage::Answer(Response::empty(401).with("WWW-Authenticate", &challenge))
    }));
}

/// 403 to everything.
pub(crate) fn forbidden(options: &Options, wire: &mut Wire) {
    let challenge = options.word("challenge", r#"Bearer error="insufficient_scope", scope="files:write""#);
    wire.gates
        .push(Box::new(move |_| Passage::Answer(Response::empty(403).with("WWW-Authenticate", &challenge))));
}

/// Sends every request elsewhere: to `--to`, or `--hops` times within itself before it is answered.
pub(crate) fn redirect(options: &Options, wire: &mut Wire) {
    let status = options.text("status").and_then(|text| text.parse().ok()).unwrap_or(307);
    let (to, hops) = (options.text("to"), options.number("hops", 1));
    wire.gates.push(Box::new(move |request: &Request| {
        let hop = request.target.strip_prefix("/hop/").and_then(|text| text.parse().ok()).unwrap_or(0);
        let target = match &to {
            Some(url) => url.clone(),
            None if hop < hops => format!("/hop/{}", hop + 1),
            None => return Passage::Open,
        };
        Passage::Answer(Response::empty(status).with("Location", &target))
    }));
}

/// The same answer to everything.
pub(crate) fn fixed(options: &Options, wire: &mut Wire) {
    let status = options.text("status").and_then(|text| text.parse().ok()).unwrap_or(500);
    let (body, kind) = (options.word("body", ""), options.text("type"));
    let retry = options.text("retry-after");
    wire.gates.push(Box::new(move |_| {
        let mut response = Response { body: body.clone().into_bytes(), ..Response::empty(status) };
        response.headers.extend(kind.clone().map(|kind| ("Content-Type".to_owned(), kind)));
        response.headers.extend(retry.clone().map(|retry| ("Retry-After".to_owned(), retry)));
        Passage::Answer(response)
    }));
}

/// Reads requests and never answers.
pub(crate) fn hang(_: &Options, wire: &mut Wire) {
    wire.gates.push(Box::new(|_| Passage::Silence));
}
