//! What the guard must know, kept on our side too, so that a new one can take over from a dead one.

use std::collections::hash_map::RandomState;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;

use rustix::process::Pid;

use super::channel::Channel;
use super::order::Order;
use crate::{Launch, Reach};

/// The state behind a [`Guard`](super::Guard).
pub(super) struct Keeper {
    launch: Launch,
    channel: Option<Channel>,
    problem: Option<String>,
    intents: BTreeSet<String>,
    groups: BTreeMap<i32, (String, Reach)>,
    /// Sets our tokens apart from those of every other program.
    prefix: u64,
    count: u64,
}

impl Keeper {
    pub(super) fn new(launch: Launch) -> Self {
        Self {
            launch,
            channel: None,
            problem: None,
            intents: BTreeSet::new(),
            groups: BTreeMap::new(),
            prefix: RandomState::new().hash_one(()),
            count: 0,
        }
    }

    /// Opens an intent, with a guard to hear of it. Without one the start goes on all the same.
    pub(super) fn intend(&mut self) -> String {
        self.count += 1;
        let token = format!("{:016x}-{}", self.prefix, self.count);
        self.intents.insert(token.clone());
        self.send(Order::Intent(&token));
        if self.channel.is_none() {
            self.start_guard();
        }
        token
    }

    /// Closes an intent without a process.
    pub(super) fn failed(&mut self, token: &str) {
        self.intents.remove(token);
        self.send(Order::Failed(token));
    }

    /// Puts a group under guard, and closes its intent if that is still open.
    pub(super) fn group(&mut self, group: Pid, token: &str, reach: Reach) {
        self.intents.remove(token);
        self.groups.insert(group.as_raw_nonzero().get(), (token.to_owned(), reach));
        self.send(order(group, token, reach));
    }

    /// Takes a group out.
    pub(super) fn gone(&mut self, group: Pid) {
        if self.groups.remove(&group.as_raw_nonzero().get()).is_some() {
            self.send(Order::Gone(group));
        }
    }

    pub(super) fn pid(&self) -> Option<Pid> {
        self.channel.as_ref().map(Channel::pid)
    }

    pub(super) fn problem(&self) -> Option<String> {
        self.problem.clone()
    }

    /// Gives the running guard away, if there is one.
    pub(super) fn take(&mut self) -> Option<Channel> {
        self.channel.take()
    }

    /// Starts a guard, and tells it what one before it may have known.
    fn start_guard(&mut self) {
        match Channel::open(&self.launch) {
            Ok(channel) => {
                self.channel = Some(channel);
                self.problem = None;
                self.tell_everything();
            }
            Err(error) => self.problem = Some(chain(&error)),
        }
    }

    fn tell_everything(&mut self) {
        let intents = self.intents.iter().map(|token| Order::Intent(token).to_string());
        let groups = self.groups.iter().filter_map(|(group, (token, reach))| {
            Pid::from_raw(*group).map(|group| order(group, token, *reach).to_string())
        });
        let everything: String = intents.chain(groups).collect();
        self.send_text(&everything);
    }

    fn send(&mut self, order: Order<'_>) {
        self.send_text(&order.to_string());
    }

    fn send_text(&mut self, text: &str) {
        if let Some(mut channel) = self.channel.take() {
            match channel.send(text) {
                Ok(()) => self.channel = Some(channel),
                Err(error) => {
                    self.problem = Some(format!("the guard process does not listen: {error}"));
                    channel.discard();
                }
            }
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        if let Some(channel) = self.channel.take() {
            channel.release();
        }
    }
}

fn order(group: Pid, token: &str, reach: Reach) -> Order<'_> {
    match reach {
        Reach::Group => Order::Group(group, token),
        Reach::Marked => Order::Marked(group, token),
    }
}

fn chain(error: &dyn std::error::Error) -> String {
    std::iter::successors(error.source(), |cause| cause.source())
        .fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
