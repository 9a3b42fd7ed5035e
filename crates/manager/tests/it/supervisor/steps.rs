//! Single decisions, and the words.

use std::time::Duration;

use codewhale_mcp_manager::Phase;
use codewhale_mcp_manager::supervisor::{
    Action, At, Fact, Life, Rules, ServerState, Settlement, Stage, Time, decide,
};

/// A life after these facts, a second apart, and what was to be done at the last one.
fn after(facts: &[Fact]) -> (Life, Vec<Action>) {
    let mut step = (Life::configured(Time::ZERO), Vec::new());
    for (second, fact) in facts.iter().enumerate() {
        let now = Duration::from_secs(second as u64);
        step = decide(step.0, *fact, At { now, chance: 0.5 }, &Rules::default());
    }
    step
}

const READY: Fact = Fact::Settled { attempt: 1, settlement: Settlement::Ready };

#[test]
fn a_state_string_that_nobody_knows_is_offline() {
    for state in ServerState::ALL {
        assert_eq!(ServerState::parse(state.as_str()), state);
    }
    for word in ["", "Ready", "starting", "ready ", "up"] {
        assert_eq!(ServerState::parse(word), ServerState::Offline, "{word}");
    }
}

#[test]
fn what_is_up_or_on_its_way_is_not_started_again() {
    let rows: [&[Fact]; 4] = [
        &[Fact::Wanted, Fact::Wanted],
        &[Fact::Wanted, Fact::Connect],
        &[Fact::Wanted, READY, Fact::Wanted],
        &[Fact::Wanted, READY, Fact::Lost { attempt: 1 }, Fact::Wanted],
    ];
    for row in rows {
        assert_eq!(after(row).1, [], "{row:?}");
    }
}

#[test]
fn what_failed_is_tried_again_only_when_somebody_says_so() {
    let failed = Fact::Settled { attempt: 1, settlement: Settlement::Failed };
    assert_eq!(after(&[Fact::Wanted, failed]).0.state(), ServerState::Failed);
    assert_eq!(after(&[Fact::Wanted, failed, Fact::Wanted]).1, []);
    assert_eq!(after(&[Fact::Wanted, failed, Fact::Connect]).1, [Action::Connect { attempt: 2 }]);
}

#[test]
fn news_of_an_attempt_that_is_over_changes_nothing() {
    let begun = [Fact::Wanted, Fact::Restart];
    for fact in [
        READY,
        Fact::Lost { attempt: 1 },
        Fact::Reached { attempt: 1, phase: Phase::List },
        Fact::ListChanged { attempt: 1 },
        Fact::Called { attempt: 1 },
    ] {
        let (life, actions) = after(&[begun[0], begun[1], fact]);
        assert_eq!((life, actions), (after(&begun).0, vec![]), "{fact:?}");
    }
}

#[test]
fn a_change_before_ready_is_remembered_and_a_burst_is_two_lists() {
    let changed = Fact::ListChanged { attempt: 1 };
    assert_eq!(after(&[Fact::Wanted, changed]).1, []);
    assert_eq!(after(&[Fact::Wanted, changed, READY]).1, [Action::List]);
    assert_eq!(after(&[Fact::Wanted, READY, changed]).1, [Action::List]);
    // One is on its way: the rest of the burst is one more list.
    assert_eq!(after(&[Fact::Wanted, READY, changed, changed, changed]).1, []);
    let listed = Fact::Listed { attempt: 1 };
    assert_eq!(after(&[Fact::Wanted, READY, changed, changed, listed]).1, [Action::List]);
    assert_eq!(after(&[Fact::Wanted, READY, changed, changed, listed, listed]).1, []);
}

#[test]
fn the_pauses_double_up_to_a_minute_and_wobble_by_a_fifth() {
    let rules = Rules::default();
    let pauses = [0, 1, 2, 3, 4, 5, 6, 40].map(|tries| rules.pause(tries, 0.5).as_secs_f64());
    assert_eq!(pauses, [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]);
    let ends = [0.0, 1.0].map(|chance| rules.pause(0, chance).as_millis());
    assert_eq!(ends, [800, 1_200]);
}

#[test]
fn it_gives_up_after_the_last_attempt_and_begins_anew_when_somebody_says_so() {
    let mut life = after(&[Fact::Wanted, READY, Fact::Lost { attempt: 1 }]).0;
    let mut tries = 0;
    while let Stage::Offline { retry: Some(retry) } = life.stage {
        let at = At { now: retry, chance: 0.5 };
        life = decide(life, Fact::Due, at, &Rules::default()).0;
        let failed = Fact::Settled { attempt: life.attempt, settlement: Settlement::Failed };
        life = decide(life, failed, at, &Rules::default()).0;
        tries += 1;
    }
    assert_eq!((tries, life.stage), (5, Stage::Offline { retry: None }));
    let at = At { now: Duration::from_secs(900), chance: 0.5 };
    let (life, actions) = decide(life, Fact::Connect, at, &Rules::default());
    assert_eq!((life.tries, actions), (0, vec![Action::Connect { attempt: 7 }]));
}
