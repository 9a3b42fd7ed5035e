//! Kinds of answers: content types, and servers that do what their era does not allow.

use crate::fault::Flow;
use crate::http::mode::{Mode, row};
use crate::http::plan::{Eras, Passage, Plan};
use crate::http::response::Response;
use crate::http::shape::Shape;

pub(in crate::http) const MODES: &[Mode] = &[
    row("type-charset", "", "content types in odd case, with parameters", |_, plan| {
        every(plan, |shape| {
            shape.json_type = Some("Application/JSON;charset=utf-8".to_owned());
            shape.events_type = Some("Text/Event-Stream; charset=UTF-8".to_owned());
        });
    }),
    row("type-missing", "", "answers have no content type", |_, plan| {
        every(plan, |shape| (shape.json_type, shape.events_type) = (None, None));
    }),
    row("type-html", "", "answers are said to be pages", |_, plan| {
        every(plan, |shape| {
            shape.json_type = Some("text/html".to_owned());
            shape.events_type = Some("text/html".to_owned());
        });
    }),
    row("page", "", "200 with a page to everything", |_, plan| {
        plan.gate(|_| Passage::Answer(Response::html(200)));
    }),
    row("empty-200", "", "200 with nothing for a call", |_, plan| for_calls(plan, || Response::empty(200))),
    row("empty-202", "", "202 with nothing for a call", |_, plan| for_calls(plan, || Response::empty(202))),
    row("no-json", "", "200 and JSON that is none for a call", |_, plan| {
        for_calls(plan, || Response::json(200, r#"{"jsonrpc":"2.0","id":1,"result":{"#));
    }),
    row("modern-asks", "", "a modern server that sends a request on a call's stream", |_, plan| {
        plan.eras = Eras::Modern;
        plan.builders.push(|_, setup| {
            setup.on_message("tools/call", |_, context| {
                context.out.message(r#"{"jsonrpc":"2.0","id":"s","method":"ping"}"#);
                Flow::Pass
            });
        });
    }),
    row("connection-dropped", "", "connections are closed after one answer, without a word", |_, plan| {
        plan.drops_connections = true;
    }),
    row(
        "list-changed",
        "",
        "a modern server whose list grows as soon as there is a subscription",
        |_, plan| {
            plan.eras = Eras::Modern;
            plan.grows_when_heard = true;
        },
    ),
];

fn every(plan: &mut Plan, spoil: fn(&mut Shape)) {
    plan.shape("*", spoil);
}

fn for_calls(plan: &mut Plan, answer: fn() -> Response) {
    plan.gate(move |knock| match knock.method {
        "tools/call" => Passage::Answer(answer()),
        _ => Passage::Open,
    });
}
