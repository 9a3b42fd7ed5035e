//! What is read and written for a run and may be done without: one thing after another, off the runtime.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// The most things that wait; what comes beyond them is not done.
const ROOM: usize = 1024;

type Job = Box<dyn FnOnce() + Send>;

/// Work for one thread, which is there while there is some. A disk that hangs holds up that thread and nobody else.
#[derive(Clone, Default)]
pub(crate) struct Disk(Arc<Inner>);

#[derive(Default)]
struct Inner {
    line: Mutex<Line>,
    idle: Notify,
}

#[derive(Default)]
struct Line {
    jobs: VecDeque<Job>,
    /// There is a thread.
    works: bool,
    /// What it is at was waited for in vain.
    hangs: bool,
}

impl Disk {
    /// Has something done and waits for what comes of it, `patience` at most; not at all while the disk hangs.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        patience: Duration,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        if self.lock().hangs {
            return None;
        }
        let (tell, told) = oneshot::channel();
        self.leave(move || {
            if !tell.is_closed() {
                let _ = tell.send(work());
            }
        });
        match timeout(patience, told).await {
            Ok(found) => found.ok(),
            Err(_) => {
                let mut line = self.lock();
                line.hangs = line.works;
                None
            }
        }
    }

    /// Has something done some time.
    pub(crate) fn leave(&self, work: impl FnOnce() + Send + 'static) {
        let mut line = self.lock();
        if line.jobs.len() < ROOM {
            line.jobs.push_back(Box::new(work));
        }
        if !std::mem::replace(&mut line.works, true) {
            let disk = self.clone();
            spawn_blocking(move || disk.work());
        }
    }

    /// Waits until everything is done.
    pub(crate) async fn idle(&self) {
        loop {
            let idle = self.0.idle.notified();
            if !self.lock().works {
                return;
            }
            idle.await;
        }
    }

    fn work(&self) {
        loop {
            let job = {
                let mut line = self.lock();
                line.hangs = false;
                line.works = !line.jobs.is_empty();
                line.jobs.pop_front()
            };
            let Some(job) = job else { break };
            // One that goes wrong must not end the others.
            let _ = catch_unwind(AssertUnwindSafe(job));
        }
        self.0.idle.notify_waiters();
    }

    fn lock(&self) -> MutexGuard<'_, Line> {
        self.0.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { jobs, works, hangs } = &*self.lock();
        let mut shown = f.debug_struct("Disk");
        shown.field("jobs", &jobs.len()).field("works", works).field("hangs", hangs).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    const PATIENCE: Duration = Duration::from_millis(50);
    const LONG: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn a_disk_that_hangs_is_waited_for_once_until_it_goes_on() {
        let (disk, (go_on, stuck)) = (Disk::default(), mpsc::sync_channel(100));
        assert_eq!(disk.ask(LONG, || 1).await, Some(1));
        assert_eq!(disk.ask(PATIENCE, move || stuck.recv().is_ok()).await, None);
        // Neither is waited for: with all that patience it would be noticed.
        assert_eq!(disk.ask(LONG, || 2).await, None);
        let (left, found) = mpsc::sync_channel(1);
        disk.leave(move || left.send(3).expect("somebody waits"));
        go_on.send(()).unwrap();
        disk.idle().await;
        assert_eq!(found.try_recv(), Ok(3));
        assert_eq!(disk.ask(LONG, || 4).await, Some(4));
    }

    #[tokio::test]
    async fn one_thing_is_done_after_another_and_one_that_goes_wrong_ends_no_other() {
        let (disk, (tell, told)) = (Disk::default(), mpsc::sync_channel(100));
        for number in 0..100 {
            let tell = tell.clone();
            disk.leave(move || {
                assert_ne!(number, 50, "this one goes wrong");
                tell.send(number).expect("somebody waits");
            });
        }
        disk.idle().await;
        drop(tell);
        assert!(told.iter().eq((0..100).filter(|number| *number != 50)));
    }
}
