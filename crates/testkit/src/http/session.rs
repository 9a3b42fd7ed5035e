//! A session of the legacy era, and the streams in it.

use super::channel::{Channel, ForOne};
use super::plan::{Plan, Sessions};
use crate::base::{Era, Handshake};
use crate::fault::Context;
use crate::faults::Setup;
use crate::message::Message;
use crate::out::{Out, Record};
use crate::serve::turn;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// One client of the legacy era.
pub(super) struct Session {
    setup: Mutex<Setup>,
    /// What belongs to no request is said here.
    pub(super) general: Arc<Channel>,
    streams: Mutex<HashMap<String, Arc<Channel>>>,
}

impl Session {
    pub(super) fn new(plan: &Plan, general: Arc<Channel>) -> Session {
        let mut setup = plan.setup(Era::Legacy);
        if plan.sessions == Sessions::None {
            setup.base.handshake = Handshake::NotNeeded;
        }
        let streams = HashMap::from([("0".to_owned(), general.clone())]);
        Session { setup: Mutex::new(setup), general, streams: Mutex::new(streams) }
    }

    /// Does what a message asks for; its answer goes into `own`. An error is a code to exit with.
    pub(super) fn take(&self, message: &Message, own: Arc<Channel>, record: &Record) -> Result<(), i32> {
        let sink = ForOne { own, general: Some(self.general.clone()) };
        let mut setup = self.setup();
        let out = Out::new(Box::new(sink), record.clone()).watched(setup.watch.clone());
        let Setup { base, faults, .. } = &mut *setup;
        turn(message, faults, &mut Context { base, out: &out })
    }

    /// What `initialize` has come to; empty before.
    pub(super) fn revision(&self, message: &Message) -> String {
        self.setup().base.revision(message).to_owned()
    }

    /// Keeps a stream, so that it can be resumed; returns its name.
    pub(super) fn keep(&self, channel: &Arc<Channel>) -> String {
        let mut streams = self.streams();
        let name = streams.len().to_string();
        streams.insert(name.clone(), channel.clone());
        name
    }

    /// The stream that an event id names, and the number of the next message on it.
    pub(super) fn resumed(&self, event: &str) -> Option<(String, Arc<Channel>, usize)> {
        let (name, number) = event.rsplit_once('-')?;
        let channel = self.streams().get(name)?.clone();
        Some((name.to_owned(), channel, number.parse().ok()?))
    }

    /// Ends all streams.
    pub(super) fn end(&self) {
        self.streams().values().for_each(|channel| channel.end());
    }

    fn setup(&self) -> MutexGuard<'_, Setup> {
        self.setup.lock().expect("no holder panics")
    }

    fn streams(&self) -> MutexGuard<'_, HashMap<String, Arc<Channel>>> {
        self.streams.lock().expect("no holder panics")
    }
}
