//! A process group on Unix.

use std::io;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};

use super::{Ask, Watch, reap_when_gone};
use crate::Exit;
use crate::guard::Record;
use crate::members::any_alive;
#[cfg(target_os = "linux")]
use crate::members::group_of;

/// A child that leads a process group of its own.
///
/// Dropped before its end it ends the group with `SIGKILL`: nobody is left to wait for it.
pub(crate) struct Family {
    leader: Pid,
    watch: Watch,
    record: Record,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Led,
    Leaderless,
    Empty,
}

impl Family {
    /// Takes over a child that was started as the leader of a new group.
    pub(crate) fn new(child: std::process::Child, record: Record) -> io::Result<Self> {
        let leader = Pid::from_child(&child);
        match Watch::new(leader) {
            Ok(watch) => Ok(Self { leader, watch, record, stage: Stage::Led }),
            Err(error) => {
                let _ = kill_process_group(leader, Signal::KILL);
                reap_when_gone(leader, move || record.gone());
                Err(error)
            }
        }
    }

    /// Waits until the leader has left. May be dropped at any await and called again.
    pub(crate) async fn leader_left(&mut self) {
        self.watch.left(self.leader).await;
    }

    /// Signals the whole group.
    pub(crate) fn ask(&self, ask: Ask) {
        let signal = match ask {
            Ask::Leave => Signal::TERM,
            Ask::End => Signal::KILL,
        };
        // An empty group needs no signal, and one that may not be signalled cannot be helped.
        let _ = kill_process_group(self.leader, signal);
        for stray in self.strays() {
            let _ = kill_process(stray, signal);
        }
    }

    /// Whoever belongs to the group without being in it.
    fn strays(&self) -> Vec<Pid> {
        let Some(mark) = self.record.mark() else { return Vec::new() };
        #[cfg(target_os = "linux")]
        {
            let carrying =
                crate::guard::carrying(std::iter::once(mark)).into_iter().map(|(_, process)| process);
            carrying.filter(|process| group_of(*process) != Some(self.leader)).collect()
        }
        // Only Linux says what a process has in its environment.
        #[cfg(not(target_os = "linux"))]
        {
            let _ = mark;
            Vec::new()
        }
    }

    /// Reaps a leader that has left and says how it ended.
    pub(crate) fn reap(&mut self) -> Exit {
        let exit = reap(self.leader);
        if exit.is_some() {
            self.stage = Stage::Leaderless;
        }
        // The guard hears of the end at once, and only then: were it told before, members that live on would be nobody's
        // for a moment. An empty group's number is free meanwhile, but numbers go round, so nobody has it yet.
        self.is_empty();
        exit.unwrap_or(Exit::Unknown("it is still there after SIGKILL"))
    }

    /// Whether nobody is left, the leader having been reaped.
    pub(crate) fn is_empty(&mut self) -> bool {
        if self.stage == Stage::Leaderless && !self.has_members() {
            self.stage = Stage::Empty;
            self.record.gone();
        }
        self.stage == Stage::Empty
    }

    fn has_members(&self) -> bool {
        // Orphans of the group become our children if we are the first process of a container.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        while let Ok(Some(_)) = waitid(WaitId::Pgid(Some(self.leader)), options) {}
        any_alive(self.leader) || !self.strays().is_empty()
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        if self.stage == Stage::Empty {
            return;
        }
        self.ask(Ask::End);
        let record = std::mem::take(&mut self.record);
        match self.stage {
            Stage::Led => reap_when_gone(self.leader, move || record.gone()),
            Stage::Leaderless | Stage::Empty => record.gone(),
        }
    }
}

/// `None` if it has not left.
fn reap(leader: Pid) -> Option<Exit> {
    loop {
        match waitid(WaitId::Pid(leader), WaitIdOptions::EXITED | WaitIdOptions::NOHANG) {
            Ok(Some(status)) => {
                let exited = status.exit_status().map(Exit::Exited);
                let signaled = status.terminating_signal().map(Exit::Signaled);
                return exited.or(signaled).or(Some(Exit::Unknown("the system gave no status")));
            }
            Ok(None) => return None,
            Err(Errno::INTR) => {}
            Err(_) => return Some(Exit::Unknown("somebody else in this program took its exit status")),
        }
    }
}
