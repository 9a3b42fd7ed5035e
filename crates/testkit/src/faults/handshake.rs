//! Openings that go wrong: ignored probes, refused versions, no initialize.

use super::setup::Setup;
use crate::base::{Era, Handshake, MODERN, Reply};
use crate::fault::Flow;
use crate::json::quote;
use crate::message::Message;
use crate::options::Options;

/// Methods it does not know get no answer at all.
pub(crate) fn ignore_probe(_: &Options, setup: &mut Setup) {
    setup.on_reply(
        "*",
        |reply, _| if reply.body.contains(r#""code":-32601"#) { Flow::Handled } else { Flow::Pass },
    );
}

/// A probe makes it deaf: nothing after it is answered, `initialize` neither. `--always` needs no probe.
pub(crate) fn wedge(options: &Options, setup: &mut Setup) {
    let mut deaf = options.has("always");
    setup.on_message("*", move |message, _| {
        deaf |= message.is_method("server/discover");
        if deaf { Flow::Handled } else { Flow::Pass }
    });
}

/// Answers everything without a handshake, and refuses `initialize`.
pub(crate) fn no_initialize(_: &Options, setup: &mut Setup) {
    setup.base.handshake = Handshake::NotNeeded;
    setup.on_message("initialize", |message, context| {
        let id = message.id().unwrap_or("null");
        context.out.message(Reply::error(id, -32601, "method initialize not found", None).render());
        Flow::Handled
    });
}

/// `initialize` answers a version nobody asked for.
pub(crate) fn wrong_version(options: &Options, setup: &mut Setup) {
    setup.base.version = Some(options.word("answer", "1999-01-01"));
}

/// Refuses the version once though it speaks it; with `--none` always, and offers `--offer` alone.
pub(crate) fn modern_refuse(options: &Options, setup: &mut Setup) {
    setup.base.era = Era::Modern;
    let always = options.has("none");
    let offer = options.word("offer", if always { "2026-10-01" } else { MODERN });
    let mut refused = false;
    setup.on_message("*", move |message, context| {
        if !message.is_request() || message.is_method("initialize") || (refused && !always) {
            return Flow::Pass;
        }
        refused = true;
        context.out.message(unsupported(message, &offer).render());
        Flow::Handled
    });
}

/// Refuses the version of the first request of a method, though it speaks it and took it before.
pub(crate) fn another_revision(options: &Options, setup: &mut Setup) {
    setup.base.era = Era::Modern;
    let (method, mut refused) = (options.word("at", "tools/list"), false);
    setup.on_message("*", move |message, context| {
        if refused || !message.is_method(&method) {
            return Flow::Pass;
        }
        refused = true;
        context.out.message(unsupported(message, MODERN).render());
        Flow::Handled
    });
}

fn unsupported(message: &Message, offer: &str) -> Reply {
    let asked = message.meta("io.modelcontextprotocol/protocolVersion").unwrap_or_else(|| quote(MODERN));
    let data = format!(r#"{{"supported":[{}],"requested":{asked}}}"#, quote(offer));
    Reply::error(message.id().unwrap_or("null"), -32022, "unsupported protocol version", Some(&data))
}
