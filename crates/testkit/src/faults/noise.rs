//! Bytes that are no answer: banners, bursts, floods, odd line ends.

use super::setup::Setup;
use crate::base::progress;
use crate::fault::{Context, Flow};
use crate::options::Options;
use crate::out::Style;
use std::io::Write as _;

/// A banner on stdout, as loggers that forgot stderr write it.
pub(crate) fn junk_first(options: &Options, setup: &mut Setup) {
    let count = options.number("count", 36);
    setup.at_start(move |context| {
        for number in 1..=count {
            context.out.raw(format!("[INFO] starting module {number} of {count}\n").as_bytes());
        }
        context.out.raw(b"\x1b[32mready\x1b[0m on stdio \x1b]0;fake\x07\n");
        Flow::Pass
    });
}

/// Plain lines before every answer, one of which looks like the start of JSON.
pub(crate) fn junk_between(_: &Options, setup: &mut Setup) {
    setup.on_reply("*", |_, context| {
        context.out.raw(b"handling a request\n{ not json\n\x1b[31mred\x1b[0m\n");
        Flow::Pass
    });
}

/// A line before every answer that is JSON but for two bytes that are no UTF-8.
pub(crate) fn bad_utf8(_: &Options, setup: &mut Setup) {
    setup.on_reply("*", |_, context| {
        context.out.raw(
            b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"\xff\xfe\"}}\n",
        );
        Flow::Pass
    });
}

/// One byte a write, with characters of two, three and four bytes among them.
pub(crate) fn split_bytes(_: &Options, setup: &mut Setup) {
    setup.style = Style::Bytes;
    setup.base.instructions.get_or_insert_with(|| "naïve — 漢字 🐋".to_owned());
}

/// A byte order mark first, carriage returns, and blank lines between messages.
pub(crate) fn crlf(_: &Options, setup: &mut Setup) {
    setup.style = Style::Crlf;
    setup.at_start(|context| {
        context.out.raw(b"\xef\xbb\xbf");
        Flow::Pass
    });
}

/// Letters without a line feed, for ever or for so many bytes.
pub(crate) fn flood(options: &Options, setup: &mut Setup) {
    let mut left = options.number("bytes", u64::MAX);
    let mut pour = move |context: &mut Context<'_>| {
        let chunk = [b'x'; 65536];
        while left > 0 {
            let size = chunk.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            context.out.raw(&chunk[..size]);
            left -= size as u64;
        }
        Flow::Handled
    };
    if options.word("at", "call") == "start" {
        setup.at_start(pour);
    } else {
        setup.on_message("tools/call", move |_, context| pour(context));
    }
}

/// Fills the stderr pipe many times over before a tool list is answered.
pub(crate) fn stderr_flood(options: &Options, setup: &mut Setup) {
    let (count, bytes) = (options.number("count", 200), options.count("bytes", 45_000));
    setup.on_message("tools/list", move |_, _| {
        let mut line = vec![b'e'; bytes];
        line.push(b'\n');
        for _ in 0..count {
            // A closed stderr is the client's affair.
            let _ = std::io::stderr().write_all(&line);
        }
        Flow::Pass
    });
}

/// Progress and log notifications before a call is answered.
pub(crate) fn notify_burst(options: &Options, setup: &mut Setup) {
    let count = options.number("count", 1000);
    setup.on_message("tools/call", move |message, context| {
        let token = message.meta("progressToken");
        for number in 1..=count {
            if let Some(token) = &token {
                context.out.message(progress(token, number, count));
            }
            context.out.message(format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"debug","data":"burst {number}"}}}}"#
            ));
        }
        Flow::Pass
    });
}

/// Notifications nobody knows, and known ones at the wrong time, before every answer.
pub(crate) fn unknown_notifications(_: &Options, setup: &mut Setup) {
    setup.on_reply("*", |_, context| {
        for method in ["stderr", "x", "tools/list_changed", "progress", "cancelled"] {
            context.out.message(format!(r#"{{"jsonrpc":"2.0","method":"notifications/{method}"}}"#));
        }
        context.out.message(r#"{"jsonrpc":"2.0","method":"notifications/y","params":{"deep":[[[{}]]]}}"#);
        Flow::Pass
    });
}
