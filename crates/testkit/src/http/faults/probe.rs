//! Legacy servers, and what they say to a modern probe.

use crate::http::mode::{Mode, row};
use crate::http::plan::{Eras, Passage, Plan};
use crate::http::response::Response;

pub(in crate::http) const MODES: &[Mode] = &[
    row("probe-400-empty", "", "a legacy server that answers a probe with 400 and nothing", |_, plan| {
        says(plan, || Response::empty(400));
    }),
    row("probe-400-server", "", "… with 400 and -32000", |_, plan| {
        says(plan, || error(400, -32000, "Bad Request: Server not initialized"));
    }),
    row("probe-400-request", "", "… with 400 and -32600", |_, plan| {
        says(plan, || error(400, -32600, "Missing session ID"));
    }),
    row("probe-400-params", "", "… with 400 and -32602", |_, plan| {
        says(plan, || error(400, -32602, "initialize first"));
    }),
    row("probe-404-html", "", "… with 404 and a page", |_, plan| says(plan, || Response::html(404))),
    row("probe-405", "", "… with 405", |_, plan| says(plan, || Response::empty(405))),
    row("probe-406", "", "… with 406", |_, plan| {
        says(plan, || error(406, -32000, "Not Acceptable: Client must accept text/event-stream"));
    }),
    row("probe-200-method", "", "… with 200 and -32601", |_, plan| {
        says(plan, || own_error(200, -32601, "Method not found"));
    }),
    row("probe-404-method", "", "… with 404 and -32601", |_, plan| {
        says(plan, || own_error(404, -32601, "Method not found"));
    }),
    row("probe-200-params", "", "… with 200 and -32602", |_, plan| {
        says(plan, || own_error(200, -32602, "Invalid request parameters"));
    }),
    row("probe-200-result", "", "… with 200 and a result that says nothing of versions", |_, plan| {
        says(plan, || Response::json(200, r#"{"jsonrpc":"2.0","id":ID,"result":{}}"#));
    }),
    row("probe-202", "", "… with 202 and nothing", |_, plan| says(plan, || Response::empty(202))),
];

/// An error of nobody, as servers write it that have not looked at the request.
fn error(status: u16, code: i32, text: &str) -> Response {
    Response::json(
        status,
        format!(r#"{{"jsonrpc":"2.0","error":{{"code":{code},"message":"{text}"}},"id":null}}"#),
    )
}

/// An error with the id of the request, which stands where `ID` does.
fn own_error(status: u16, code: i32, text: &str) -> Response {
    Response::json(
        status,
        format!(r#"{{"jsonrpc":"2.0","id":ID,"error":{{"code":{code},"message":"{text}"}}}}"#),
    )
}

fn says(plan: &mut Plan, answer: fn() -> Response) {
    plan.eras = Eras::Legacy;
    plan.gate(move |knock| {
        if knock.method != "server/discover" {
            return Passage::Open;
        }
        let answer = answer();
        let id = knock.message.and_then(|message| message.id()).unwrap_or("null");
        let body = String::from_utf8_lossy(&answer.body).replace("\"id\":ID", &format!("\"id\":{id}"));
        Passage::Answer(answer.body(body))
    });
}
