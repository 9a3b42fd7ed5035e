//! Finds a process by the token in its environment.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use rustix::process::{Pid, geteuid, getpid};

use super::SPAWN_VARIABLE;
use crate::members::group_of;
use crate::members::linux::processes;

/// The groups of this user's processes that carry one of `tokens`, each with the token.
pub(super) fn groups_carrying<'a>(tokens: impl Iterator<Item = &'a str>) -> Vec<(&'a str, Pid)> {
    let ours = group_of(getpid());
    let groups =
        carrying(tokens).into_iter().filter_map(|(token, process)| Some((token, group_of(process)?)));
    groups.filter(|(_, group)| Some(*group) != ours && *group != Pid::INIT).collect()
}

/// This user's processes that carry one of `tokens`, each with the token.
///
/// A process that has been made but has not yet become its program still shows its parent's environment, so a
/// look that finds nothing proves nothing.
pub(crate) fn carrying<'a>(tokens: impl Iterator<Item = &'a str>) -> Vec<(&'a str, Pid)> {
    let entries: Vec<(&str, String)> =
        tokens.map(|token| (token, format!("{SPAWN_VARIABLE}={token}"))).collect();
    let mut found = Vec::new();
    for process in processes() {
        let place = PathBuf::from(format!("/proc/{}", process.as_raw_nonzero()));
        if fs::metadata(&place).is_ok_and(|of| of.uid() != geteuid().as_raw()) {
            continue;
        }
        let Ok(environment) = fs::read(place.join("environ")) else { continue };
        let carried = environment.split(|byte| *byte == 0).find_map(|variable| {
            entries.iter().find(|(_, entry)| entry.as_bytes() == variable).map(|(token, _)| *token)
        });
        if let Some(token) = carried
            && process != getpid()
        {
            found.push((token, process));
        }
    }
    found
}
