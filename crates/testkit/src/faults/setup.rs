//! What a mode puts together before the server runs.

use super::hook::{AtStart, OnMessage, OnReply};
use crate::base::{Base, Reply};
use crate::fault::{Context, Fault, Flow};
use crate::message::Message;
use crate::out::{Style, Watch};
use std::sync::Arc;

/// A server in the making.
pub(crate) struct Setup {
    pub(crate) base: Base,
    pub(crate) faults: Vec<Box<dyn Fault>>,
    pub(crate) style: Style,
    pub(crate) watch: Option<Arc<dyn Watch>>,
}

impl Setup {
    pub(crate) fn new(base: Base) -> Setup {
        Setup { base, faults: Vec::new(), style: Style::Whole, watch: None }
    }

    pub(crate) fn add(&mut self, fault: impl Fault + 'static) {
        self.faults.push(Box::new(fault));
    }

    /// Acts before the first line is read.
    pub(crate) fn at_start(&mut self, act: impl FnMut(&mut Context<'_>) -> Flow + Send + 'static) {
        self.add(AtStart { act });
    }

    /// Acts on each message of the client whose method fits; see [`super::hook::fits`].
    pub(crate) fn on_message(
        &mut self,
        method: &'static str,
        act: impl FnMut(&Message, &mut Context<'_>) -> Flow + Send + 'static,
    ) {
        self.add(OnMessage { method, act });
    }

    /// Acts on each answer to a request whose method fits, before it is written.
    pub(crate) fn on_reply(
        &mut self,
        method: &'static str,
        act: impl FnMut(&mut Reply, &mut Context<'_>) -> Flow + Send + 'static,
    ) {
        let mut act = act;
        self.add(OnReply {
            method,
            act: move |_: &Message, reply: &mut Reply, context: &mut Context<'_>| act(reply, context),
        });
    }

    /// As [`Setup::on_reply`], with the request at hand.
    pub(crate) fn on_answer(
        &mut self,
        method: &'static str,
        act: impl FnMut(&Message, &mut Reply, &mut Context<'_>) -> Flow + Send + 'static,
    ) {
        self.add(OnReply { method, act });
    }
}
