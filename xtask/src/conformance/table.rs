//! All runs on one screen: a row for each scenario, a column for each set.

use std::collections::BTreeMap;

use super::suite::{SETS, Set};
use super::verdict::Verdict;
use crate::counted::Counts;

/// What came of every scenario in every run.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: BTreeMap<String, BTreeMap<&'static str, Cell>>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Cell {
    passed: u64,
    failed: u64,
    not_yet: u64,
}

impl Table {
    pub(crate) fn add(&mut self, set: Set, scenario: &str, verdict: &Verdict) {
        let cell = self.rows.entry(scenario.to_owned()).or_default().entry(set.name()).or_default();
        match verdict {
            Verdict::Passed => cell.passed += 1,
            Verdict::NotYet => cell.not_yet += 1,
            Verdict::Failed(_) => cell.failed += 1,
        }
    }

    /// How many passed and how many failed, over all runs; what is not possible yet is neither.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for cell in self.rows.values().flat_map(BTreeMap::values) {
            counts.add(Counts { passed: cell.passed, failed: cell.failed });
        }
        counts
    }

    /// The table as text.
    pub(crate) fn print(&self) -> String {
        let width = self.rows.keys().map(String::len).max().unwrap_or_default();
        let line = |first: &str, cells: Vec<String>| {
            let cells: String = cells.iter().map(|cell| format!("  {cell:<12}")).collect();
            format!("{}\n", format!("{first:width$}{cells}").trim_end())
        };
        let mut text = line("", SETS.iter().map(|set| set.name().to_owned()).collect());
        for (scenario, cells) in &self.rows {
            let cell = |set: &Set| cells.get(set.name()).map_or(String::new(), Cell::print);
            text.push_str(&line(scenario, SETS.iter().map(cell).collect()));
        }
        text
    }
}

impl Cell {
    fn print(&self) -> String {
        match *self {
            Self { passed, failed: 0, not_yet: 0 } => format!("{passed} ok"),
            Self { passed: 0, failed: 0, .. } => "not yet".to_owned(),
            Self { failed, passed, not_yet } => format!("{failed}/{} FAILED", passed + failed + not_yet),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_added_up_and_what_is_not_possible_yet_is_not_counted() {
        let mut table = Table::default();
        let failed = Verdict::Failed(vec!["why".to_owned()]);
        for verdict in [&Verdict::Passed, &failed, &Verdict::Passed] {
            table.add(SETS[0], "sse-retry", verdict);
        }
        table.add(SETS[1], "tools_call", &Verdict::Passed);
        table.add(SETS[2], "auth/dpop", &Verdict::NotYet);
        assert_eq!(table.counts(), Counts { passed: 3, failed: 1 });
        let text = "            2025-11-25    2026-07-28    all\n\
                    auth/dpop                               not yet\n\
                    sse-retry   1/3 FAILED\n\
                    tools_call                1 ok\n";
        assert_eq!(table.print(), text);
    }
}
