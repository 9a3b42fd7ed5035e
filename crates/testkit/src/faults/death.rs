//! Ways to be gone: exits at bad moments, a stdout that closes.

use super::setup::Setup;
use crate::fault::Flow;
use crate::options::Options;

/// Exits when a tool is called, after `--after` calls that were answered; `--half` leaves half an answer behind.
pub(crate) fn die_on_call(options: &Options, setup: &mut Setup) {
    let (code, text, half) = (options.code(1), options.text("stderr"), options.has("half"));
    let mut answered = options.count("after", 0);
    setup.on_message("tools/call", move |message, context| {
        if answered > 0 {
            answered -= 1;
            return Flow::Pass;
        }
        if half {
            let id = message.id().unwrap_or("null");
            context.out.raw(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":["#).as_bytes());
        }
        say(text.as_deref());
        Flow::Exit(code)
    });
}

/// Exits before it reads anything.
pub(crate) fn die_on_start(options: &Options, setup: &mut Setup) {
    let (code, text) = (options.code(1), options.text("stderr"));
    setup.at_start(move |_| {
        say(text.as_deref());
        Flow::Exit(code)
    });
}

/// Exits when the first message is not `initialize`.
pub(crate) fn exit_on_unknown(options: &Options, setup: &mut Setup) {
    let (code, mut opened) = (options.code(1), false);
    setup.on_message("*", move |message, _| {
        if opened || message.is_method("initialize") {
            opened = true;
            return Flow::Pass;
        }
        say(Some("expected initialize"));
        Flow::Exit(code)
    });
}

/// Closes stdout and stays, reading on.
pub(crate) fn close_stdout(options: &Options, setup: &mut Setup) {
    if options.word("at", "call") == "start" {
        setup.at_start(|_| Flow::Exit(stay_without_stdout()));
    } else {
        setup.on_message("tools/call", |_, _| Flow::Exit(stay_without_stdout()));
    }
}

/// Only a new program image gives up the descriptor for good.
#[cfg(unix)]
fn stay_without_stdout() -> i32 {
    use std::os::unix::process::CommandExt as _;
    let fault = super::processes::myself(&["hang"]).stdout(std::process::Stdio::null()).exec();
    crate::complain(&format!("cannot start again: {fault}"));
    1
}

#[cfg(not(unix))]
fn stay_without_stdout() -> i32 {
    crate::complain("close-stdout needs unix");
    2
}

fn say(text: Option<&str>) {
    if let Some(text) = text {
        crate::complain(text);
    }
}
