//! A client made with rmcp that is told what to do, a line of JSON each: see `../clients/driven.py`.
#![allow(deprecated, reason = "log levels are deprecated and still in use")]

mod open;
mod told;

use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::*;
use rmcp::service::{PeerRequestOptions, RequestHandle, RunningService};
use rmcp::{Peer, RoleClient, ServiceError};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};

use open::open;
use told::{Told, say};

/// Which request a call is.
type Calls = Arc<Mutex<HashMap<u64, RequestId>>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [era, to] = arguments.as_slice() else { return Err("interop-rmcp-client ERA TO".into()) };
    let told = Told::default();
    let client = match open(era, &serde_json::from_str(to)?, told.clone()).await {
        Ok(client) => client,
        Err(error) => {
            say(&json!({ "refused": words(&*error) }));
            return Ok(());
        }
    };
    let info = client.peer_info().ok_or("nothing was agreed on")?;
    say(&json!({ "revision": info.protocol_version.as_str() }));
    obey(&client, &told).await?;
    client.cancel().await?;
    Ok(())
}

/// Does what it is told until there is nothing more to be told.
async fn obey(client: &RunningService<RoleClient, Told>, told: &Told) -> Result<(), Box<dyn Error>> {
    let calls = Calls::default();
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let asked: Value = serde_json::from_str(&line)?;
        let (peer, told, calls) = (client.peer().clone(), told.clone(), Arc::clone(&calls));
        if let Some(given_up) = asked["cancel"].as_u64() {
            let id = calls.lock().unwrap_or_else(PoisonError::into_inner).remove(&given_up);
            if let Some(request_id) = id {
                let params = json!({ "requestId": request_id, "reason": "given up" });
                let params: CancelledNotificationParam = serde_json::from_value(params)?;
                peer.notify_cancelled(params).await?;
            }
            continue;
        }
        tokio::spawn(async move {
            let id = asked["id"].as_u64().unwrap_or_default();
            match act(&peer, &told, &calls, id, &asked).await {
                Ok(result) => say(&json!({ "id": id, "result": result })),
                Err(error) => say(&json!({ "id": id, "refused": words(&*error) })),
            }
        });
    }
    Ok(())
}

async fn act(
    peer: &Peer<RoleClient>,
    told: &Told,
    calls: &Calls,
    id: u64,
    asked: &Value,
) -> Result<Value, Box<dyn Error + Send + Sync>> {
    Ok(match asked["do"].as_str().unwrap_or_default() {
        "tools" => json!(peer.list_all_tools().await?),
        "resources" => json!(peer.list_all_resources().await?),
        "prompts" => json!(peer.list_all_prompts().await?),
        "call" => {
            let handle = begin(peer, asked).await?;
            told.hear(&handle.progress_token, id);
            calls.lock().unwrap_or_else(PoisonError::into_inner).insert(id, handle.id.clone());
            json!(handle.await_response().await?)
        }
        "read" => {
            let params = serde_json::from_value(json!({ "uri": asked["uri"] }))?;
            json!(peer.read_resource(params).await?)
        }
        "prompt" => {
            let params = json!({ "name": asked["name"], "arguments": asked["arguments"] });
            json!(peer.get_prompt(serde_json::from_value(params)?).await?)
        }
        "ping" => json!(peer.send_request(ClientRequest::PingRequest(PingRequest::default())).await?),
        "log_level" => {
            peer.set_level(serde_json::from_value(json!({ "level": asked["level"] }))?).await?;
            json!({})
        }
        other => return Err(format!("it cannot do {other}").into()),
    })
}

async fn begin(
    peer: &Peer<RoleClient>,
    asked: &Value,
) -> Result<RequestHandle<RoleClient>, Box<dyn Error + Send + Sync>> {
    let params: CallToolRequestParams =
        serde_json::from_value(json!({ "name": asked["tool"], "arguments": asked["arguments"] }))?;
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let begun: Result<_, ServiceError> =
        peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await;
    Ok(begun?)
}

/// An error with its causes.
fn words(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| Error::source(*error));
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
