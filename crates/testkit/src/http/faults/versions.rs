//! Modern servers that refuse a version.

use crate::base::{MODERN, Reply};
use crate::http::mode::{Mode, row};
use crate::http::plan::{Eras, Knock, Passage, Plan};
use crate::http::response::Response;
use crate::options::Options;

pub(in crate::http) const MODES: &[Mode] = &[
    row("version-refused-once", "--at METHOD", "-32022 once, with the same version in its list", |o, p| {
        once(o, p);
    }),
    row("version-unknown", "", "-32022 always, with a version nobody knows", |_, plan| {
        always(plan, r#""2026-10-01""#);
    }),
    row("version-legacy-only", "", "a probe gets -32022 with legacy versions alone", |_, plan| {
        plan.eras = Eras::Legacy;
        plan.gate(|knock| match knock.method {
            "server/discover" => refuse(knock, r#""2025-11-25","2025-06-18""#),
            _ => Passage::Open,
        });
    }),
    row("version-without-data", "", "-32022 always, with no list of versions", |_, plan| {
        plan.eras = Eras::Modern;
        plan.gate(|knock| {
            let id = knock.message.and_then(|message| message.id()).unwrap_or("null");
            let reply = Reply::error(id, -32022, "unsupported protocol version", None);
            Passage::Answer(Response::json(400, reply.render()))
        });
    }),
];

fn once(options: &Options, plan: &mut Plan) {
    plan.eras = Eras::Modern;
    let (method, mut refused) = (options.word("at", "server/discover"), false);
    plan.gate(move |knock| {
        if refused || knock.method != method {
            return Passage::Open;
        }
        refused = true;
        refuse(knock, &format!("\"{MODERN}\""))
    });
}

fn always(plan: &mut Plan, supported: &'static str) {
    plan.eras = Eras::Modern;
    plan.gate(move |knock| refuse(knock, supported));
}

fn refuse(knock: &Knock<'_>, supported: &str) -> Passage {
    let meta = |name: &str| knock.message.and_then(|message| message.meta(name));
    let requested = meta("io.modelcontextprotocol/protocolVersion").unwrap_or_else(|| "null".to_owned());
    let data = format!(r#"{{"supported":[{supported}],"requested":{requested}}}"#);
    let id = knock.message.and_then(|message| message.id()).unwrap_or("null");
    let reply = Reply::error(id, -32022, "unsupported protocol version", Some(&data));
    Passage::Answer(Response::json(400, reply.render()))
}
