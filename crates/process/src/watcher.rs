//! The one task behind each process: reads its standard error, sees it leave, and takes it down the ladder.
//!
//! ```text
//!            stop asked                stdin_wait over            term_wait over
//! Running ---------------> StdinClosed ---------------> Asked ---------------> Ended
//!    |                          |            TERM         |         KILL         |
//!    +-------- leader left -----+-------------------------+----------------------+
//!                                     |  TERM to the rest, stderr caught up, leader reaped
//!                                     v
//!                             group without leader --(TERM, term_wait, KILL)--> empty
//! ```

use std::future::pending;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};

use crate::family::{Ask, Family};
use crate::stderr::Drain;
use crate::{Exit, Ladder};

/// How long something may take to vanish after `SIGKILL` before it is given up.
pub(crate) const KILL_WAIT: Duration = Duration::from_secs(3);
/// How often a group without a leader is looked at: there is no event for its end.
const FIRST_LOOK: Duration = Duration::from_millis(1);
const SLOWEST_LOOK: Duration = Duration::from_millis(50);

/// What is known of a process so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    /// How its leader ended; everything that it wrote to standard error has been read by then.
    pub(crate) exit: Option<Exit>,
    /// Whether nobody of its group is left.
    pub(crate) empty: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Running,
    StdinClosed,
    Asked,
    Ended,
}

/// Watches one process until nobody of its group is left.
pub(crate) struct Watcher {
    pub(crate) family: Family,
    pub(crate) drain: Drain,
    /// Asks for a stop; closed when nobody holds the process any more, which asks for one too.
    pub(crate) orders: watch::Receiver<Option<Ladder>>,
    pub(crate) facts: watch::Sender<Facts>,
}

impl Watcher {
    pub(crate) async fn run(&mut self) {
        let ended = self.until_leader_left().await;
        if !ended {
            self.family.ask(Ask::Leave);
        }
        self.drain.catch_up().await;
        let exit = self.family.reap();
        self.facts.send_modify(|facts| facts.exit = Some(exit));
        self.until_empty(ended).await;
        self.facts.send_modify(|facts| facts.empty = true);
    }

    /// Returns whether the group was ended by force.
    async fn until_leader_left(&mut self) -> bool {
        let mut step = Step::Running;
        let mut ladder = Ladder::default();
        let mut deadline = None;
        loop {
            tokio::select! {
                biased;
                () = self.family.leader_left() => return step == Step::Ended,
                order = ordered(&mut self.orders), if step == Step::Running => {
                    ladder = order;
                    step = Step::StdinClosed;
                    deadline = Some(Instant::now() + ladder.stdin_wait);
                }
                () = reached(deadline) => match step {
                    Step::Running | Step::StdinClosed => {
                        self.family.ask(Ask::Leave);
                        step = Step::Asked;
                        deadline = Some(Instant::now() + ladder.term_wait);
                    }
                    Step::Asked => {
                        self.family.ask(Ask::End);
                        step = Step::Ended;
                        deadline = Some(Instant::now() + KILL_WAIT);
                    }
                    Step::Ended => return true,
                },
                () = self.drain.step(), if self.drain.is_open() => {}
            }
        }
    }

    async fn until_empty(&mut self, mut ended: bool) {
        let mut since = Instant::now();
        let mut pause = FIRST_LOOK;
        while !self.family.is_empty() {
            // A stop may be asked for while the descendants are on their way already.
            let term_wait = self.orders.borrow().unwrap_or_default().term_wait;
            if since.elapsed() >= if ended { KILL_WAIT } else { term_wait } {
                if ended {
                    return;
                }
                self.family.ask(Ask::End);
                ended = true;
                since = Instant::now();
                pause = FIRST_LOOK;
            }
            tokio::select! {
                biased;
                () = sleep(pause) => pause = (pause * 2).min(SLOWEST_LOOK),
                () = self.drain.step(), if self.drain.is_open() => {}
            }
        }
    }
}

async fn ordered(orders: &mut watch::Receiver<Option<Ladder>>) -> Ladder {
    match orders.wait_for(Option::is_some).await {
        Ok(ladder) => ladder.unwrap_or_default(),
        Err(_) => Ladder::default(),
    }
}

async fn reached(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => pending().await,
    }
}
