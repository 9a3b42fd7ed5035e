//! Filling in a prompt.

use codewhale_mcp_protocol::{Json, Members};
use serde::Deserialize;
use serde_json::Value;

use super::resources::PATIENCE;
use super::run::{admitted, arguments, told};
use crate::turn::{Context, Outcome};

#[derive(Deserialize)]
struct Which {
    server: String,
    name: String,
    #[serde(default)]
    arguments: Members<Value>,
}

pub(super) async fn get(context: &Context, input: &Json) -> Result<Outcome, String> {
    let Which { server, name, arguments } = arguments(input)?;
    admitted(context, &server)?;
    // Arguments of prompts are texts; a model that gives a number means its text.
    let text = |value: Value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    let arguments: Members<String> = arguments.into_iter().map(|(name, value)| (name, text(value))).collect();
    let client = context.fleet.connected(&server, PATIENCE).await.map_err(|error| error.to_string())?;
    let result = client.get_prompt(&name, &arguments).send().await;
    let result = result.map_err(|error| format!("server `{server}`: {error}"))?;
    Ok(told(&serde_json::to_value(&result).map_err(|error| error.to_string())?))
}
