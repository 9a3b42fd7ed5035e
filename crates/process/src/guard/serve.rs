//! The guard process itself: listens, and ends what is left when nobody speaks any more.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::order::Order;
use super::session::stand_apart;
use crate::members::any_alive;

/// The longest line that is read as one.
const LINE: u64 = 256;
/// How long a group may take to leave.
const TERM_WAIT: Duration = Duration::from_secs(1);
const FIRST_LOOK: Duration = Duration::from_millis(2);
const SLOWEST_LOOK: Duration = Duration::from_millis(50);
/// How often those who left their group are looked for at the very end.
const LAST_LOOKS: usize = 10;

/// Guards: reads orders until they end, then ends every group that is left, and returns.
///
/// For the process that a [`Guard`](super::Guard) starts, with its standard input: first it moves that process into
/// a session of its own and has it ignore `SIGHUP`, `SIGINT`, `SIGQUIT` and `SIGTERM`. It blocks, starts no thread,
/// and needs no runtime.
pub fn serve(orders: impl Read) {
    stand_apart();
    let mut ward = Ward::default();
    let mut orders = BufReader::new(orders);
    let mut line = Vec::new();
    while matches!(orders.by_ref().take(LINE).read_until(b'\n', &mut line), Ok(read) if read > 0) {
        if let Some(order) = std::str::from_utf8(&line).ok().and_then(Order::parse) {
            ward.hear(order);
        }
        line.clear();
    }
    ward.end();
}

/// What is under guard.
#[derive(Debug, Default)]
struct Ward {
    /// Each with what those carry who belong to it, too.
    groups: BTreeMap<i32, Option<String>>,
    intents: BTreeSet<String>,
}

impl Ward {
    fn hear(&mut self, order: Order<'_>) {
        match order {
            Order::Intent(token) => {
                self.intents.insert(token.to_owned());
            }
            Order::Failed(token) => {
                self.intents.remove(token);
            }
            Order::Group(group, token) => {
                self.intents.remove(token);
                self.groups.insert(group.as_raw_nonzero().get(), None);
            }
            Order::Marked(group, token) => {
                self.intents.remove(token);
                self.groups.insert(group.as_raw_nonzero().get(), Some(token.to_owned()));
            }
            Order::Gone(group) => {
                self.groups.remove(&group.as_raw_nonzero().get());
            }
        }
    }

    fn end(&mut self) {
        let deadline = Instant::now() + TERM_WAIT;
        let mut pause = FIRST_LOOK;
        let marks: Vec<String> = self.groups.values().flatten().cloned().collect();
        let mut asked = BTreeSet::new();
        self.signal(Signal::TERM);
        loop {
            self.find_intended(Signal::TERM);
            self.forget_empty();
            let strays = strays(&marks);
            for stray in &strays {
                if asked.insert(stray.as_raw_nonzero()) {
                    let _ = kill_process(*stray, Signal::TERM);
                }
            }
            let gone = self.groups.is_empty() && self.intents.is_empty() && strays.is_empty();
            if gone || Instant::now() >= deadline {
                break;
            }
            sleep(pause);
            pause = (pause * 2).min(SLOWEST_LOOK);
        }
        self.signal(Signal::KILL);
        // Whoever was made since the look before is found by the next one.
        for _ in 0..LAST_LOOKS {
            let strays = strays(&marks);
            if strays.is_empty() {
                break;
            }
            for stray in strays {
                let _ = kill_process(stray, Signal::KILL);
            }
        }
    }

    /// Puts the processes of open intents under guard, wherever there is a way to find them.
    fn find_intended(&mut self, signal: Signal) {
        if self.intents.is_empty() {
            return;
        }
        #[cfg(target_os = "linux")]
        {
            let intents = std::mem::take(&mut self.intents);
            let found = super::scan::groups_carrying(intents.iter().map(String::as_str));
            for (_, group) in &found {
                if self.groups.insert(group.as_raw_nonzero().get(), None).is_none() {
                    let _ = kill_process_group(*group, signal);
                }
            }
            let met: BTreeSet<&str> = found.iter().map(|(token, _)| *token).collect();
            self.intents = intents.iter().filter(|token| !met.contains(token.as_str())).cloned().collect();
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = signal;
            self.intents.clear();
        }
    }

    fn forget_empty(&mut self) {
        self.groups.retain(|group, _| pid(*group).is_some_and(any_alive));
    }

    fn signal(&self, signal: Signal) {
        for group in self.groups.keys().filter_map(|group| pid(*group)) {
            let _ = kill_process_group(group, signal);
        }
    }
}

/// Whoever carries one of these marks, in a group or not.
fn strays(marks: &[String]) -> Vec<Pid> {
    #[cfg(target_os = "linux")]
    if !marks.is_empty() {
        let carrying = super::scan::carrying(marks.iter().map(String::as_str));
        return carrying.into_iter().map(|(_, process)| process).collect();
    }
    let _ = marks;
    Vec::new()
}

fn pid(group: i32) -> Option<Pid> {
    Pid::from_raw(group)
}
