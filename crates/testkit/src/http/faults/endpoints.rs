//! The deprecated transport, and the ways in which its stream and its endpoint go wrong.

use crate::http::mode::{Mode, row};
use crate::http::plan::{Passage, Plan};
use crate::http::response::Response;
use crate::options::Options;

pub(in crate::http) const MODES: &[Mode] = &[
    row(
        "sse",
        "--post STATUS",
        "the deprecated HTTP+SSE alone; a POST to its stream gets 405",
        |options, plan| {
            alone(plan);
            plan.event_stream.post = options.text("post").and_then(|text| text.parse().ok()).unwrap_or(405);
        },
    ),
    row("sse-absolute", "", "its endpoint is a whole URL", |_, plan| {
        endpoint(plan, &["http://127.0.0.1:{port}/weather/messages?session={}"]);
    }),
    row("sse-relative", "", "its endpoint is relative to the stream's URL", |_, plan| {
        endpoint(plan, &["messages?session={}"]);
    }),
    row("sse-query", "", "its endpoint is a query alone", |_, plan| endpoint(plan, &["?session={}"])),
    row("sse-network-path", "", "its endpoint has a host and no scheme", |_, plan| {
        endpoint(plan, &["//127.0.0.1:{port}/weather/messages?session={}"]);
    }),
    row("sse-other-origin", "", "its endpoint has another port", |_, plan| {
        endpoint(plan, &["http://127.0.0.1:{other}/weather/messages?session={}"]);
    }),
    row("sse-other-scheme", "", "its endpoint has another scheme", |_, plan| {
        endpoint(plan, &["https://127.0.0.1:{port}/weather/messages?session={}"]);
    }),
    row("sse-userinfo", "", "its endpoint has a user and a password", |_, plan| {
        endpoint(plan, &["http://user:secret@127.0.0.1:{port}/weather/messages?session={}#part"]);
    }),
    row("sse-no-endpoint", "", "there is no endpoint event", |_, plan| endpoint(plan, &[])),
    row("sse-second-endpoint", "", "a second endpoint event names another origin", |_, plan| {
        endpoint(
            plan,
            &["/weather/messages?session={}", "http://127.0.0.1:{other}/weather/messages?session={}"],
        );
    }),
    row("sse-dies", "", "the stream ends when a tool is called", |_, plan| {
        alone(plan);
        plan.event_stream.dies_on_call = true;
    }),
    row("sse-refuses-post", "--status N", "tool calls are refused with 400 or N", refuses_post),
];

fn alone(plan: &mut Plan) {
    endpoint(plan, &["/weather/messages?session={}"]);
}

fn endpoint(plan: &mut Plan, endpoints: &[&'static str]) {
    plan.path = "/weather/sse";
    plan.event_stream.alone = true;
    plan.event_stream.endpoints = endpoints.to_vec();
}

fn refuses_post(options: &Options, plan: &mut Plan) {
    alone(plan);
    let status = options.text("status").and_then(|text| text.parse().ok()).unwrap_or(400);
    plan.gate(move |knock| match knock.method {
        "tools/call" => Passage::Answer(Response::empty(status).body("no")),
        _ => Passage::Open,
    });
}
