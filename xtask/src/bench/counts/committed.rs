//! `counts.toml`: what each kind of call came to when somebody last looked.

use std::collections::BTreeMap;
use std::fs;

use serde::Deserialize;

use crate::bench::limit::Limit;
use crate::run::root;

/// A number may grow by so much before somebody has to look at it.
const GROWTH: f64 = 1.10;

/// The rows by their names.
pub(super) type Committed = BTreeMap<String, Row>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) instructions: Number,
    pub(super) system_calls: Number,
    /// What its instructions are held against, beside what they came to.
    pub(super) beside: Option<Beside>,
}

/// Another row, and how many times its instructions a row may have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Beside {
    pub(super) row: String,
    pub(super) times: f64,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Number {
    /// What it came to.
    committed: f64,
    /// What it must never come to, however often the other is raised.
    most: Option<f64>,
}

pub(super) fn read() -> Result<Committed, String> {
    let text = fs::read_to_string(root().join("xtask/counts.toml")).map_err(|fault| fault.to_string())?;
    toml::from_str(&text).map_err(|fault| format!("counts.toml: {fault}"))
}

impl Number {
    /// What was measured beside what it may be.
    pub(super) fn limit(self, what: String, measured: f64, unit: &'static str) -> Limit {
        let grown = self.committed * GROWTH;
        let most = self.most.map_or(grown, |most| grown.min(most));
        Limit { what, measured, most, unit }
    }

    /// Whether it is so much less than what was committed that the number there hides growth.
    pub(super) fn is_stale(self, measured: f64) -> bool {
        measured * GROWTH < self.committed
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::ROWS;
    use super::*;

    #[test]
    fn each_row_has_its_numbers_and_there_are_no_others() {
        let committed = read().unwrap();
        let names: Vec<_> = committed.keys().map(String::as_str).collect();
        let mut wanted: Vec<_> = ROWS.iter().map(|row| row.name).collect();
        wanted.sort_unstable();
        assert_eq!(names, wanted);
        // Another row is counted before the one that is held against it.
        let place = |name: &str| ROWS.iter().position(|row| row.name == name);
        for (name, row) in &committed {
            assert!(row.beside.as_ref().is_none_or(|other| place(&other.row) < place(name)), "{name}");
        }
    }

    #[test]
    fn a_number_may_grow_by_a_tenth_and_not_beyond_its_most() {
        let most = |committed, most| Number { committed, most }.limit(String::new(), 0.0, "").most;
        assert_eq!(most(100.0, None), 110.00000000000001);
        assert_eq!(most(100.0, Some(105.0)), 105.0);
        assert!(most(100.0, Some(150.0)) < 111.0);
        let number = Number { committed: 100.0, most: None };
        assert!(number.is_stale(80.0) && !number.is_stale(95.0));
    }
}
