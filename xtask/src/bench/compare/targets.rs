//! `tests/bench/targets.toml`: what the numbers have to be.

use std::fs;

use serde::Deserialize;

use super::cases::CASES;
use super::figure::Figure;
use super::results::Results;
use crate::run::root;

/// What one number has to be. Where more is better they are the least, otherwise the most.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Target {
    /// The row's name.
    pub(super) row: String,
    pub(super) figure: Figure,
    /// Times the floor's.
    pub(super) floor: Option<f64>,
    /// Times rmcp's.
    pub(super) rmcp: Option<f64>,
    /// In itself, in the figure's unit.
    pub(super) itself: Option<f64>,
    /// Times what another row of ours comes to.
    pub(super) beside: Option<Beside>,
}

/// Another row, and how many times its number.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Beside {
    pub(super) row: String,
    pub(super) times: f64,
}

/// How a target was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Met,
    Missed,
    /// Somebody who is compared with was not measured.
    Unknown,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    target: Vec<Target>,
}

pub(super) fn read() -> Result<Vec<Target>, String> {
    let text =
        fs::read_to_string(root().join("tests/bench/targets.toml")).map_err(|fault| fault.to_string())?;
    let file: File = toml::from_str(&text).map_err(|fault| format!("targets.toml: {fault}"))?;
    Ok(file.target)
}

impl Target {
    pub(super) fn verdict(&self, results: &Results, row: &'static str) -> Verdict {
        let ratio = |other| results.ratio((row, "ours"), (row, other), self.figure);
        let itself = || results.middle(row, "ours", self.figure).map(|number| number / self.figure.scale());
        let beside = self.beside.as_ref().map(|beside| beside.times);
        let mut verdict = Verdict::Met;
        for (wanted, measured) in [
            (self.floor, ratio("floor")),
            (self.rmcp, ratio("rmcp")),
            (self.itself, itself()),
            (beside, self.times_beside(results, row)),
        ] {
            verdict = match (wanted, measured) {
                (None, _) => verdict,
                (Some(wanted), Some(measured)) if self.holds(measured, wanted) => verdict,
                (Some(_), Some(_)) => return Verdict::Missed,
                (Some(_), None) => Verdict::Unknown,
            };
        }
        verdict
    }

    /// How many times the number of the other row ours is.
    pub(super) fn times_beside(&self, results: &Results, row: &'static str) -> Option<f64> {
        let beside = self.beside.as_ref()?;
        let other = CASES.iter().find(|case| case.name == beside.row)?;
        results.ratio((row, "ours"), (other.name, "ours"), self.figure)
    }

    fn holds(&self, measured: f64, wanted: f64) -> bool {
        if self.figure.more_is_better() { measured >= wanted } else { measured <= wanted }
    }

    /// For people.
    pub(super) fn text(&self) -> String {
        let sign = if self.figure.more_is_better() { "≥" } else { "≤" };
        let parts = [
            self.floor.map(|times| format!("{sign} {times}x floor")),
            self.rmcp.map(|times| format!("{sign} {times}x rmcp")),
            self.itself.map(|number| format!("{sign} {number}")),
            self.beside.as_ref().map(|beside| format!("{sign} {}x {}", beside.times, beside.row)),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::Sample;
    use super::*;

    #[test]
    fn each_target_is_of_a_number_that_is_measured() {
        let targets = read().unwrap();
        assert!(targets.len() > 20);
        for target in targets {
            let case = CASES.iter().find(|case| case.name == target.row);
            assert!(case.is_some_and(|case| case.figures.contains(&target.figure)), "{target:?}");
            assert!(!target.text().is_empty(), "{target:?}");
            let beside = target.beside.as_ref().map(|beside| &beside.row);
            assert!(beside.is_none_or(|row| CASES.iter().any(|case| case.name == row)), "{target:?}");
        }
    }

    #[track_caller]
    fn assert_verdict(figure: Figure, limits: [Option<f64>; 3], wanted: Verdict) {
        let (case, mut results) = (&CASES[0], Results::default());
        let numbers = [("ours", 40.0), ("floor", 20.0)];
        for (client, number) in numbers {
            results.add(case, client, Some(Sample::from([(figure.member().to_owned(), number)])));
        }
        let [floor, rmcp, itself] = limits;
        let target = Target { row: case.name.to_owned(), figure, floor, rmcp, itself, beside: None };
        assert_eq!(target.verdict(&results, case.name), wanted, "{target:?}");
    }

    #[test]
    fn every_limit_has_to_hold() {
        assert_verdict(Figure::P50, [Some(2.0), None, Some(40.0)], Verdict::Met);
        assert_verdict(Figure::P50, [Some(1.9), None, Some(40.0)], Verdict::Missed);
        assert_verdict(Figure::P50, [Some(2.0), None, Some(39.0)], Verdict::Missed);
        assert_verdict(Figure::P50, [Some(2.0), Some(0.3), None], Verdict::Unknown);
        assert_verdict(Figure::P50, [Some(1.9), Some(0.3), None], Verdict::Missed);
    }

    #[test]
    fn where_more_is_better_a_limit_is_the_least() {
        assert_verdict(Figure::Rate, [Some(1.5), None, None], Verdict::Met);
        assert_verdict(Figure::Rate, [Some(2.5), None, None], Verdict::Missed);
    }

    #[test]
    fn a_row_may_be_held_against_another_of_ours() {
        let (row, other, mut results) = (&CASES[1], &CASES[0], Results::default());
        for (case, number) in [(row, 11.0), (other, 10.0)] {
            results.add(case, "ours", Some(Sample::from([("p50_us".to_owned(), number)])));
        }
        for (times, wanted) in [(1.1, Verdict::Met), (1.09, Verdict::Missed)] {
            let beside = Some(Beside { row: other.name.to_owned(), times });
            let (row, figure) = (row.name, Figure::P50);
            let target =
                Target { row: row.to_owned(), figure, floor: None, rmcp: None, itself: None, beside };
            assert_eq!(target.verdict(&results, row), wanted, "{target:?}");
        }
    }
}
