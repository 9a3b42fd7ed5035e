//! Answers that are more than anybody wants.

use crate::http::mode::{Mode, row};
use crate::http::plan::{Passage, Plan};
use crate::http::response::Response;
use crate::http::shape::{Answers, Filler};
use crate::options::Options;

pub(in crate::http) const MODES: &[Mode] = &[
    row("huge-json", BYTES, "a call's answer is JSON of 1 TB, or N bytes", |options, plan| {
        filler(options, plan, ENDLESS, Filler::Json);
    }),
    row("huge-event", BYTES, "a line of data of 1 TB stands before a call's answer", |options, plan| {
        filler(options, plan, ENDLESS, Filler::Data);
    }),
    row("keep-alives", BYTES, "10 MiB of comments stand before a call's answer", |options, plan| {
        filler(options, plan, 10 << 20, Filler::Comments);
    }),
    row("endless-keep-alives", BYTES, "1 TB of comments stands before a call's answer", |options, plan| {
        filler(options, plan, ENDLESS, Filler::Comments);
    }),
    row("huge-head", BYTES, "a header of 1 MiB", |options, plan| {
        let bytes = options.count("bytes", 1 << 20);
        plan.gate(move |_| Passage::Answer(Response::empty(200).with("X-Long", &"x".repeat(bytes))));
    }),
    row("huge-page", BYTES, "an error page of 4 MiB", |options, plan| {
        let bytes = options.count("bytes", 4 << 20);
        plan.gate(move |_| Passage::Answer(Response::html(500).body("<p>".repeat(bytes / 3))));
    }),
];

const BYTES: &str = "--bytes N";
/// More than a test will wait for.
const ENDLESS: u64 = 1 << 40;

fn filler(options: &Options, plan: &mut Plan, bytes: u64, filler: fn(u64) -> Filler) {
    let filler = filler(options.number("bytes", bytes));
    let answers = if matches!(filler, Filler::Json(_)) { Answers::Json } else { Answers::Events };
    plan.shape("tools/call", move |shape| {
        shape.answers = answers;
        shape.filler = filler;
    });
}
