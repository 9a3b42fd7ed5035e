//! How servers are, a line each: the one text for every outlet.

use super::handle::Fleet;
use super::status::ServerStatus;
use crate::supervisor::ServerState;

/// How servers are, a line each, in their order; servers that are switched off have none. At most `most` lines, then
/// one that says how many more there are; 0 is no limit. The lines are safe to print.
#[must_use]
pub fn status_lines(statuses: &[ServerStatus], most: usize) -> Vec<String> {
    let on = |status: &&ServerStatus| status.state != ServerState::Disabled;
    let all: Vec<&ServerStatus> = statuses.iter().filter(on).collect();
    let shown = if most == 0 { all.len() } else { most.min(all.len()) };
    let mut lines: Vec<String> = all[..shown].iter().map(|status| line(status)).collect();
    if shown < all.len() {
        lines.push(format!("+{} more servers", all.len() - shown));
    }
    lines
}

fn line(status: &ServerStatus) -> String {
    let mut line = format!("{}: {}", status.name, status.state.as_str());
    if let Some(phase) = status.phase {
        line.push_str(&format!(" ({}, {:.0} s)", phase.as_str(), status.elapsed.as_secs_f64()));
    }
    match status.tools {
        Some(1) => line.push_str(", 1 tool"),
        Some(count) => line.push_str(&format!(", {count} tools")),
        None => {}
    }
    if let Some(trouble) = &status.trouble {
        line.push_str(&format!(" ({trouble})"));
    }
    if let Some(time) = status.retry_in {
        line.push_str(&format!(", tried again in {:.0} s", time.as_secs_f64().ceil()));
    }
    line
}

impl Fleet {
    /// How the servers are, a line each: [`status_lines`] of all of them.
    #[must_use]
    pub fn status_lines(&self, most: usize) -> Vec<String> {
        status_lines(&self.statuses(), most)
    }
}
