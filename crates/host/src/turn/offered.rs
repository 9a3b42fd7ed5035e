//! The tools that the model is offered.

use std::collections::BTreeSet;

use codewhale_mcp_manager::{OfferedTool, ToolId};
use codewhale_mcp_protocol::Json;
use serde_json::json;

use super::context::Context;
use crate::helpers;
use crate::model::Offer;

/// The most characters of a description.
const DESCRIPTION: usize = 4_000;

/// The tools that a turn begins with. What a search finds in it comes to them; what connects meanwhile does not.
#[derive(Debug)]
pub(super) struct Offered(BTreeSet<ToolId>);

impl Offered {
    /// The tools of this moment.
    pub(super) fn now(context: &Context) -> Self {
        let tools = context.fleet.tools();
        let inline = tools.said().filter(|tool| context.inline.contains(&tool.id.server));
        Self(inline.map(|tool| tool.id.clone()).collect())
    }

    /// What the model is offered now.
    pub(super) fn offers(&self, context: &Context) -> Vec<Offer> {
        let tools = context.fleet.tools();
        let wanted = |tool: &&OfferedTool| {
            (self.0.contains(&tool.id) || context.granted.is_found(&tool.id))
                && context.policy.scope.admits(&tool.id, &tool.name)
        };
        let helpers = helpers::offers(context).into_iter();
        let helpers = helpers.filter(|helper| !context.policy.denied.contains(&helper.name));
        helpers.chain(tools.said().filter(wanted).map(offer)).collect()
    }
}

/// The names that the model is offered, for those who are told of it.
pub(crate) fn names(context: &Context) -> Vec<String> {
    Offered::now(context).offers(context).into_iter().map(|offer| offer.name).collect()
}

fn offer(offered: &OfferedTool) -> Offer {
    let tool = offered.tool();
    let said = tool.description.as_deref().unwrap_or(tool.display_name());
    let parameters = tool.input_schema.clone().filter(|schema| schema.as_str().trim_start().starts_with('{'));
    Offer {
        name: offered.name.clone(),
        description: said.chars().take(DESCRIPTION).collect(),
        parameters: parameters.unwrap_or_else(no_parameters),
    }
}

fn no_parameters() -> Json {
    json!({"type": "object", "properties": {}}).into()
}
