//! Servers that are somewhere else, or say so.

use crate::http::mode::{Mode, row};
use crate::http::plan::{Knock, Passage, Plan};
use crate::http::response::Response;
use crate::options::Options;

pub(in crate::http) const MODES: &[Mode] = &[
    row("redirect-307", "--hops N", "307 to another path of the same origin", |options, plan| {
        let hops = options.number("hops", 1);
        plan.gate(move |knock| {
            let hop = path(knock).strip_prefix("/hop/").and_then(|text| text.parse().ok()).unwrap_or(0);
            if hop < hops { to(307, &format!("/hop/{}", hop + 1)) } else { Passage::Open }
        });
    }),
    row("redirect-308-slash", "", "308 to the same path with a slash", |_, plan| slash(plan, 308)),
    row("redirect-301", "", "301 to the same path with a slash", |_, plan| slash(plan, 301)),
    row("redirect-302", "", "302 to the same path with a slash", |_, plan| slash(plan, 302)),
    row("redirect-303", "", "303 to the same path with a slash", |_, plan| slash(plan, 303)),
    row("redirect-other-origin", "--to URL", "307 to another port, or to URL", other_origin),
    row("redirect-loop", "", "307 to itself, for ever", |_, plan| {
        plan.gate(|knock| to(307, path(knock)));
    }),
    row("redirect-nowhere", "", "307 without a Location", |_, plan| {
        plan.gate(|_| Passage::Answer(Response::empty(307)));
    }),
];

fn path<'a>(knock: &Knock<'a>) -> &'a str {
    knock.request.path.as_str()
}

fn to(status: u16, target: &str) -> Passage {
    Passage::Answer(Response::empty(status).with("Location", target))
}

fn slash(plan: &mut Plan, status: u16) {
    plan.gate(move |knock| {
        if path(knock).ends_with('/') { Passage::Open } else { to(status, &format!("{}/", path(knock))) }
    });
}

/// The other origin answers as this one does, so that a client that follows is seen to.
fn other_origin(options: &Options, plan: &mut Plan) {
    let url = options.text("to");
    plan.gate(move |knock| {
        if knock.request.port == knock.other {
            return Passage::Open;
        }
        let there = format!("http://127.0.0.1:{}{}", knock.other, path(knock));
        to(307, url.as_deref().unwrap_or(&there))
    });
}
