//! Answers whose status says it all.

use crate::http::mode::{Mode, row};
use crate::http::plan::{Passage, Plan};
use crate::http::response::Response;
use crate::options::Options;

pub(in crate::http) const MODES: &[Mode] = &[
    row("401", "--token TEXT --challenge TEXT", "wants a bearer token", unauthorized),
    row(
        "403",
        "--challenge TEXT --at METHOD",
        "the scope is not enough, for anything or for METHOD",
        |options, plan| {
            let challenge =
                options.word("challenge", r#"Bearer error="insufficient_scope", scope="files:write""#);
            let method = options.text("at");
            plan.gate(move |knock| match &method {
                Some(method) if knock.method != method => Passage::Open,
                _ => Passage::Answer(Response::empty(403).with("WWW-Authenticate", &challenge)),
            });
        },
    ),
    row("429", TIMES, "429 with Retry-After twice, then right", |options, plan| busy(options, plan, 429)),
    row("503", TIMES, "503 with Retry-After twice, then right", |options, plan| busy(options, plan, 503)),
    row("500-html", "--at METHOD", "500 with a page for everything, or for METHOD", |options, plan| {
        at(options, plan, || Response::html(500));
    }),
    row("502-empty", "--at METHOD", "502 with nothing for everything, or for METHOD", |options, plan| {
        at(options, plan, || Response::empty(502));
    }),
    row(
        "status",
        "--status N --type TEXT --body TEXT --retry-after N --at METHOD",
        "one answer to everything, or to METHOD",
        fixed,
    ),
];

const TIMES: &str = "--times N --retry-after TEXT --at METHOD";

fn unauthorized(options: &Options, plan: &mut Plan) {
    let wanted = format!("Bearer {}", options.word("token", "good-token"));
    let challenge = options.word("challenge", r#"Bearer realm="fake""#);
    plan.gate(move |knock| {
        if knock.request.header("authorization") == Some(&wanted) {
            return Passage::Open;
        }
        Passage::Answer(Response::empty(401).with("WWW-Authenticate", &challenge))
    });
}

fn busy(options: &Options, plan: &mut Plan, status: u16) {
    let retry = options.word("retry-after", "1");
    let (mut left, method) = (options.number("times", 2), options.text("at"));
    plan.gate(move |knock| {
        if left == 0 || method.as_ref().is_some_and(|method| method != knock.method) {
            return Passage::Open;
        }
        left -= 1;
        Passage::Answer(Response::html(status).with("Retry-After", &retry))
    });
}

fn at(options: &Options, plan: &mut Plan, answer: fn() -> Response) {
    let method = options.text("at");
    plan.gate(move |knock| match &method {
        Some(method) if knock.method != method => Passage::Open,
        _ => Passage::Answer(answer()),
    });
}

fn fixed(options: &Options, plan: &mut Plan) {
    let status = options.text("status").and_then(|text| text.parse().ok()).unwrap_or(418);
    let mut response = Response::empty(status).body(options.word("body", ""));
    response.headers.extend(options.text("type").map(|kind| ("Content-Type".to_owned(), kind)));
    response.headers.extend(options.text("retry-after").map(|retry| ("Retry-After".to_owned(), retry)));
    let method = options.text("at");
    plan.gate(move |knock| match &method {
        Some(method) if knock.method != method => Passage::Open,
        _ => Passage::Answer(response.clone()),
    });
}
