//! Finds the processes of a trial again, by a variable that children inherit.
//!
//! Only Linux lets one read another process's environment; elsewhere nothing is ever found.

use crate::run::end;
use std::path::Path;
use std::time::{Duration, Instant};

/// The variable whose value names a trial.
pub const MARKER: &str = "CODEWHALE_TEST_MARKER";

/// A process of a trial that still runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survivor {
    /// Its id.
    pub pid: u32,
    /// Its arguments, parted by blanks.
    pub command: String,
}

/// Every process that runs with `marker` in its environment, zombies left out, by id.
#[must_use]
pub fn survivors(marker: &str) -> Vec<Survivor> {
    let wanted = format!("{MARKER}={marker}");
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let mut found: Vec<Survivor> = entries
        .flatten()
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let environment = environment(&entry.path())?;
            environment.split(|byte| *byte == 0).find(|variable| *variable == wanted.as_bytes())?;
            runs(&entry.path()).then(|| Survivor { pid, command: command(&entry.path()) })
        })
        .collect();
    found.sort_by_key(|survivor| survivor.pid);
    found
}

/// Waits until nothing of the trial runs any more.
///
/// # Errors
///
/// Those that still run when `patience` is over.
pub fn wait_until_none_survive(marker: &str, patience: Duration) -> Result<(), Vec<Survivor>> {
    let end = Instant::now() + patience;
    loop {
        let left = survivors(marker);
        if left.is_empty() {
            return Ok(());
        }
        if Instant::now() >= end {
            return Err(left);
        }
        std::thread::park_timeout(Duration::from_millis(2));
    }
}

/// Kills what is left of a trial, so that a failed test leaves nothing behind.
pub fn end_survivors(marker: &str) {
    for survivor in survivors(marker) {
        end(survivor.pid);
    }
}

/// The environment of a process. It reads as empty for a moment while a process becomes another program,
/// which must not hide it.
fn environment(process: &Path) -> Option<Vec<u8>> {
    let read = || std::fs::read(process.join("environ")).ok();
    let mut environment = read()?;
    for _ in 0..20 {
        // Kernel threads and zombies have no program, and never an environment.
        if !environment.is_empty() || process.join("exe").read_link().is_err() {
            break;
        }
        std::thread::park_timeout(Duration::from_millis(1));
        environment = read()?;
    }
    Some(environment)
}

/// A zombie is gone but for its exit status.
fn runs(process: &Path) -> bool {
    let stat = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
    // The name in parentheses may hold anything, also blanks and parentheses.
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    state.is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

fn command(process: &Path) -> String {
    let bytes = std::fs::read(process.join("cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).replace('\0', " ").trim_end().to_owned()
}
