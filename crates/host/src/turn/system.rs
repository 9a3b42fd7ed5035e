//! The system prompt: the caller's words, how the servers are, and what they say of themselves.

use codewhale_mcp_manager::{Fleet, ServerState, status_lines};

/// The most servers that are listed.
const LISTED: usize = 40;

/// The most bytes of what servers say of themselves, all together.
const INSTRUCTIONS: usize = 20_000;

/// The system prompt of a turn. Of servers that are switched off nothing is said.
pub(crate) fn system(own: &str, fleet: &Fleet) -> String {
    let mut parts = Vec::new();
    if !own.is_empty() {
        parts.push(own.to_owned());
    }
    let statuses = fleet.statuses();
    let lines = status_lines(&statuses, LISTED);
    if !lines.is_empty() {
        let about = "MCP servers. Tools that are not offered yet are found by tool_search; \
                     wait_for_mcp_servers waits for servers that are connecting.";
        parts.push(format!("{about}\n{}", lines.join("\n")));
    }
    let mut room = INSTRUCTIONS;
    for status in statuses.iter().filter(|status| status.state != ServerState::Disabled) {
        let Some(instructions) = &status.instructions else { continue };
        let quoted = instructions.quoted(&status.name);
        if quoted.len() > room {
            break;
        }
        room -= quoted.len();
        parts.push(quoted);
    }
    parts.join("\n\n")
}
