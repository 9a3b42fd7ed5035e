//! Which helper is which.

use codewhale_mcp_protocol::Json;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::table::Helper;
use super::{prompt, resources, search, skills, waiting};
use crate::turn::{Context, Outcome};

/// Does what a helper does. Nothing of a server that is denied is started or asked.
pub(crate) async fn run(context: &Context, helper: Helper, input: &Json) -> Outcome {
    let done = match helper {
        Helper::ListResources => resources::list(context, input).await,
        Helper::ListResourceTemplates => resources::list_templates(context, input).await,
        Helper::ReadResource => resources::read(context, input).await,
        Helper::ListSkills => resources::list_skills(context, input).await,
        Helper::LoadSkill => skills::load(context, input).await,
        Helper::GetPrompt => prompt::get(context, input).await,
        Helper::ToolSearch => search::search(context, input).await,
        Helper::WaitForServers => waiting::wait(context, input).await,
    };
    // Servers like to quote what they do not accept.
    done.unwrap_or_else(|why| Outcome::failed(context.secrets.apply(&why)))
}

/// Reads the arguments of a helper.
pub(super) fn arguments<A: DeserializeOwned>(input: &Json) -> Result<A, String> {
    input.decode().map_err(|error| format!("the arguments make no sense: {error}"))
}

/// Fails where a server is denied.
pub(super) fn admitted(context: &Context, server: &str) -> Result<(), String> {
    match context.policy.scope.admits_server(server) {
        true => Ok(()),
        false => Err(format!("the rules of this session deny server `{server}`")),
    }
}

/// A value as the result of a helper.
pub(super) fn told(value: &Value) -> Outcome {
    Outcome::text(value.to_string())
}
