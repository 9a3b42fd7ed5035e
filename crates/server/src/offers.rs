//! Which methods a server has, as its capabilities say.

use codewhale_mcp_protocol::{SKILLS_EXTENSION, ServerCapabilities, TASKS_EXTENSION, method};

/// Whether a method may go to the handler. Methods that belong to no capability may.
pub(crate) fn offers(capabilities: &ServerCapabilities, name: &str) -> bool {
    match name {
        method::TOOLS_LIST | method::TOOLS_CALL => capabilities.tools.is_some(),
        method::RESOURCES_LIST | method::RESOURCES_TEMPLATES_LIST | method::RESOURCES_READ => {
            capabilities.resources.is_some()
        }
        method::PROMPTS_LIST | method::PROMPTS_GET => capabilities.prompts.is_some(),
        method::COMPLETE => capabilities.completions.is_some(),
        method::SKILLS_LIST | method::SKILLS_GET => capabilities.extension(SKILLS_EXTENSION).is_some(),
        method::TASKS_GET | method::TASKS_UPDATE | method::TASKS_CANCEL => {
            capabilities.extension(TASKS_EXTENSION).is_some()
        }
        _ => true,
    }
}
