//! Whether a scenario passed. The suite's exit code is not asked: it is 0 for a driver that does nothing.

use super::expected::Expected;
use super::found::{Check, Found, Status};

/// The driver's last line when it did all it had to do.
const DONE: &str = "DRIVER-OK";
/// How the driver's last line begins when it gave up.
const GAVE_UP: &str = "DRIVER-ERROR";

/// Whether a scenario passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    Passed,
    /// It cannot pass yet, as expected.
    NotYet,
    /// Why not, a line each.
    Failed(Vec<String>),
}

/// Judges a scenario by what was found of it.
pub(crate) fn verdict(expected: &Expected, scenario: &str, found: Option<&Found>) -> Verdict {
    let Some(found) = found else { return Verdict::Failed(vec!["the suite did not run it".to_owned()]) };
    let faults = faults(found, expected.may_end_with_an_error.contains(scenario));
    match (expected.lacks(scenario), faults.is_empty()) {
        (None, true) => Verdict::Passed,
        (None, false) => Verdict::Failed(faults),
        (Some(_), false) => Verdict::NotYet,
        (Some(needs), true) => {
            let stale = format!("it passes, and expected.toml says that it cannot without {needs}");
            Verdict::Failed(vec![stale])
        }
    }
}

/// Whether all that is wrong is that a reconnection came a little later than it was asked to, which a busy machine
/// makes of any client.
pub(crate) fn was_only_late(found: &Found) -> bool {
    let late = |check: &Check| check.id == "client-sse-retry-timing" && check.status == Status::Warning;
    let mut rest = found.clone();
    rest.checks.retain(|check| !late(check));
    rest.checks.len() < found.checks.len() && faults(&rest, false).is_empty()
}

fn faults(found: &Found, may_give_up: bool) -> Vec<String> {
    let mut faults: Vec<String> = found.checks.iter().filter_map(fault).collect();
    if !found.checks.iter().any(|check| check.status == Status::Success) {
        faults.push("no check succeeded".to_owned());
    }
    let ended = found.last_line == DONE || (may_give_up && found.last_line.starts_with(GAVE_UP));
    if !ended {
        let last = if found.last_line.is_empty() { &found.complaints } else { &found.last_line };
        faults.push(format!("the driver did not come to its end: {last:?}"));
    }
    faults
}

fn fault(check: &Check) -> Option<String> {
    let word = match check.status {
        Status::Failure => "failure",
        Status::Warning => "warning",
        Status::Success | Status::Skipped | Status::Info => return None,
    };
    Some(format!("{word} of {} ({}): {}", check.id, check.name, check.reason()))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    type Checks<'a> = &'a [(&'a str, Status)];

    fn found(checks: Checks<'_>, last_line: &str) -> Found {
        let check = |(id, status): &(&str, Status)| Check {
            id: (*id).to_owned(),
            name: "Name".to_owned(),
            status: *status,
            error_message: None,
            details: Value::Null,
        };
        Found {
            checks: checks.iter().map(check).collect(),
            last_line: last_line.to_owned(),
            complaints: String::new(),
        }
    }

    fn expected() -> Expected {
        let text =
            "may_end_with_an_error = ['gives-up']\n[[not_yet]]\nneeds = 'a login'\nscenarios = ['later']";
        toml::from_str(text).unwrap()
    }

    #[test]
    fn a_scenario_passes_with_a_success_and_nothing_else() {
        use Status::{Failure, Info, Skipped, Success, Warning};
        let rows: &[(&str, Checks<'_>, &str, bool)] = &[
            ("one", &[("a", Success), ("b", Skipped), ("c", Info)], "DRIVER-OK", true),
            ("one", &[("a", Success), ("b", Failure)], "DRIVER-OK", false),
            ("one", &[("a", Success), ("b", Warning)], "DRIVER-OK", false),
            ("one", &[("b", Skipped)], "DRIVER-OK", false),
            ("one", &[], "DRIVER-OK", false),
            ("one", &[("a", Success)], "", false),
            ("one", &[("a", Success)], "DRIVER-ERROR no", false),
            ("gives-up", &[("a", Success)], "DRIVER-ERROR no", true),
            ("gives-up", &[("a", Success)], "DRIVER-OK", true),
            ("gives-up", &[("a", Success)], "", false),
        ];
        for (scenario, checks, last_line, passes) in rows {
            let verdict = verdict(&expected(), scenario, Some(&found(checks, last_line)));
            assert_eq!(
                verdict == Verdict::Passed,
                *passes,
                "{scenario} {checks:?} {last_line:?}: {verdict:?}"
            );
        }
    }

    #[test]
    fn what_is_not_possible_yet_has_to_be_run_and_not_to_pass() {
        let fails = found(&[("a", Status::Failure)], "");
        assert_eq!(verdict(&expected(), "later", Some(&fails)), Verdict::NotYet);
        let passes = found(&[("a", Status::Success)], "DRIVER-OK");
        assert!(matches!(verdict(&expected(), "later", Some(&passes)), Verdict::Failed(_)));
        assert!(matches!(verdict(&expected(), "later", None), Verdict::Failed(_)));
        assert!(matches!(verdict(&expected(), "one", None), Verdict::Failed(_)));
    }

    #[test]
    fn a_warning_of_lateness_alone_is_told_from_all_else() {
        let (late, good) = (("client-sse-retry-timing", Status::Warning), ("a", Status::Success));
        let rows: &[(Checks<'_>, &str, bool)] = &[
            (&[good, late], "DRIVER-OK", true),
            (&[good], "DRIVER-OK", false),
            (&[late], "DRIVER-OK", false),
            (&[good, late], "", false),
            (&[good, late, ("b", Status::Warning)], "DRIVER-OK", false),
            (&[good, ("client-sse-retry-timing", Status::Failure)], "DRIVER-OK", false),
        ];
        for (checks, last_line, only) in rows {
            assert_eq!(was_only_late(&found(checks, last_line)), *only, "{checks:?} {last_line:?}");
        }
    }
}
