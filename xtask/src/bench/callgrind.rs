//! How many instructions a program executes, its children apart.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Whether a program can be started.
pub(super) fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Instructions from the program's start to its end.
pub(super) fn instructions(program: &Path, arguments: &[String]) -> Result<u64, String> {
    let folder = tempfile::tempdir().map_err(|fault| fault.to_string())?;
    let file = folder.path().join("callgrind");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--quiet"]).arg(format!("--callgrind-out-file={}", file.display()));
    command.arg(program).args(arguments);
    let output = command.output().map_err(|fault| format!("cannot start {command:?}: {fault}"))?;
    if !output.status.success() {
        // It also speaks of system calls that it does not know.
        return Err(format!("{command:?}: {}: {}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    let text = fs::read_to_string(&file).map_err(|fault| format!("callgrind's counts: {fault}"))?;
    total(&text).ok_or_else(|| "callgrind wrote no total".into())
}

/// The first number of the line `totals:` or `summary:` of callgrind's output.
fn total(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("totals:").or_else(|| line.strip_prefix("summary:")))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::total;

    #[test]
    fn the_total_is_read_from_either_line() {
        assert_eq!(total("events: Ir\nsummary: 12\n"), Some(12));
        assert_eq!(total("fn=x\n1 2\ntotals: 34\n"), Some(34));
        assert_eq!(total("events: Ir\n"), None);
    }
}
