//! What the programs that were run have counted.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// How much passed and how much failed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }

    /// Reads a line such as `3 passed, 1 failed`.
    fn read(line: &str) -> Option<Self> {
        let (passed, failed) = line.split_once(", ")?;
        Some(Self {
            passed: passed.strip_suffix(" passed")?.parse().ok()?,
            failed: failed.strip_suffix(" failed")?.parse().ok()?,
        })
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// Runs a program, shows what it prints, and takes the counts from its last line.
pub(crate) fn counted(mut command: Command) -> Result<Counts, String> {
    let program = command.get_program().to_owned();
    let cannot = |error: std::io::Error| format!("cannot run {program:?}: {error}");
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(cannot)?;
    let stdout = child.stdout.take().expect("it was asked for");
    let mut counts = None;
    for line in BufReader::new(stdout).lines() {
        let line = line.map_err(cannot)?;
        println!("{line}");
        counts = Counts::read(&line).or(counts);
    }
    let status = child.wait().map_err(cannot)?;
    let counts = counts.ok_or(format!("{program:?} counted nothing ({status})"))?;
    if !status.success() && counts.failed == 0 {
        return Err(format!("{program:?} failed ({status})"));
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn only_a_line_of_counts_is_one() {
        assert_eq!(Counts::read("12 passed, 3 failed"), Some(Counts { passed: 12, failed: 3 }));
        for line in ["12 passed", "12 passed, 3 failed, 0 skipped", "all passed, 3 failed", ""] {
            assert_eq!(Counts::read(line), None, "{line}");
        }
    }
}
