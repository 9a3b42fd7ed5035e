//! Whether a server outlived its connection.

use std::fs;

use crate::check::Outcome;
use crate::world::{MARK, World};

/// No process carries this run's mark in its environment, which some of them overwrite, or is in its folder.
pub(crate) fn none(world: &World) -> Outcome {
    let mark = format!("{MARK}={}", world.mark);
    let mut left = Vec::new();
    let processes = fs::read_dir("/proc").map_err(|error| format!("cannot list processes: {error}"))?;
    for process in processes.flatten() {
        let environment = fs::read(process.path().join("environ")).unwrap_or_default();
        let is_marked = environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes());
        let place = fs::read_link(process.path().join("cwd")).unwrap_or_default();
        if is_marked || place.starts_with(world.shared.folder.path()) {
            let command = fs::read(process.path().join("cmdline")).unwrap_or_default();
            left.push(String::from_utf8_lossy(&command).replace('\0', " "));
        }
    }
    if left.is_empty() { Ok(()) } else { Err(format!("still there: {}", left.join("; "))) }
}
