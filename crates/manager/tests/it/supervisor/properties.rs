//! Whole days of a server's life.

use std::time::Duration;

use codewhale_mcp_manager::supervisor::{Fact, Origin, Rules, ServerState, Settlement, Time};
use proptest::prelude::*;

use super::day::{Day, Seen, Weather};

const HOUR: Time = Time::from_secs(3_600);
/// Nobody acts within an hour.
const NEVER: Time = Time::from_secs(1 << 40);

fn day(weather: Weather) -> Seen {
    let mut day = Day::new(weather);
    day.pass(24 * HOUR, Duration::from_secs(20));
    day.seen
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn anything_may_happen_to_a_server_in_a_day(
        seed: u64,
        failures in 0..=255_u8,
        falls in 0..=200_u8,
        calls in 0..=200_u8,
        hands in 0..=128_u8,
    ) {
        day(Weather { seed, failures, falls, calls, hands });
    }

    #[test]
    fn an_hour_of_flapping_is_no_storm(seed: u64, failures in 0..=255_u8) {
        // It falls as soon as it is up, and no call ever succeeds.
        let mut day = Day::new(Weather { seed, failures, falls: 255, calls: 0, hands: 0 });
        day.tell(Fact::Wanted);
        day.pass(HOUR, Duration::from_millis(500));
        let tries = Rules::default().tries as usize;
        let again = day.seen.connects.iter().filter(|(_, origin)| *origin == Origin::Lost).count();
        prop_assert!(again <= tries, "{:?}", day.seen.connects);
    }

    #[test]
    fn a_server_that_falls_after_every_call_rests_before_it_is_tried_again(seed: u64) {
        let mut day = Day::new(Weather { seed, failures: 0, falls: 128, calls: 255, hands: 0 });
        day.tell(Fact::Wanted);
        day.pass(HOUR / 12, Duration::from_millis(100));
        for pair in day.seen.connects.windows(2) {
            prop_assert!(pair[1].0 - pair[0].0 >= Duration::from_millis(800), "{pair:?}");
        }
    }

    #[test]
    fn a_server_that_always_says_that_its_list_changed_is_asked_less_and_less_often(seed: u64) {
        let mut day = Day::new(Weather { seed, failures: 0, falls: 0, calls: 0, hands: 0 });
        day.tell(Fact::Wanted);
        day.tell(Fact::Settled { attempt: 1, settlement: Settlement::Ready });
        while day.now < HOUR {
            day.tell(Fact::ListChanged { attempt: 1 });
            let next = day.now + Duration::from_millis(333);
            day.pass(next, NEVER);
        }
        // The first minute is quick; then one in half a minute.
        prop_assert!(day.seen.lists.len() <= 10 + 120, "{}", day.seen.lists.len());
        prop_assert!(day.seen.lists.len() >= 100, "{}", day.seen.lists.len());
    }
}

#[test]
fn every_state_is_reached_and_left_within_a_few_days() {
    let mut all = Seen::default();
    for seed in 0..4 {
        let seen = day(Weather { seed, failures: 90, falls: 60, calls: 60, hands: 40 });
        all.entered.extend(seen.entered);
        all.left.extend(seen.left);
    }
    for state in ServerState::ALL {
        assert!(all.entered.contains(&state) && all.left.contains(&state), "{state:?}: {all:?}");
    }
}
