//! What the model is told of the helpers.

use serde_json::{Value, json};

use super::skills;
use crate::model::Offer;
use crate::turn::Context;

/// A helper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Helper {
    ListResources,
    ListResourceTemplates,
    ReadResource,
    ListSkills,
    LoadSkill,
    GetPrompt,
    ToolSearch,
    WaitForServers,
}

impl Helper {
    /// The helper of a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "list_mcp_resources" => Self::ListResources,
            "list_mcp_resource_templates" => Self::ListResourceTemplates,
            "mcp_read_resource" | "read_mcp_resource" => Self::ReadResource,
            "list_mcp_skills" => Self::ListSkills,
            "mcp_load_skill" => Self::LoadSkill,
            "mcp_get_prompt" => Self::GetPrompt,
            "tool_search" => Self::ToolSearch,
            "wait_for_mcp_servers" => Self::WaitForServers,
            _ => return None,
        })
    }
}

/// What the model is offered; what concerns skills only where a server has some.
pub(crate) fn offers(context: &Context) -> Vec<Offer> {
    let mut offers = always();
    if skills::are_there(context) {
        offers.extend(of_skills());
    }
    offers
}

fn offer(name: &str, description: &str, properties: Value, required: &[&str]) -> Offer {
    Offer {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters: json!({"type": "object", "properties": properties, "required": required}).into(),
    }
}

fn server() -> Value {
    json!({"type": "string", "description": "the name of a server"})
}

fn of_skills() -> Vec<Offer> {
    vec![
        offer(
            "list_mcp_skills",
            "Lists the skills of MCP servers, which are instructions for certain work: of all that are connected, or of \
             one.",
            json!({"server": server()}),
            &[],
        ),
        offer(
            "mcp_load_skill",
            "Loads a skill of an MCP server: its instructions and the names of its files. With path, reads one file of a \
             skill that was loaded.",
            json!({
                "server": server(),
                "uri": {"type": "string", "description": "the address of its SKILL.md"},
                "path": {"type": "string"},
            }),
            &["server", "uri"],
        ),
    ]
}

fn always() -> Vec<Offer> {
    vec![
        offer(
            "list_mcp_resources",
            "Lists the resources of MCP servers: of all that are connected, or of one.",
            json!({"server": server()}),
            &[],
        ),
        offer(
            "list_mcp_resource_templates",
            "Lists the resource templates of MCP servers: of all that are connected, or of one.",
            json!({"server": server()}),
            &[],
        ),
        offer(
            "mcp_read_resource",
            "Reads a resource of an MCP server.",
            json!({"server": server(), "uri": {"type": "string"}}),
            &["server", "uri"],
        ),
        offer(
            "mcp_get_prompt",
            "Fills in a prompt of an MCP server.",
            json!({
                "server": server(),
                "name": {"type": "string"},
                "arguments": {"type": "object", "additionalProperties": {"type": "string"}},
            }),
            &["server", "name"],
        ),
        offer(
            "tool_search",
            "Finds tools of MCP servers that are not offered yet, and offers them from then on. The query is some words, \
             the name of a server, the full name of a tool, or with match \"regex\" an expression on full names such as \
             mcp_git_.*. Servers that the query names are started. Skills of connected servers are found too.",
            json!({
                "query": {"type": "string"},
                "match": {"type": "string", "enum": ["words", "regex"]},
            }),
            &["query"],
        ),
        offer(
            "wait_for_mcp_servers",
            "Waits until MCP servers are connected or have failed: those that are named, which are started, or all that \
             are on their way.",
            json!({
                "servers": {"type": "array", "items": {"type": "string"}},
                "timeout_ms": {"type": "integer", "minimum": 0},
            }),
            &[],
        ),
    ]
}

#[cfg(test)]
mod tests {
    use codewhale_mcp_manager::HELPERS;

    use super::*;

    #[test]
    fn no_tool_of_a_server_goes_by_the_name_of_a_helper() {
        for offer in always().into_iter().chain(of_skills()) {
            assert!(HELPERS.contains(&offer.name.as_str()), "{}", offer.name);
        }
        for name in HELPERS {
            assert!(Helper::named(name).is_some(), "{name}");
        }
    }
}
