//! The decision.

use super::life::{Life, Origin, Stage, Time};
use super::listing::Listing;
use super::rules::Rules;
use crate::Phase;

/// Something that happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// Somebody needs it: a call, a search, the beginning of a session. Starts what never was started.
    Wanted,
    /// A person says that it should be up. Whatever failed before is tried again; a server that is degraded is asked
    /// for its list again.
    Connect,
    /// It is to be started anew, also if it is up.
    Restart,
    /// It is to stand as if it had never been started.
    Reset,
    /// Its definition cannot be used.
    Refused {
        /// As what it stands then.
        settlement: Settlement,
    },
    /// It is switched on.
    Enabled,
    /// It is switched off.
    Disabled,
    /// An attempt has come so far.
    Reached {
        /// Which attempt.
        attempt: u64,
        /// How far.
        phase: Phase,
    },
    /// An attempt has settled.
    Settled {
        /// Which attempt.
        attempt: u64,
        /// As what.
        settlement: Settlement,
    },
    /// A server that was up is gone.
    Lost {
        /// Of which attempt.
        attempt: u64,
    },
    /// A server that was up asks for a login.
    LoginLost {
        /// Of which attempt.
        attempt: u64,
    },
    /// A server said that its list of tools changed.
    ListChanged {
        /// Of which attempt.
        attempt: u64,
    },
    /// A list that was asked for came, and is sound.
    Listed {
        /// Of which attempt.
        attempt: u64,
    },
    /// A list that was asked for did not come, or is empty though the server says that it has tools.
    NotListed {
        /// Of which attempt.
        attempt: u64,
    },
    /// A call succeeded.
    Called {
        /// Of which attempt.
        attempt: u64,
    },
    /// The time of [`Life::due`] has come.
    Due,
}

/// How an attempt settles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settlement {
    /// It is up.
    Ready,
    /// It is up, without a list.
    Degraded,
    /// It asks for a login.
    NeedsLogin,
    /// Policy or a missing consent holds it up.
    Blocked,
    /// It could not be started.
    Failed,
}

/// Something to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// End the attempt or the connection that there is. Comes before anything else.
    Stop,
    /// Begin an attempt.
    Connect {
        /// Its number.
        attempt: u64,
    },
    /// Ask the server for its list.
    List,
}

/// When something happened, and a chance from 0 to 1 for what is left to chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct At {
    /// The time.
    pub now: Time,
    /// The chance.
    pub chance: f64,
}

/// What a server is to do next: how its life stands after `fact`, and what is to be done.
#[must_use]
pub fn decide(life: Life, fact: Fact, at: At, rules: &Rules) -> (Life, Vec<Action>) {
    let mut next = Next { life, actions: Vec::new(), at, rules };
    next.take(fact);
    (next.life, next.actions)
}

struct Next<'a> {
    life: Life,
    actions: Vec<Action>,
    at: At,
    rules: &'a Rules,
}

impl Next<'_> {
    fn take(&mut self, fact: Fact) {
        let attempt = self.life.attempt;
        let is_up = matches!(self.life.stage, Stage::Ready | Stage::Degraded);
        match (fact, self.life.stage) {
            (Fact::Disabled, Stage::Disabled) => {}
            (Fact::Disabled, _) => self.stop_for(Stage::Disabled),
            (Fact::Enabled, Stage::Disabled) => self.enter(Stage::Configured),
            (Fact::Wanted, Stage::Configured) => self.connect(Origin::Asked),
            (Fact::Refused { settlement }, _) => {
                self.stop_for(Stage::Configured);
                self.settle(settlement, Origin::Asked);
            }
            (Fact::Restart | Fact::Connect | Fact::Reset, Stage::Disabled) => {}
            (Fact::Restart, _) => {
                self.stop_for(Stage::Configured);
                self.connect(Origin::Asked);
            }
            (Fact::Reset, Stage::Configured) => {}
            (Fact::Reset, _) => self.stop_for(Stage::Configured),
            (Fact::Connect, Stage::Connecting { .. } | Stage::Ready) => {}
            (Fact::Connect, Stage::Degraded) => {
                self.life.listing.want(self.at.now);
                self.list();
            }
            (Fact::Connect, _) => {
                self.life.tries = 0;
                self.connect(Origin::Asked);
            }
            (Fact::Reached { attempt: of, phase }, Stage::Connecting { origin, .. }) if of == attempt => {
                self.life.stage = Stage::Connecting { phase, origin };
            }
            (Fact::Settled { attempt: of, settlement }, Stage::Connecting { origin, .. })
                if of == attempt =>
            {
                self.settle(settlement, origin);
            }
            (Fact::Lost { attempt: of }, _) if is_up && of == attempt => {
                self.actions.push(Action::Stop);
                self.offline();
            }
            (Fact::LoginLost { attempt: of }, _) if is_up && of == attempt => {
                self.stop_for(Stage::NeedsLogin);
            }
            (Fact::ListChanged { attempt: of }, _) if of == attempt => {
                self.life.listing.want(self.at.now);
                self.list();
            }
            (Fact::Listed { attempt: of }, _) if is_up && of == attempt => self.listed(Stage::Ready),
            (Fact::NotListed { attempt: of }, _) if is_up && of == attempt => self.listed(Stage::Degraded),
            (Fact::Called { attempt: of }, _) if is_up && of == attempt => self.life.tries = 0,
            (Fact::Due, Stage::Offline { retry: Some(retry) }) if self.at.now >= retry => {
                self.connect(Origin::Lost);
            }
            (Fact::Due, _) => self.list(),
            _ => {}
        }
    }

    fn enter(&mut self, stage: Stage) {
        if self.life.stage != stage {
            self.life.since = self.at.now;
        }
        self.life.stage = stage;
    }

    /// A new attempt: it has a number and a list of its own.
    fn connect(&mut self, origin: Origin) {
        self.life.attempt += 1;
        self.life.listing = Listing::default();
        self.enter(Stage::Connecting { phase: Phase::Config, origin });
        self.actions.push(Action::Connect { attempt: self.life.attempt });
    }

    fn stop_for(&mut self, stage: Stage) {
        let runs = matches!(self.life.stage, Stage::Connecting { .. } | Stage::Ready | Stage::Degraded);
        if runs {
            self.actions.push(Action::Stop);
        }
        self.life.tries = 0;
        self.enter(stage);
    }

    fn settle(&mut self, settlement: Settlement, origin: Origin) {
        match (settlement, origin) {
            (Settlement::Ready, _) => self.enter(Stage::Ready),
            (Settlement::Degraded, _) => self.enter(Stage::Degraded),
            (Settlement::NeedsLogin, _) => self.enter(Stage::NeedsLogin),
            (Settlement::Blocked, _) => self.enter(Stage::Blocked),
            (Settlement::Failed, Origin::Asked) => self.enter(Stage::Failed),
            (Settlement::Failed, Origin::Lost) => self.offline(),
        }
        // What it said on the way is heard now.
        self.list();
    }

    fn offline(&mut self) {
        let tries = self.life.tries;
        let retry = (tries < self.rules.tries).then(|| {
            self.life.tries += 1;
            self.at.now + self.rules.pause(tries, self.at.chance)
        });
        self.enter(Stage::Offline { retry });
    }

    fn listed(&mut self, stage: Stage) {
        self.life.listing.over(self.at.now);
        self.enter(stage);
        self.list();
    }

    fn list(&mut self) {
        let is_up = matches!(self.life.stage, Stage::Ready | Stage::Degraded);
        if is_up && self.life.listing.begins(self.at.now, self.rules) {
            self.actions.push(Action::List);
        }
    }
}
