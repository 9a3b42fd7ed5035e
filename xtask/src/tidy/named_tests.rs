//! Pages of rules and the tests that hold them: each row names one, and each test that is named is there.
//!
//! Tests stand in the last column of a page's tables, in backquotes, with or without the modules they lie in. A row
//! without one says `none: ` and why.

use std::collections::BTreeSet;

/// The pages that are looked at.
pub(super) const PAGES: &[&str] = &["docs/conformance.md", "docs/field-reports.md"];

/// The names of all functions of these sources.
pub(super) fn functions<'a>(sources: impl Iterator<Item = &'a str>) -> BTreeSet<&'a str> {
    sources.flat_map(functions_of).collect()
}

/// What is wrong with the tables of the page called `name`.
pub(super) fn check(name: &str, page: &str, functions: &BTreeSet<&str>) -> Vec<String> {
    let rows: Vec<_> = page.lines().filter_map(row).collect();
    if rows.is_empty() {
        return vec![format!("{name}: names no test")];
    }
    let mut faults = Vec::new();
    for (id, last) in rows {
        let tests: Vec<&str> = last.split('`').skip(1).step_by(2).collect();
        if tests.is_empty() && !last.starts_with("none: ") {
            faults.push(format!("{name}: {id} names no test and does not say why"));
        }
        let absent = tests.into_iter().filter(|test| !functions.contains(last_segment(test)));
        faults.extend(absent.map(|test| format!("{name}: {id}: there is no test {test}")));
    }
    faults
}

/// The first and the last cell of a line, if it is a row of a table below its head.
fn row(line: &str) -> Option<(&str, &str)> {
    let row = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    let (id, rest) = row.split_once('|')?;
    let last = rest.rsplit('|').next().unwrap_or(rest).trim();
    let is_head = last == "tests" || last.trim_matches('-').is_empty();
    (!is_head).then(|| (id.trim(), last))
}

fn last_segment(test: &str) -> &str {
    test.rsplit("::").next().unwrap_or(test)
}

/// The names after `fn ` in a source file.
fn functions_of(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
        let rest = line.split_once("fn ")?.1;
        rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
    })
}

#[cfg(test)]
mod tests {
    use super::{check, functions};

    fn faults(page: &str) -> Vec<String> {
        let sources = ["#[test]\nfn one_holds() {}\n", "    async fn other() {\n"];
        check("p.md", page, &functions(sources.into_iter()))
    }

    #[test]
    fn a_test_that_is_not_there_is_a_fault() {
        let page = "| id | rule | tests |\n|---|---|---|\n| S01 | `x` | `stdio::one_holds`, `gone_is` |\n";
        assert_eq!(faults(page), ["p.md: S01: there is no test gone_is"]);
    }

    #[test]
    fn tests_that_are_there_and_reasons_are_none() {
        let page = "Some `words`.\n| S01 | `x` | `a::b::one_holds` |\n| S02 | y | `other` |\n| S03 | z | none: no z |\n";
        assert!(faults(page).is_empty());
    }

    #[test]
    fn a_row_or_a_page_without_tests_is_a_fault() {
        assert_eq!(faults("nothing"), ["p.md: names no test"]);
        assert_eq!(faults("| S01 | x | later |\n").len(), 1);
    }
}
