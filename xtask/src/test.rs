//! `cargo xtask test`: every test, and how many there were.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::run::{build, cargo};

/// Builds the binaries that tests start, runs every test and prints `N passed, N failed`.
pub(crate) fn test() -> Result<(), String> {
    build()?;
    let mut command = cargo(&["test", "--workspace", "--no-fail-fast"]);
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
    let stdout = child.stdout.take().expect("it was asked for");
    let mut sum = Sum::default();
    for line in BufReader::new(stdout).lines() {
        let line = line.map_err(|error| error.to_string())?;
        sum.add(&line);
        println!("{line}");
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    println!("{} passed, {} failed", sum.passed, sum.failed);
    match (status.success(), sum.failed, sum.passed) {
        (true, 0, 1..) => Ok(()),
        (true, 0, 0) => Err("no test ran".into()),
        _ => Err(format!("{} tests failed ({status})", sum.failed)),
    }
}

#[derive(Debug, Default, PartialEq)]
struct Sum {
    passed: u64,
    failed: u64,
}

impl Sum {
    /// Adds the counts of a line such as `test result: ok. 3 passed; 0 failed; 0 ignored; ..`.
    fn add(&mut self, line: &str) {
        let Some(result) = line.trim_start().strip_prefix("test result: ") else { return };
        let count = |name: &str| {
            let before = result.split(name).next().filter(|before| before.len() < result.len())?;
            before.split_whitespace().last()?.parse::<u64>().ok()
        };
        self.passed += count(" passed").unwrap_or(0);
        self.failed += count(" failed").unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    use super::Sum;

    #[test]
    fn the_counts_of_every_suite_are_added_up() {
        let mut sum = Sum::default();
        for line in [
            "running 3 tests",
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s",
            "test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out",
            "7 passed; 7 failed",
        ] {
            sum.add(line);
        }
        assert_eq!(sum, Sum { passed: 13, failed: 2 });
    }
}
