//! Answers that break off, stall, or are to be fetched later.

use crate::http::mode::{Mode, row};
use crate::http::plan::{Eras, Passage, Plan};
use crate::http::shape::{Answers, Ending, Polling, Stall};
use crate::options::Options;

pub(in crate::http) const MODES: &[Mode] = &[
    row(
        "cut",
        CUT,
        "the connection ends after N bytes of a call's answer, or as its `cut` says",
        |o, plan| {
            let (bytes, as_asked) = (o.count("bytes", 0), o.has("as-asked"));
            let retry = o.text("retry").and_then(|text| text.parse().ok());
            plan.shape(method(o), move |shape| {
                (shape.cut, shape.cut_as_asked, shape.retry) = (Some(bytes), as_asked, retry);
            });
        },
    ),
    row("no-answer", "--at METHOD", "a call's stream ends without its answer", |options, plan| {
        plan.shape(method(options), |shape| {
            shape.answers = Answers::Events;
            shape.ending = Ending::Lost;
        });
    }),
    row("no-event-ids", "", "a legacy call's stream breaks off, and has no ids to resume by", |_, plan| {
        plan.eras = Eras::Legacy;
        plan.shape("*", |shape| shape.ids = false);
        plan.shape("tools/call", |shape| shape.ending = Ending::Broken);
    }),
    row("broken-stream", "", "a legacy call's stream breaks off before its answer", |_, plan| {
        plan.eras = Eras::Legacy;
        plan.shape("tools/call", |shape| shape.ending = Ending::Broken);
    }),
    row(
        "polling",
        POLLING,
        "a legacy call's stream is closed at once, its answer is to be fetched",
        |o, p| {
            polling(o, p, Polling::Once);
        },
    ),
    row("polling-never", POLLING, "… and is closed again whenever it is fetched", |options, plan| {
        polling(options, plan, Polling::Always);
    }),
    row("resume-refused", "--status N --retry MS", "… and cannot be fetched (405)", |options, plan| {
        polling(options, plan, Polling::Once);
        plan.resume = Some(options.text("status").and_then(|text| text.parse().ok()).unwrap_or(405));
    }),
    row("answer-twice", "", "events with a call's answer come twice", |_, plan| {
        plan.shape("tools/call", |shape| shape.ending = Ending::Twice);
    }),
    row("silent", "--at METHOD", "requests, or those of METHOD, are taken and never answered", |o, plan| {
        let method = o.text("at");
        plan.gate(move |knock| match &method {
            Some(method) if knock.method != method => Passage::Open,
            _ => Passage::Silence,
        });
    }),
    row("stalled-head", "--at METHOD", "a call is at work for ever", |options, plan| {
        plan.shape(method(options), |shape| shape.stall = Stall::Head);
    }),
    row("stalled-body", "--at METHOD", "a call gets the head of an answer and no more", |options, plan| {
        plan.shape(method(options), |shape| {
            shape.answers = Answers::Events;
            shape.stall = Stall::Body;
        });
    }),
];

const CUT: &str = "--bytes N --at METHOD --retry MS [--as-asked]";
const POLLING: &str = "--retry MS";

fn method(options: &Options) -> String {
    options.word("at", "tools/call")
}

fn polling(options: &Options, plan: &mut Plan, polling: Polling) {
    plan.eras = Eras::Legacy;
    let retry = options.number("retry", 50);
    plan.shape("tools/call", move |shape| {
        shape.answers = Answers::Events;
        shape.polling = polling;
        shape.retry = Some(retry);
    });
}
