//! Ten processes with one token that has ended, one of them killed at any moment, a hundred times.

use std::time::Instant;

use crate::counted::Counts;
use crate::run::{cargo, output};

/// How many times.
const ROUNDS: &str = "100";

/// The test that does it.
const TEST: &str = "logins::one_of_ten_that_is_killed_at_any_moment_costs_the_others_nothing";

/// Runs all and prints a line for them.
pub(crate) fn every_round() -> Counts {
    let start = Instant::now();
    let mut test = cargo(&["test", "--package", "codewhale-e2e", "--test", "it", "--"]);
    test.args(["--exact", TEST, "--nocapture"]).env("CODEWHALE_TRIALS", ROUNDS);
    // A test that is not there is none that failed.
    let done = output(test).is_ok_and(|said| said.contains("1 passed"));
    let word = if done { "ok    " } else { "FAILED" };
    println!("{word}  {:6} ms  shared logins: {ROUNDS} kills", start.elapsed().as_millis());
    let passed = u64::from(done);
    Counts { passed, failed: 1 - passed }
}
