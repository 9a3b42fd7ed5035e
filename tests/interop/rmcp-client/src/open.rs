//! A connection to the server that was named, in the era that was named.

use std::collections::HashMap;
use std::error::Error;

use http::{HeaderName, HeaderValue};
use rmcp::model::ProtocolVersion;
use rmcp::service::RunningService;
use rmcp::transport::TokioChildProcess;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig,
};
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::Value;
use tokio::process::Command;

use crate::told::Told;

pub async fn open(
    era: &str,
    to: &Value,
    told: Told,
) -> Result<RunningService<RoleClient, Told>, Box<dyn Error>> {
    let lifecycle = match era {
        "legacy" => ClientLifecycleMode::Initialize,
        _ => ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: None,
        },
    };
    if let Some(url) = to["url"].as_str() {
        let mut config = StreamableHttpClientTransportConfig::with_uri(url);
        for (name, value) in texts(&to["headers"]) {
            config.custom_headers.insert(HeaderName::try_from(name)?, HeaderValue::try_from(value)?);
        }
        let transport = StreamableHttpClientTransport::from_config(config);
        return Ok(told.serve_with_lifecycle(transport, lifecycle).await?);
    }
    let words: Vec<&str> = to["command"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let (program, arguments) = words.split_first().ok_or("there is no command")?;
    let mut command = Command::new(program);
    command.args(arguments).env_clear().envs(texts(&to["env"]));
    Ok(told.serve_with_lifecycle(TokioChildProcess::new(command)?, lifecycle).await?)
}

fn texts(object: &Value) -> HashMap<String, String> {
    let members = object.as_object().into_iter().flatten();
    members.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
}
