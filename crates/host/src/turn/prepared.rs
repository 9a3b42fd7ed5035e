//! What a call means, and whether it may be made.

use std::time::Duration;

use codewhale_mcp_manager::{OfferedTool, ToolDefinition, ToolScope};
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
    /// What decides on it, and how.
    pub(super) subject: Subject,
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
        let decision = decide(context.policy.mode, subject);
        Ok(Self { call: call.clone(), input, target, subject, decision })
    }

    /// Whether it may run beside others: it says that it changes nothing.
    pub(super) fn runs_beside_others(&self) -> bool {
        match &self.target {
            Target::Helper(_) => true,
            Target::Tool(tool) => read_only(tool.tool()) == Some(true),
        }
    }
}

/// The tool of a name, as its server has it now.
async fn find(context: &Context, name: &str) -> Result<OfferedTool, String> {
    let found = context.fleet.resolve(name, &context.policy.scope, PATIENCE).await;
    found.map_err(|error| error.to_string())
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
            || context.granted.allows(&tool.id, &ToolDefinition::of(tool.tool())),
        asked: named(&policy.asked),
        read_only: read_only(tool.tool()),
    }
}

fn read_only(tool: &Tool) -> Option<bool> {
    tool.annotations.as_ref()?.read_only_hint
}
