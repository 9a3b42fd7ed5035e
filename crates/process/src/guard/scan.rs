//! Finds a process by the token in its environment.

use std::fs;
use std::os::unix::fs::MetadataExt;

use rustix::process::{Pid, geteuid, getpgid, getpgrp};

use super::SPAWN_VARIABLE;

/// The groups of this user's processes that carry one of `tokens`, each with the token.
///
/// A process that has been made but has not yet become its program still shows its parent's environment, so a
/// look that finds nothing proves nothing.
pub(super) fn groups_carrying<'a>(tokens: impl Iterator<Item = &'a str>) -> Vec<(&'a str, Pid)> {
    let entries: Vec<(&str, String)> =
        tokens.map(|token| (token, format!("{SPAWN_VARIABLE}={token}"))).collect();
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let mut found = Vec::new();
    for process in processes.flatten() {
        let pid = process.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
        let Some(pid) = pid else { continue };
        if process.metadata().is_ok_and(|of| of.uid() != geteuid().as_raw()) {
            continue;
        }
        let Ok(environment) = fs::read(process.path().join("environ")) else { continue };
        let carried = environment.split(|byte| *byte == 0).find_map(|variable| {
            entries.iter().find(|(_, entry)| entry.as_bytes() == variable).map(|(token, _)| *token)
        });
        if let Some(token) = carried
            && let Ok(group) = getpgid(Some(pid))
            && group != getpgrp()
            && group != Pid::INIT
        {
            found.push((token, group));
        }
    }
    found
}
