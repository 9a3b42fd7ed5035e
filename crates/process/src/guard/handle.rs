//! Our side of the guard.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::process::Pid;

use super::keeper::Keeper;
use crate::{Launch, Reach};

/// Ends the processes that it is told of if this program is killed. Clones are the same guard.
///
/// Its process is started beside the first server, and again beside the next one if it died. It is a help and never
/// a condition: when it cannot be started, servers start without it, and [`problem`](Self::problem) says why.
#[derive(Clone, Default)]
pub struct Guard {
    keeper: Option<Arc<Mutex<Keeper>>>,
}

impl Guard {
    /// A guard whose process is `launch`: a program that does nothing but call [`serve`](super::serve) on its
    /// standard input. It needs no environment, and its working directory is `/` unless `launch` has one.
    pub fn new(launch: Launch) -> Self {
        Self { keeper: Some(Arc::new(Mutex::new(Keeper::new(launch)))) }
    }

    /// No guard.
    pub fn none() -> Self {
        Self::default()
    }

    /// The number of the guard process, if one has been started.
    pub fn pid(&self) -> Option<u32> {
        self.with(|keeper| keeper.pid()).flatten().map(|pid| pid.as_raw_nonzero().get().unsigned_abs())
    }

    /// Why there is no guard process, if there should be one.
    pub fn problem(&self) -> Option<String> {
        self.with(|keeper| keeper.problem()).flatten()
    }

    /// Lets the guard process end the groups that are left, if any, and waits until it has left. For the end of a
    /// program that leaves nothing behind; the next start of a server would start a new one.
    pub async fn close(&self) {
        let channel = self.with(|keeper| keeper.take()).flatten();
        if let Some(channel) = channel {
            channel.finish().await;
        }
    }

    /// Announces a process that is about to be started.
    pub(crate) fn intend(&self) -> Intent {
        Intent { token: self.with(Keeper::intend), guard: self.clone() }
    }

    fn with<T>(&self, work: impl FnOnce(&mut Keeper) -> T) -> Option<T> {
        let lock = |keeper| -> MutexGuard<'_, Keeper> {
            Mutex::lock(keeper).unwrap_or_else(PoisonError::into_inner)
        };
        self.keeper.as_deref().map(|keeper| work(&mut lock(keeper)))
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.keeper.is_some() { "Guard" } else { "Guard::none" };
        f.debug_struct(kind).field("pid", &self.pid()).field("problem", &self.problem()).finish()
    }
}

/// A process that may be starting. Dropped, it was not started.
pub(crate) struct Intent {
    guard: Guard,
    token: Option<String>,
}

impl Intent {
    /// What the process is to carry in its environment.
    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// It has been started, as the leader of the group of its number.
    pub(crate) fn started(mut self, pid: u32, reach: Reach) -> Record {
        let group = i32::try_from(pid).ok().and_then(Pid::from_raw);
        let Some((token, group)) = self.token.take().zip(group) else { return Record::default() };
        self.guard.with(|keeper| keeper.group(group, &token, reach));
        let mark = (reach == Reach::Marked).then_some(token);
        Record { guard: self.guard.clone(), group: Some(group), mark }
    }
}

impl Drop for Intent {
    fn drop(&mut self) {
        if let Some(token) = &self.token {
            self.guard.with(|keeper| keeper.failed(token));
        }
    }
}

/// A group under guard.
#[derive(Default)]
pub(crate) struct Record {
    guard: Guard,
    group: Option<Pid>,
    /// What those carry who belong to it without being in it.
    mark: Option<String>,
}

impl Record {
    /// What those carry who belong to the group without being in it.
    pub(crate) fn mark(&self) -> Option<&str> {
        self.mark.as_deref()
    }

    /// Nobody of the group is left, or nobody who has not been ended by force.
    pub(crate) fn gone(&self) {
        if let Some(group) = self.group {
            self.guard.with(|keeper| keeper.gone(group));
        }
    }
}
