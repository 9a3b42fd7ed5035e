//! What a call means, and whether it may be made.

use std::time::Duration;

use codewhale_mcp_manager::{OfferedTool, ServerState, ToolScope, suggest};
use codewhale_mcp_protocol::{Json, Tool};

use super::context::Context;
use crate::approval::{Decision, Subject, decide, helper};
use crate::helpers::Helper;
use crate::model::ToolCall;

/// How long a call waits for a server to tell its tools.
const PATIENCE: Duration = Duration::from_secs(30);

/// A call that is understood.
#[derive(Debug, Clone)]
pub(super) struct Prepared {
    pub(super) call: ToolCall,
    pub(super) input: Json,
    pub(super) target: Target,
    pub(super) decision: Decision,
}

/// What is called.
#[derive(Debug, Clone)]
pub(super) enum Target {
    Helper(Helper),
    Tool(Box<OfferedTool>),
}

impl Prepared {
    /// Finds out what a call means; why it means nothing, for the model.
    pub(super) async fn of(context: &Context, call: &ToolCall) -> Result<Self, String> {
        let input = call.input()?;
        let name = helper(&call.name).unwrap_or(&call.name);
        let (target, subject) = match Helper::named(name) {
            Some(helper) => {
                let denied = context.policy.denied.iter().any(|rule| rule == name);
                (Target::Helper(helper), Subject { helper: true, denied, ..Subject::default() })
            }
            None => {
                let tool = find(context, &call.name).await?;
                let subject = subject(context, &tool);
                (Target::Tool(Box::new(tool)), subject)
            }
        };
        Ok(Self { call: call.clone(), input, target, decision: decide(context.policy.mode, subject) })
    }

    /// Whether it may run beside others: it says that it changes nothing.
    pub(super) fn runs_beside_others(&self) -> bool {
        match &self.target {
            Target::Helper(_) => true,
            Target::Tool(tool) => read_only(tool.tool()) == Some(true),
        }
    }
}

/// The tool of a name. A server whose tools are not known yet is started if the name begins as its tools do.
async fn find(context: &Context, name: &str) -> Result<OfferedTool, String> {
    let scope = &context.policy.scope;
    let known = || context.fleet.tools().tool(name).cloned();
    if let Some(tool) = known() {
        return Ok(tool);
    }
    let starts = |server: &str| {
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let prefix: String = server.chars().map(safe).collect();
        name.strip_prefix("mcp_").is_some_and(|rest| rest.starts_with(&format!("{prefix}_")))
    };
    let quiet = |state| matches!(state, ServerState::Configured | ServerState::Connecting);
    let servers = context.fleet.statuses().into_iter();
    let meant = servers.filter(|status| quiet(status.state) && starts(&status.name));
    let meant: Vec<String> =
        meant.map(|status| status.name).filter(|name| scope.admits_server(name)).collect();
    if !meant.is_empty() {
        let settled = context.fleet.wait(Some(&meant), PATIENCE).await;
        if let Some(tool) = known() {
            return Ok(tool);
        }
        if let Some(status) = settled.into_iter().find(|status| !status.state.is_alive()) {
            let why = context.fleet.tools_of(&status.name).err();
            return Err(
                why.map_or_else(|| format!("server `{}` is not ready", status.name), |why| why.to_string())
            );
        }
    }
    let tools = context.fleet.tools();
    let near = suggest(name, tools.said().map(|tool| tool.name.as_str()));
    Err(match near.is_empty() {
        true => format!("there is no tool `{name}`; tool_search finds those that there are"),
        false => format!("there is no tool `{name}`; did you mean {}?", near.join(", ")),
    })
}

fn subject(context: &Context, tool: &OfferedTool) -> Subject {
    let policy = &context.policy;
    let named = |rules: &[String]| {
        !rules.is_empty() && ToolScope::only(rules.iter().cloned()).admits(&tool.id, &tool.name)
    };
    Subject {
        helper: false,
        denied: !policy.scope.admits(&tool.id, &tool.name),
        allowed: named(&policy.allowed)
            || policy.auto_approved.get(&tool.id.server).is_some_and(|rule| rule.covers(&tool.id.tool))
            || context.granted.allows(&tool.id, &definition(tool.tool())),
        asked: named(&policy.asked),
        read_only: read_only(tool.tool()),
    }
}

/// What a permission is bound to.
pub(super) fn definition(tool: &Tool) -> String {
    Json::encode(tool).map(|json| json.as_str().to_owned()).unwrap_or_default()
}

fn read_only(tool: &Tool) -> Option<bool> {
    tool.annotations.as_ref()?.read_only_hint
}
