//! The loop of a stdio server: a line in, faults, an answer, faults, a line out.

use crate::base::{Answer, Base, Reply};
use crate::fault::{Context, Fault, Flow};
use crate::message::Message;
use crate::out::{Out, Record};
use std::io::BufRead;

/// Serves until the input ends or a fault says so; returns the exit code.
pub(crate) fn serve(
    mut base: Base,
    mut faults: Vec<Box<dyn Fault>>,
    mut input: impl BufRead,
    out: &Out,
    record: &Record,
) -> i32 {
    let mut context = Context { base: &mut base, out };
    for fault in &mut faults {
        if let Flow::Exit(code) = fault.start(&mut context) {
            return code;
        }
    }
    let mut line = Vec::new();
    loop {
        line.clear();
        match input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        let text = line.trim_ascii();
        if text.is_empty() {
            continue;
        }
        record.note("in", text);
        let Some(message) = Message::parse(text) else {
            faults.iter_mut().for_each(|fault| fault.unreadable(text, &mut context));
            out.message(Reply::error("null", -32700, "parse error", None).render());
            continue;
        };
        if let Err(code) = turn(&message, &mut faults, &mut context) {
            return code;
        }
    }
    faults.iter_mut().for_each(|fault| fault.end());
    0
}

/// One message, to the end of its answer; an error is the code to exit with.
pub(crate) fn turn(
    message: &Message,
    faults: &mut [Box<dyn Fault>],
    context: &mut Context<'_>,
) -> Result<(), i32> {
    for fault in &mut *faults {
        match fault.message(message, context) {
            Flow::Pass => {}
            Flow::Handled => return Ok(()),
            Flow::Exit(code) => return Err(code),
        }
    }
    match context.base.answer(message, context.out) {
        Answer::None => return Ok(()),
        Answer::Exit(code) => return Err(code),
        Answer::Later(job) => {
            let out = context.out.clone();
            std::thread::spawn(move || {
                if let Some(reply) = job() {
                    out.message(reply.render());
                }
            });
            return Ok(());
        }
        Answer::Now(mut reply) => {
            for fault in &mut *faults {
                match fault.reply(message, &mut reply, context) {
                    Flow::Pass => {}
                    Flow::Handled => return Ok(()),
                    Flow::Exit(code) => return Err(code),
                }
            }
            context.out.message(reply.render());
        }
    }
    for fault in &mut *faults {
        if let Flow::Exit(code) = fault.replied(message, context) {
            return Err(code);
        }
    }
    Ok(())
}
