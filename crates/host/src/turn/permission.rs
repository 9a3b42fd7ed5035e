//! The caller is asked whether a call may be made.

use codewhale_mcp_manager::ToolDefinition;
use codewhale_mcp_protocol::Json;
use serde::{Deserialize, Serialize};

use super::context::Context;
use super::prepared::{Prepared, Target};
use crate::wire::{given, is_object};

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
#[derive(Deserialize)]
struct Said {
    behavior: Option<Json>,
    allowed: Option<Json>,
    #[serde(rename = "updatedInput")]
    updated_input: Option<Json>,
    #[serde(rename = "updatedPermissions")]
    updated_permissions: Option<Json>,
    message: Option<Json>,
    reason: Option<Json>,
    interrupt: Option<Json>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Update {
    r#type: Option<String>,
    behavior: Option<String>,
    rules: Option<Vec<Rule>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Rule {
    #[serde(rename = "toolName")]
    tool_name: Option<String>,
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
    understood(context, prepared, answer).unwrap_or_else(|why| {
        Permission::Denied(format!("the answer to the question for a permission makes no sense: it {why}"))
    })
}

/// What an answer says; why it makes no sense otherwise.
fn understood(context: &Context, prepared: &Prepared, answer: &Json) -> Result<Permission, String> {
    if !is_object(answer) {
        return Err("is no object".to_owned());
    }
    let said: Said = answer.decode().map_err(|error| format!("cannot be read: {error}"))?;
    let text = |name, member: &Option<Json>| given::<String>(name, member.as_ref(), "a text");
    let flag = |name, member: &Option<Json>| given::<bool>(name, member.as_ref(), "true or false");
    let behavior = match text("behavior", &said.behavior)?.as_deref() {
        None => None,
        Some("allow") => Some(true),
        Some("deny") => Some(false),
        Some(_) => return Err("has a `behavior` that is neither allow nor deny".to_owned()),
    };
    // Whoever says both has to mean both.
    let says = [flag("allowed", &said.allowed)?, behavior];
    let allowed = says.contains(&Some(true)) && !says.contains(&Some(false));
    if !allowed {
        let why = text("message", &said.message)?.or(text("reason", &said.reason)?);
        let why = why.filter(|why| !why.is_empty()).unwrap_or_else(|| "the user does not want it".to_owned());
        return Ok(match flag("interrupt", &said.interrupt)? {
            Some(true) => Permission::Stop(why),
            _ => Permission::Denied(why),
        });
    }
    if said.updated_input.as_ref().is_some_and(|input| !is_object(input)) {
        return Err("has an `updatedInput` that is no object".to_owned());
    }
    let updates =
        given::<Vec<Update>>("updatedPermissions", said.updated_permissions.as_ref(), "an array of updates")?;
    if let Target::Tool(tool) = &prepared.target {
        let for_good = updates.unwrap_or_default().iter().any(|update| {
            update.r#type.as_deref() == Some("addRules")
                && update.behavior.as_deref() == Some("allow")
                && update.rules.iter().flatten().any(|rule| rule.tool_name.as_ref() == Some(&tool.name))
        });
        if for_good {
            context.granted.allow(tool.id.clone(), ToolDefinition::of(tool.tool()));
        }
    }
    Ok(Permission::Given(said.updated_input.unwrap_or_else(|| prepared.input.clone())))
}
