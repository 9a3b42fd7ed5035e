//! A simulated world in which anything happens at any time, and what must hold in it.

use std::collections::BTreeSet;
use std::time::Duration;

use codewhale_mcp_manager::Phase;
use codewhale_mcp_manager::supervisor::{
    Action, At, Fact, Life, Origin, Rules, ServerState, Settlement, Stage, Time, decide,
};

/// How a world is. Each is a weight from 0 to 255.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weather {
    pub(crate) seed: u64,
    /// How likely an attempt comes to nothing.
    pub(crate) failures: u8,
    /// How likely a server that is up falls.
    pub(crate) falls: u8,
    /// How likely a call succeeds.
    pub(crate) calls: u8,
    /// How likely somebody switches, connects or restarts it.
    pub(crate) hands: u8,
}

/// What was seen in a world.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) entered: BTreeSet<ServerState>,
    pub(crate) left: BTreeSet<ServerState>,
    /// When it was connected to, and why.
    pub(crate) connects: Vec<(Time, Origin)>,
    pub(crate) lists: Vec<Time>,
}

/// A server and its world.
pub(crate) struct Day {
    weather: Weather,
    rules: Rules,
    pub(crate) life: Life,
    pub(crate) now: Time,
    /// The attempt or connection that there is in the world.
    running: Option<u64>,
    /// When the attempt under way settles.
    settles: Option<Time>,
    /// When the list that was asked for comes.
    list_comes: Option<Time>,
    /// How often it was tried again since a call succeeded or somebody took it in hand.
    retries: u32,
    pub(crate) seen: Seen,
}

impl Day {
    pub(crate) fn new(weather: Weather) -> Self {
        Self {
            weather,
            rules: Rules::default(),
            life: Life::configured(Time::ZERO),
            now: Time::ZERO,
            running: None,
            settles: None,
            list_comes: None,
            retries: 0,
            seen: Seen::default(),
        }
    }

    /// Lets time pass until `end`; what somebody does comes every `pause` on average.
    pub(crate) fn pass(&mut self, end: Time, pause: Duration) {
        while self.now < end {
            let somebody = self.now + pause.mul_f64(2.0 * self.chance());
            let next = [self.settles, self.list_comes, self.life.due(&self.rules)];
            let by_itself = next.into_iter().flatten().min();
            if by_itself.is_none_or(|at| at > end) && somebody > end {
                self.now = end;
                return;
            }
            match by_itself.filter(|at| *at <= somebody) {
                Some(at) => {
                    self.now = self.now.max(at);
                    self.happens_by_itself();
                }
                None => {
                    self.now = somebody;
                    self.somebody_acts();
                }
            }
        }
    }

    fn happens_by_itself(&mut self) {
        let attempt = self.life.attempt;
        if self.settles.is_some_and(|at| at <= self.now) {
            self.settles = None;
            let settlement = match self.weighs(self.weather.failures) {
                true => [Settlement::Failed, Settlement::Failed, Settlement::NeedsLogin, Settlement::Blocked],
                false => [Settlement::Ready, Settlement::Ready, Settlement::Ready, Settlement::Degraded],
            }[self.below(4) as usize];
            if !matches!(settlement, Settlement::Ready | Settlement::Degraded) {
                self.running = None;
            }
            self.tell(Fact::Settled { attempt, settlement });
        } else if self.list_comes.is_some_and(|at| at <= self.now) {
            self.list_comes = None;
            let came = !self.weighs(self.weather.failures);
            self.tell(if came { Fact::Listed { attempt } } else { Fact::NotListed { attempt } });
        } else {
            self.tell(Fact::Due);
        }
    }

