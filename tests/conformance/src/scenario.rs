//! What each scenario wants an application to do with the client.

use codewhale_mcp_client::Client;
use codewhale_mcp_protocol::{CallToolResult, Json, Members, Tool};

use crate::arguments;
use crate::given::{Given, ToolCall};
use crate::server::{Outcome, failed, with_server};

/// Does what the scenario wants.
pub(crate) async fn play(given: &Given) -> Outcome {
    match given.scenario.as_str() {
        "initialize" | "json-schema-ref-no-deref" => with_server(given, lists_tools).await,
        "tools_call"
        | "request-metadata"
        | "sep-2322-client-request-state"
        | "http-standard-headers"
        | "http-invalid-tool-headers" => with_server(given, uses_everything).await,
        "elicitation-sep1034-client-defaults" => {
            with_server(given, async |client| calls(client, "test_client_elicitation_defaults").await).await
        }
        "sse-retry" => with_server(given, async |client| calls(client, "test_reconnection").await).await,
        "http-custom-headers" => {
            with_server(given, async |client| calls_as_told(client, &given.context.tool_calls).await).await
        }
        "json-schema-2020-12-preservation" => with_server(given, sends_a_schema_back).await,
        "sep-2640-client-no-prefetch" => with_server(given, lists_skills).await,
        "sep-2640-client-verify-digest"
        | "sep-2640-client-verify-size"
        | "sep-2640-client-verify-frontmatter" => with_server(given, loads_skills).await,
        // Whatever else they are about, there is a server behind a login, and a tool to call.
        auth if auth.starts_with("auth/") => with_server(given, uses_everything).await,
        other => Err(format!("this driver does not know the scenario `{other}`")),
    }
}

async fn lists_tools(client: &Client) -> Outcome {
    client.list_tools().await.map(drop).map_err(failed)
}

/// Lists what there is, calls every tool, reads every resource and fills in every prompt.
async fn uses_everything(client: &Client) -> Outcome {
    for tool in client.list_tools().await.map_err(failed)?.items {
        succeeded(client.call_listed_tool(&tool, &arguments::of_tool(&tool)).await.map_err(failed)?)?;
    }
    let offered = &client.server().capabilities;
    if offered.resources.is_some() {
        for resource in client.list_resources().await.map_err(failed)?.items {
            client.read_resource(&resource.uri).send().await.map_err(failed)?;
        }
    }
    if offered.prompts.is_some() {
        for prompt in client.list_prompts().await.map_err(failed)?.items {
            let arguments = arguments::of_prompt(&prompt);
            client.get_prompt(&prompt.name, &arguments).send().await.map_err(failed)?;
        }
    }
    Ok(())
}

async fn calls(client: &Client, name: &str) -> Outcome {
    let tool = listed(client, name).await?;
    succeeded(client.call_listed_tool(&tool, &arguments::of_tool(&tool)).await.map_err(failed)?)
}

async fn calls_as_told(client: &Client, calls: &[ToolCall]) -> Outcome {
    for call in calls {
        let tool = listed(client, &call.name).await?;
        succeeded(client.call_listed_tool(&tool, &call.arguments).await.map_err(failed)?)?;
    }
    Ok(())
}

async fn lists_skills(client: &Client) -> Outcome {
    let skills = client.list_skills().await.map_err(failed)?.items;
    if skills.is_empty() { Err("there is no skill".to_owned()) } else { Ok(()) }
}

/// Loads every skill, and reads every file of those that can be loaded.
async fn loads_skills(client: &Client) -> Outcome {
    for skill in client.list_skills().await.map_err(failed)?.items {
        let skill = client.load_skill(skill).await.map_err(failed)?;
        for (path, _) in skill.entry().files() {
            skill.file(path).await.map_err(failed)?;
        }
    }
    Ok(())
}

async fn sends_a_schema_back(client: &Client) -> Outcome {
    let schema = listed(client, "json_schema_2020_12_tool").await?.input_schema.ok_or("it has no schema")?;
    let arguments: Members<Json> = [("schema", schema)].into_iter().collect();
    succeeded(client.call_tool("json_schema_echo", &arguments).send().await.map_err(failed)?)
}

async fn listed(client: &Client, name: &str) -> Result<Tool, String> {
    let tools = client.list_tools().await.map_err(failed)?.items;
    tools.into_iter().find(|tool| tool.name == name).ok_or(format!("there is no tool `{name}`"))
}

fn succeeded(result: CallToolResult) -> Outcome {
    if !result.is_error {
        return Ok(());
    }
    let said: Vec<&str> = result.content.iter().filter_map(|content| content.text.as_deref()).collect();
    Err(format!("the tool failed: {}", said.join("; ")))
}
