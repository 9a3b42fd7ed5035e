//! The system prompt: the caller's words, how the servers are, and what they say of themselves.

use codewhale_mcp_manager::{Fleet, ServerState};

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
    let statuses: Vec<_> =
        fleet.statuses().into_iter().filter(|status| status.state != ServerState::Disabled).collect();
    if !statuses.is_empty() {
        let mut lines = vec![
            "MCP servers. Tools that are not offered yet are found by tool_search; \
             wait_for_mcp_servers waits for servers that are connecting."
                .to_owned(),
        ];
        lines.extend(statuses.iter().take(LISTED).map(|status| {
            let name = &status.name;
            match (&status.trouble, status.tools) {
                (Some(trouble), _) if !status.state.is_alive() => {
                    format!("- {name}: {} ({trouble})", status.state.as_str())
                }
                (_, Some(tools)) => format!("- {name}: {}, {tools} tools", status.state.as_str()),
                _ => format!("- {name}: {}", status.state.as_str()),
            }
        }));
        if statuses.len() > LISTED {
            lines.push(format!("+{} more servers", statuses.len() - LISTED));
        }
        parts.push(lines.join("\n"));
    }
    let mut room = INSTRUCTIONS;
    for status in &statuses {
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
