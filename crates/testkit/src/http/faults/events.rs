//! Event streams in every form the format allows, and some it does not.

use crate::http::mode::{Mode, row};
use crate::http::plan::Plan;
use crate::http::shape::{Answers, Shape};
use crate::http::wire::Pieces;

pub(in crate::http) const MODES: &[Mode] = &[
    row("events-crlf", "", "lines end with CRLF, parted between the two", |_, plan| {
        every(plan, |shape| {
            shape.framing.ends = &["\r\n"];
            shape.pieces = Pieces::AfterReturn;
        });
    }),
    row("events-cr", "", "lines end with CR", |_, plan| every(plan, |shape| shape.framing.ends = &["\r"])),
    row("events-mixed", "", "lines end in every way, in turn", |_, plan| {
        every(plan, |shape| shape.framing.ends = &["\r\n", "\n", "\r"]);
    }),
    row("events-bom", "", "streams begin with a byte order mark", |_, plan| {
        every(plan, |shape| shape.preamble.insert(0, '\u{feff}'));
    }),
    row("events-spread", "", "JSON is spread over many lines of data", |_, plan| {
        every(plan, |shape| shape.framing.spread = true);
    }),
    row("events-split", "", "every byte comes alone", |_, plan| {
        every(plan, |shape| shape.pieces = Pieces::EveryByte);
    }),
    row("events-unnamed", "", "events have no name and no space after colons", |_, plan| {
        every(plan, |shape| {
            shape.framing.named = false;
            shape.framing.space = "";
        });
    }),
    row("events-comments", "", "comments, unknown fields and empty events between", |_, plan| {
        every(plan, |shape| {
            shape.preamble.push_str(
                ": still here\n\nunknown: field\n\nevent\n\nretry: soon\n\nid: a\u{0}b\n\n:\n\nevent: ping\ndata: {}\n\n",
            );
        });
    }),
    row("events-batch", "", "2025-03-26: a call's answer is an array with a notification", |_, plan| {
        plan.builders.push(|_, setup| setup.base.version = Some("2025-03-26".to_owned()));
        plan.eras = crate::http::plan::Eras::Legacy;
        plan.shape("tools/call", |shape| shape.batch = true);
    }),
];

fn every(plan: &mut Plan, spoil: fn(&mut Shape)) {
    plan.shape("*", move |shape| {
        shape.answers = Answers::Events;
        spoil(shape);
    });
}
