//! Answers that come late, in another order or never.

use super::setup::Setup;
use crate::base::Reply;
use crate::fault::{Context, Flow};
use crate::options::Options;
use crate::out::Out;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Every answer is late by so much; requests do not hold each other up.
pub(crate) fn slow(options: &Options, setup: &mut Setup) {
    delayed(setup, "*", options.delay(200));
}

/// Lists are late.
pub(crate) fn slow_list(options: &Options, setup: &mut Setup) {
    delayed(setup, "*/list", options.delay(1000));
}

/// Calls are answered after their client has given up.
pub(crate) fn late(options: &Options, setup: &mut Setup) {
    delayed(setup, "tools/call", options.delay(3000));
}

/// Nothing is read for a while.
pub(crate) fn slow_start(options: &Options, setup: &mut Setup) {
    let delay = options.delay(1000);
    setup.at_start(move |_| {
        std::thread::park_timeout(delay);
        Flow::Pass
    });
}

/// Reads on and says nothing.
pub(crate) fn hang(_: &Options, setup: &mut Setup) {
    setup.on_message("*", |_, _| Flow::Handled);
}

/// Reads nothing either, so that the pipe fills.
pub(crate) fn hang_no_read(_: &Options, setup: &mut Setup) {
    setup.at_start(|_| crate::linger());
}

/// Calls are never answered, the rest is.
pub(crate) fn hang_call(_: &Options, setup: &mut Setup) {
    setup.on_message("tools/call", |_, _| Flow::Handled);
}

/// Calls are answered in reverse order, so many at a time, fewer when no more come.
pub(crate) fn reverse(options: &Options, setup: &mut Setup) {
    let (batch, quiet) = (options.count("batch", 3), options.delay(100));
    let held: Arc<Mutex<Vec<Reply>>> = Arc::default();
    setup.on_reply("tools/call", move |reply, context| {
        let mut waiting = held.lock().expect("no holder panics");
        waiting.push(reply.clone());
        if waiting.len() >= batch {
            release(&mut waiting, context.out);
        } else if waiting.len() == 1 {
            let (held, out) = (held.clone(), context.out.clone());
            std::thread::spawn(move || {
                std::thread::park_timeout(quiet);
                release(&mut held.lock().expect("no holder panics"), &out);
            });
        }
        Flow::Handled
    });
}

fn release(waiting: &mut Vec<Reply>, out: &Out) {
    for reply in waiting.drain(..).rev() {
        out.message(reply.render());
    }
}

fn delayed(setup: &mut Setup, method: &'static str, delay: Duration) {
    setup.on_reply(method, move |reply, context: &mut Context<'_>| {
        let (reply, out) = (reply.clone(), context.out.clone());
        std::thread::spawn(move || {
            std::thread::park_timeout(delay);
            out.message(reply.render());
        });
        Flow::Handled
    });
}
