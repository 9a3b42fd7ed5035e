//! `cargo xtask bench counts`: instructions and system calls of one sequential call, which do not wobble.
//!
//! Two runs of different length are compared, so that start, handshake and end cancel out.

use super::limit::{Limit, report};
use crate::run::{cargo, output, root, succeed, target};
use serde::Deserialize;
use std::fs;
use std::path::Path;
use std::process::Command;

/// `counts.toml`.
#[derive(Deserialize)]
struct Counts {
    instructions: f64,
    system_calls: f64,
}

const FEW: u32 = 200;
const MANY: u32 = 1200;

/// Counts and compares with `counts.toml`.
pub(crate) fn counts() -> Result<(), String> {
    let text = fs::read_to_string(root().join("xtask/counts.toml")).map_err(|fault| fault.to_string())?;
    let most: Counts = toml::from_str(&text).map_err(|fault| fault.to_string())?;
    if !is_there("valgrind") {
        return Err(
            "valgrind counts the instructions and is not installed; install the package valgrind".into()
        );
    }
    succeed(cargo(&["build", "--release", "--package", "codewhale-testkit", "--bins"]))?;
    succeed(cargo(&["build", "--release", "--package", "codewhale-bench"]))?;
    let release = target()?.join("release");
    let (calls, fake) = (release.join("bench-client"), release.join("codewhale-fake"));
    let folder = tempfile::tempdir().map_err(|fault| fault.to_string())?;
    let each = |count: &dyn Fn(u32) -> Result<u64, String>| {
        Ok::<f64, String>((count(MANY)? as f64 - count(FEW)? as f64) / f64::from(MANY - FEW))
    };
    let instructions = each(&|number| instructions(&calls, &fake, number, folder.path()))?;
    let mut limits = vec![Limit {
        what: "instructions of a call of 100 bytes",
        measured: instructions,
        most: most.instructions,
        unit: "instructions",
    }];
    if is_there("strace") {
        let measured = each(&|number| system_calls(&calls, &fake, number, folder.path()))?;
        let what = "system calls of a call of 100 bytes";
        limits.push(Limit { what, measured, most: most.system_calls, unit: "system calls" });
    } else {
        println!("system calls are not counted: strace is not installed");
    }
    report(&limits)
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn instructions(calls: &Path, fake: &Path, number: u32, folder: &Path) -> Result<u64, String> {
    let file = folder.join(format!("callgrind-{number}"));
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--quiet"]).arg(format!("--callgrind-out-file={}", file.display()));
    output(with_calls(command, calls, fake, number))?;
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

fn system_calls(calls: &Path, fake: &Path, number: u32, folder: &Path) -> Result<u64, String> {
    let folder = folder.join(format!("strace-{number}"));
    fs::create_dir_all(&folder).map_err(|fault| fault.to_string())?;
    let mut command = Command::new("strace");
    // A file for each thread and process, so that the server's can be told from ours.
    command.args(["-ff", "-qq", "-e", "signal=none", "-o"]).arg(folder.join("trace"));
    output(with_calls(command, calls, fake, number))?;
    let mut count = 0;
    for entry in fs::read_dir(&folder).map_err(|fault| fault.to_string())? {
        let path = entry.map_err(|fault| fault.to_string())?.path();
        let trace = fs::read(&path).map_err(|fault| fault.to_string())?;
        count += ours(&String::from_utf8_lossy(&trace), &fake.to_string_lossy());
    }
    Ok(count)
}

/// The calls in one trace, none when it is the server's.
fn ours(trace: &str, fake: &str) -> u64 {
    let is_server = trace.contains(&format!("execve(\"{fake}\""));
    if is_server { 0 } else { trace.lines().count() as u64 }
}

fn with_calls(mut command: Command, calls: &Path, fake: &Path, number: u32) -> Command {
    command.arg(calls).args(["seq", "--server"]).arg(format!("{} plain", fake.display()));
    command.args(["--n", &number.to_string()]);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read_from_either_line() {
        assert_eq!(total("events: Ir\nsummary: 12\n"), Some(12));
        assert_eq!(total("fn=x\n1 2\ntotals: 34\n"), Some(34));
        assert_eq!(total("events: Ir\n"), None);
    }

    #[test]
    fn the_server_s_own_system_calls_do_not_count() {
        assert_eq!(ours("execve(\"/t/calls\", [])= 0\nread(0)\n", "/t/fake"), 2);
        assert_eq!(ours("close(3)\nexecve(\"/t/fake\", [])= 0\n", "/t/fake"), 0);
    }

    #[test]
    fn the_committed_limits_are_readable() {
        let counts: Counts = toml::from_str(include_str!("../../counts.toml")).unwrap();
        assert!(counts.instructions >= 1.0 && counts.system_calls >= 1.0);
    }
}
