//! The caller is asked whether a call may be made.

use codewhale_mcp_manager::ToolDefinition;
use codewhale_mcp_protocol::Json;
use serde::{Deserialize, Serialize};

use super::context::Context;
use super::prepared::{Prepared, Target};

/// What the caller said.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Permission {
    /// It may be made, with these arguments.
    Given(Json),
    /// It may not, for this reason.
    Denied(String),
    /// It may not, and the turn is to end.
    Stop(String),
}

#[derive(Serialize)]
struct CanUseTool<'a> {
    subtype: &'static str,
    tool_name: &'a str,
    input: &'a Json,
    tool_use_id: &'a str,
    permission_suggestions: [(); 0],
    display_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    /// Why it is asked again.
    #[serde(skip_serializing_if = "Option::is_none")]
    decision_reason: Option<String>,
}

/// The answers of both SDKs: `behavior` and `message`, or `allowed` and `reason`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Said {
    behavior: Option<String>,
    allowed: Option<bool>,
    #[serde(rename = "updatedInput")]
    updated_input: Option<Json>,
    #[serde(rename = "updatedPermissions")]
    updated_permissions: Option<Vec<Update>>,
    message: Option<String>,
    reason: Option<String>,
    interrupt: Option<bool>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Update {
    r#type: String,
    behavior: String,
    rules: Vec<Rule>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Rule {
    #[serde(rename = "toolName")]
    tool_name: String,
}

/// Asks whether a call may be made. One question is open at a time.
pub(super) async fn ask(context: &Context, prepared: &Prepared) -> Permission {
    if !context.policy.has_approver {
        let why = "it needs a permission, and nobody is there to give it";
        return Permission::Denied(why.to_owned());
    }
    let _turn = context.asking.lock().await;
    let name = &prepared.call.name;
    let (shown, description) = match &prepared.target {
        Target::Helper(_) => (name.as_str(), None),
        Target::Tool(tool) => (tool.tool().display_name(), tool.tool().description.as_deref()),
    };
    let request = CanUseTool {
        subtype: "can_use_tool",
        tool_name: name,
        input: &prepared.input,
        tool_use_id: &prepared.call.id,
        permission_suggestions: [],
        display_name: shown,
        description,
        decision_reason: again(context, prepared),
    };
    match context.caller.ask(&request).await {
        Ok(answer) => read(context, prepared, &answer),
        Err(error) => Permission::Denied(format!("no permission: {error}")),
    }
}

/// What has changed about a tool that was allowed once.
fn again(context: &Context, prepared: &Prepared) -> Option<String> {
    let Target::Tool(tool) = &prepared.target else { return None };
    let changes = context.granted.changes(&tool.id, &ToolDefinition::of(tool.tool()))?;
    Some(format!("the tool is not what was allowed before: {}", changes.join("; ")))
}

fn read(context: &Context, prepared: &Prepared, answer: &Json) -> Permission {
    let said = answer.as_str().trim_start().starts_with('{').then(|| answer.decode::<Said>());
    let Some(Ok(said)) = said else {
        return Permission::Denied("the answer to the question for a permission makes no sense".to_owned());
    };
    // Whoever says both has to mean both.
    let says = [said.allowed, said.behavior.as_deref().map(|behavior| behavior == "allow")];
    let allowed = says.contains(&Some(true)) && !says.contains(&Some(false));
    if !allowed {
        let why = said.message.or(said.reason).filter(|why| !why.is_empty());
        let why = why.unwrap_or_else(|| "the user does not want it".to_owned());
        return if said.interrupt == Some(true) { Permission::Stop(why) } else { Permission::Denied(why) };
    }
    if let Target::Tool(tool) = &prepared.target {
        let updates = said.updated_permissions.unwrap_or_default();
        let for_good = updates.iter().any(|update| {
            update.r#type == "addRules"
                && update.behavior == "allow"
                && update.rules.iter().any(|rule| rule.tool_name == tool.name)
        });
        if for_good {
            context.granted.allow(tool.id.clone(), ToolDefinition::of(tool.tool()));
        }
    }
    let input = said.updated_input.filter(|input| input.as_str().trim_start().starts_with('{'));
    Permission::Given(input.unwrap_or_else(|| prepared.input.clone()))
}
