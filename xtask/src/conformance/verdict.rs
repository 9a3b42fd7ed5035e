//! Whether a scenario passed. The suite's exit code is not asked: it is 0 for a driver that does nothing.

use super::expected::Expected;
use super::found::{Check, Found, Status};
use super::scenarios::Role;

/// The driver's last line when it did all it had to do.
const DONE: &str = "DRIVER-OK";
/// The check that every message has the form of its revision, which says nothing of what a scenario is about.
const FORM: &str = "wire-schema-valid";
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
pub(crate) fn verdict(expected: &Expected, scenario: &str, role: Role, found: Option<&Found>) -> Verdict {
    let Some(found) = found else { return Verdict::Failed(vec!["the suite did not run it".to_owned()]) };
    let mut faults = wrong_checks(found, expected.only_skipped.contains(scenario));
    if role == Role::Client {
        faults.extend(no_end(found, expected.may_end_with_an_error.contains(scenario)));
    }
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
    rest.checks.len() < found.checks.len()
        && wrong_checks(&rest, false).is_empty()
        && no_end(&rest, false).is_none()
}

/// What is wrong with the checks; where the suite skips all of them, one that is not is news.
fn wrong_checks(found: &Found, only_skipped: bool) -> Vec<String> {
    let mut faults: Vec<String> = found.checks.iter().filter_map(fault).collect();
    let succeeded = found.checks.iter().any(|check| check.status == Status::Success && check.id != FORM);
    let skipped = found.checks.iter().any(|check| check.status == Status::Skipped);
    match only_skipped {
        true if succeeded => {
            faults.push("a check succeeded, and expected.toml says that all are skipped".into())
        }
        true if !skipped => faults.push("no check was skipped".into()),
        false if !succeeded => faults.push("no check succeeded".into()),
        _ => {}
    }
    faults
}

/// How the driver ended, if not as it should.
fn no_end(found: &Found, may_give_up: bool) -> Option<String> {
    let ended = found.last_line == DONE || (may_give_up && found.last_line.starts_with(GAVE_UP));
    let last = if found.last_line.is_empty() { &found.complaints } else { &found.last_line };
    (!ended).then(|| format!("the driver did not come to its end: {last:?}"))
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
        let text = "may_end_with_an_error = ['gives-up']\nonly_skipped = ['skipped']\n[[not_yet]]\nneeds = 'a login'\nscenarios = ['later']";
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
            let verdict = verdict(&expected(), scenario, Role::Client, Some(&found(checks, last_line)));
            assert_eq!(
                verdict == Verdict::Passed,
                *passes,
                "{scenario} {checks:?} {last_line:?}: {verdict:?}"
            );
        }
    }

    #[test]
    fn of_a_server_the_checks_alone_are_judged_also_where_the_suite_skips_them() {
        use Status::{Failure, Info, Skipped, Success};
        let rows: &[(&str, Checks<'_>, bool)] = &[
            ("one", &[("a", Success), ("b", Skipped), ("c", Info)], true),
            ("one", &[("a", Success), ("b", Failure)], false),
            ("one", &[("a", Skipped)], false),
            ("one", &[("a", Skipped), (FORM, Success)], false),
            ("skipped", &[("a", Skipped), (FORM, Success)], true),
            ("skipped", &[("a", Skipped), ("c", Info)], true),
            ("skipped", &[("a", Skipped), ("b", Success)], false),
            ("skipped", &[("a", Skipped), ("b", Failure)], false),
            ("skipped", &[], false),
        ];
        for (scenario, checks, passes) in rows {
            let verdict = verdict(&expected(), scenario, Role::Server, Some(&found(checks, "")));
            assert_eq!(verdict == Verdict::Passed, *passes, "{scenario} {checks:?}: {verdict:?}");
        }
    }

    #[test]
    fn what_is_not_possible_yet_has_to_be_run_and_not_to_pass() {
        let fails = found(&[("a", Status::Failure)], "");
        assert_eq!(verdict(&expected(), "later", Role::Client, Some(&fails)), Verdict::NotYet);
        let passes = found(&[("a", Status::Success)], "DRIVER-OK");
        assert!(matches!(verdict(&expected(), "later", Role::Client, Some(&passes)), Verdict::Failed(_)));
        assert!(matches!(verdict(&expected(), "later", Role::Client, None), Verdict::Failed(_)));
        assert!(matches!(verdict(&expected(), "one", Role::Server, None), Verdict::Failed(_)));
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
