//! `docs/field-reports.md`: each test it names is there.
//!
//! Tests stand in the last column of its tables, in backquotes, with or without the modules they lie in.

use std::collections::BTreeSet;

/// The tests that `page` names and `sources` do not hold.
pub(crate) fn check<'a>(page: &str, sources: impl Iterator<Item = &'a str>) -> Vec<String> {
    let functions: BTreeSet<&str> = sources.flat_map(functions).collect();
    let named: Vec<&str> = page.lines().flat_map(tests).collect();
    if named.is_empty() {
        return vec!["docs/field-reports.md: names no test".into()];
    }
    let absent = named.into_iter().filter(|test| !functions.contains(last_segment(test)));
    absent.map(|test| format!("docs/field-reports.md: there is no test {test}")).collect()
}

/// The names in backquotes in the last cell of a table row.
fn tests(line: &str) -> impl Iterator<Item = &str> {
    let row = line.trim().strip_prefix('|').and_then(|row| row.strip_suffix('|')).unwrap_or_default();
    row.rsplit('|').next().unwrap_or_default().split('`').skip(1).step_by(2)
}

fn last_segment(test: &str) -> &str {
    test.rsplit("::").next().unwrap_or(test)
}

/// The names after `fn ` in a source file.
fn functions(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
        let rest = line.split_once("fn ")?.1;
        rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
    })
}

#[cfg(test)]
mod tests {
    use super::check;

    const SOURCES: [&str; 2] = ["#[test]\nfn one_holds() {}\n", "    async fn other() {\n"];

    #[test]
    fn a_test_that_is_not_there_is_a_fault() {
        let page = "| id | rule | tests |\n|---|---|---|\n| S01 | `x` | `stdio::one_holds`, `gone_is` |\n";
        let faults = check(page, SOURCES.into_iter());
        assert_eq!(faults, ["docs/field-reports.md: there is no test gone_is"]);
    }

    #[test]
    fn tests_that_are_there_are_none() {
        let page = "Some `words`.\n| S01 | `x` | `a::b::one_holds` |\n| S02 | y | `other` |\n";
        assert!(check(page, SOURCES.into_iter()).is_empty());
    }

    #[test]
    fn a_page_without_tests_is_a_fault() {
        assert_eq!(check("nothing", SOURCES.into_iter()).len(), 1);
    }
}
