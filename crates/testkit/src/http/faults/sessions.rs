//! Sessions that get lost, and those that should not be.

use crate::http::mode::{Mode, row};
use crate::http::plan::{Eras, Knock, Passage, Plan, Sessions};
use crate::http::response::Response;
use crate::options::Options;

pub(in crate::http) const MODES: &[Mode] = &[
    row("session-lost-404", LOST, "a session gets 404 at its third request, once", |options, plan| {
        let body = options.word("body", "");
        lost(options, plan, move |_| Response::empty(404).body(body.clone()));
    }),
    row("session-lost-400", LOST, "… gets 400 with a word of sessions", |options, plan| {
        let body = options.word("body", "Bad Request: No valid session ID provided");
        lost(options, plan, move |_| {
            Response::empty(400).with("Content-Type", "text/plain").body(body.clone())
        });
    }),
    row("session-lost-200", LOST, "… gets 200 with events that say Session not found", |options, plan| {
        let body = options.word("body", r#"{"error":"Session not found"}"#);
        lost(options, plan, move |_| {
            let events = format!("event: message\ndata: {body}\n\n");
            Response::empty(200).with("Content-Type", "text/event-stream").body(events)
        });
    }),
    row("session-none", "", "a legacy server without sessions or handshake", |_, plan| {
        plan.eras = Eras::Legacy;
        plan.sessions = Sessions::None;
    }),
    row("session-odd", "", "a session id that no header should have", |_, plan| {
        plan.eras = Eras::Legacy;
        plan.sessions = Sessions::OddlyNamed;
    }),
    row("session-modern", "", "modern answers with a session id and ids of events", |_, plan| {
        plan.eras = Eras::Modern;
        plan.shape("*", |shape| {
            shape.more.push(("MCP-Session-Id", "modern-session".to_owned()));
            shape.retry = Some(1);
        });
    }),
];

const LOST: &str = "--after N --body TEXT [--always]";

/// Requests of a session after so many are refused, once for all sessions or for each of them.
fn lost(options: &Options, plan: &mut Plan, answer: impl Fn(&Knock<'_>) -> Response + Send + 'static) {
    plan.eras = Eras::Legacy;
    let (after, always) = (options.number("after", 2), options.has("always"));
    let (mut seen, mut lost): (u64, Vec<String>) = (0, Vec::new());
    plan.gate(move |knock| {
        let Some(session) = knock.request.header("mcp-session-id").filter(|_| !knock.method.is_empty())
        else {
            return Passage::Open;
        };
        let is_lost = lost.iter().any(|known| known == session);
        if !is_lost {
            seen += 1;
            if seen <= after || (!always && !lost.is_empty()) {
                return Passage::Open;
            }
            seen = 0;
            lost.push(session.to_owned());
        }
        Passage::Answer(answer(knock))
    });
}
