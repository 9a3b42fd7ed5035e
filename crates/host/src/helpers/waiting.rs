//! Waiting for servers.

use std::time::Duration;

use codewhale_mcp_protocol::Json;
use serde::Deserialize;
use serde_json::{Value, json};

use super::run::{admitted, arguments, told};
use crate::turn::{Context, Outcome};

/// How long it waits unless it is told, and at most.
const USUAL: Duration = Duration::from_secs(30);
const MOST: Duration = Duration::from_secs(300);

#[derive(Deserialize)]
struct What {
    servers: Option<Vec<String>>,
    timeout_ms: Option<u64>,
}

pub(super) async fn wait(context: &Context, input: &Json) -> Result<Outcome, String> {
    let What { servers, timeout_ms } = arguments(input)?;
    for server in servers.iter().flatten() {
        admitted(context, server)?;
        if context.fleet.status(server).is_none() {
            return Err(format!("there is no server `{server}`"));
        }
    }
    let patience = timeout_ms.map_or(USUAL, Duration::from_millis).min(MOST);
    let settled = context.fleet.wait(servers.as_deref(), patience).await;
    let told_status = |status: codewhale_mcp_manager::ServerStatus| {
        let mut told = json!({"server": status.name, "state": status.state.as_str()});
        if let Some(tools) = status.tools {
            told["tools"] = tools.into();
        }
        if let Some(trouble) = &status.trouble {
            told["error"] = trouble.to_string().into();
        }
        told
    };
    let servers: Vec<Value> = settled.into_iter().map(told_status).collect();
    Ok(told(&json!({"servers": servers})))
}
