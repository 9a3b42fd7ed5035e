//! Faults made of one closure at one point of the loop.

use crate::base::Reply;
use crate::fault::{Context, Fault, Flow};
use crate::message::Message;

/// `*` fits every method, `*/list` every list, anything else itself.
pub(super) fn fits(pattern: &str, message: &Message) -> bool {
    let Some(method) = message.method() else { return pattern == "*" };
    match pattern.strip_prefix('*') {
        Some(end) => method.ends_with(end),
        None => method == pattern,
    }
}

pub(super) struct AtStart<F> {
    pub(super) act: F,
}

impl<F: FnMut(&mut Context<'_>) -> Flow + Send> Fault for AtStart<F> {
    fn start(&mut self, context: &mut Context<'_>) -> Flow {
        (self.act)(context)
    }
}

pub(super) struct OnMessage<F> {
    pub(super) method: &'static str,
    pub(super) act: F,
}

impl<F: FnMut(&Message, &mut Context<'_>) -> Flow + Send> Fault for OnMessage<F> {
    fn message(&mut self, message: &Message, context: &mut Context<'_>) -> Flow {
        if fits(self.method, message) { (self.act)(message, context) } else { Flow::Pass }
    }
}

pub(super) struct OnReply<F> {
    pub(super) method: &'static str,
    pub(super) act: F,
}

impl<F: FnMut(&Message, &mut Reply, &mut Context<'_>) -> Flow + Send> Fault for OnReply<F> {
    fn reply(&mut self, message: &Message, reply: &mut Reply, context: &mut Context<'_>) -> Flow {
        if fits(self.method, message) { (self.act)(message, reply, context) } else { Flow::Pass }
    }
}