    fn somebody_acts(&mut self) {
        let of = self.life.attempt;
        let attempt = if self.weighs(32) { of.saturating_sub(1) } else { of };
        if self.weighs(self.weather.falls) {
            return self.tell(Fact::Lost { attempt });
        }
        if self.weighs(self.weather.hands) {
            let hands =
                [Fact::Connect, Fact::Restart, Fact::Reset, Fact::Disabled, Fact::Enabled, Fact::Enabled];
            let fact = hands[self.below(6) as usize];
            return self.tell(fact);
        }
        if self.weighs(self.weather.calls) {
            return self.tell(Fact::Called { attempt });
        }
        let phases = [Phase::Spawn, Phase::Handshake, Phase::List];
        let facts = [
            Fact::Wanted,
            Fact::ListChanged { attempt },
            Fact::LoginLost { attempt },
            Fact::Reached { attempt, phase: phases[self.below(3) as usize] },
            Fact::Settled { attempt: of.saturating_sub(1), settlement: Settlement::Ready },
            Fact::Due,
        ];
        // A login is lost seldom, or little else happens.
        let at = if self.weighs(250) { [0, 1, 3, 4, 5][self.below(5) as usize] } else { 2 };
        self.tell(facts[at]);
    }

    /// Tells something, does what is to be done in this world, and checks that it makes sense there.
    pub(crate) fn tell(&mut self, fact: Fact) {
        let before = self.life;
        let chance = self.chance();
        let (life, actions) = decide(before, fact, At { now: self.now, chance }, &self.rules);
        self.life = life;
        let context = format!("{fact:?} at {:?}: {before:?} -> {life:?} {actions:?}", self.now);
        if before.state() != life.state() {
            self.seen.left.insert(before.state());
            self.seen.entered.insert(life.state());
            assert_eq!(life.since, self.now, "{context}");
        }
        if matches!(fact, Fact::Called { attempt } if attempt == before.attempt && before.state().is_alive())
        {
            self.retries = 0;
        }
        for (at, action) in actions.iter().enumerate() {
            match action {
                Action::Stop => {
                    assert_eq!(at, 0, "what runs is stopped first: {context}");
                    self.stop();
                }
                Action::Connect { attempt } => self.connect(*attempt, &before, &context),
                Action::List => {
                    assert!(life.state().is_alive() && self.list_comes.is_none(), "{context}");
                    self.seen.lists.push(self.now);
                    self.list_comes = Some(self.now + self.up_to(3_000));
                }
            }
        }
        self.check(&context);
    }

    fn connect(&mut self, attempt: u64, before: &Life, context: &str) {
        assert_eq!((self.running, attempt), (None, before.attempt + 1), "one at a time: {context}");
        let Stage::Connecting { origin, .. } = self.life.stage else { panic!("{context}") };
        match origin {
            Origin::Asked => self.retries = 0,
            Origin::Lost => self.retries += 1,
        }
        assert!(self.retries <= self.rules.tries, "{context}");
        self.seen.connects.push((self.now, origin));
        self.running = Some(attempt);
        self.settles = Some(self.now + self.up_to(10_000));
    }

    fn stop(&mut self) {
        (self.running, self.settles, self.list_comes) = (None, None, None);
    }

    fn check(&self, context: &str) {
        let runs = self.life.state().is_alive() || self.life.state() == ServerState::Connecting;
        assert_eq!(self.running, runs.then_some(self.life.attempt), "{context}");
        assert!(self.life.tries <= self.rules.tries, "{context}");
        let stuck = self.life.stage == Stage::Offline { retry: None } && self.life.tries < self.rules.tries;
        assert!(!stuck, "given up too early: {context}");
        if let Stage::Offline { retry: Some(retry) } = self.life.stage {
            let pause = retry.saturating_sub(self.life.since);
            let whole = Duration::from_secs(1 << (self.life.tries - 1));
            let fits = pause >= whole.mul_f64(0.79) && pause <= whole.mul_f64(1.21);
            assert!(fits, "a pause of {pause:?}: {context}");
        }
    }

    /// A number below `end`, by a generator of Knuth's.
    fn below(&mut self, end: u64) -> u64 {
        let seed = &mut self.weather.seed;
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % end
    }

    fn chance(&mut self) -> f64 {
        self.below(1 << 20) as f64 / f64::from(1 << 20)
    }

    fn weighs(&mut self, weight: u8) -> bool {
        self.below(256) < u64::from(weight)
    }

    fn up_to(&mut self, millis: u64) -> Duration {
        Duration::from_millis(self.below(millis) + 1)
    }
}
