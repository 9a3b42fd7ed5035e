//! Looking for tools and skills.

use codewhale_mcp_manager::{FoundTool, Matching, Query};
use codewhale_mcp_protocol::Json;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::run::arguments;
use super::skills;
use crate::turn::{Context, Outcome};

#[derive(Deserialize)]
struct What {
    query: String,
    r#match: Option<String>,
}

#[derive(Serialize)]
struct Told<'a> {
    tools: Vec<ToldTool<'a>>,
    #[serde(skip_serializing_if = "is_zero")]
    more: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skills: Vec<Value>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pending: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    not_started: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unavailable: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

#[derive(Serialize)]
struct ToldTool<'a> {
    name: &'a str,
    server: &'a str,
    description: Option<&'a str>,
    /// Only what a server said in this run.
    #[serde(skip_serializing_if = "Option::is_none")]
    input_schema: Option<&'a Json>,
    /// How old what is known of it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    remembered_seconds_ago: Option<u64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over so")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

pub(super) async fn search(context: &Context, input: &Json) -> Result<Outcome, String> {
    let What { query, r#match } = arguments(input)?;
    let matching = match r#match.as_deref() {
        None | Some("words") => Matching::Words,
        Some("regex") => Matching::Regex,
        Some(other) => return Err(format!("match is words or regex, not `{other}`")),
    };
    let query = Query::new(&query, matching).map_err(|error| error.to_string())?;
    let found = context.fleet.search(&query, &context.policy.scope).await;
    for found in found.tools.iter().filter(|found| found.tool.is_said()) {
        context.granted.find(found.tool.id.clone());
    }
    let unavailable = found.unavailable.iter().map(|server| {
        let why = server.trouble.as_ref().map(ToString::to_string);
        json!({"server": server.server, "state": server.state.as_str(), "error": why})
    });
    let told = Told {
        tools: found.tools.iter().map(told_tool).collect(),
        more: found.more,
        skills: skills::found(context, &query).await,
        pending: &found.pending,
        not_started: &found.not_started,
        unavailable: unavailable.collect(),
        hint: found.hint(),
    };
    Ok(Outcome::text(serde_json::to_string(&told).map_err(|error| error.to_string())?))
}

fn told_tool(found: &FoundTool) -> ToldTool<'_> {
    let tool = found.tool.tool();
    ToldTool {
        name: &found.tool.name,
        server: &found.tool.id.server,
        description: tool.description.as_deref(),
        input_schema: tool.input_schema.as_ref().filter(|_| found.tool.is_said()),
        remembered_seconds_ago: found.age.map(|age| age.as_secs()),
    }
}
