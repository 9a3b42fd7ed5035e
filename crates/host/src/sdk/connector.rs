//! The way to a server in the caller's process.

use async_trait::async_trait;
use codewhale_mcp_protocol::Json;
use codewhale_mcp_transport::{Connector, Link, OpenError, Way, memory};
use serde::Serialize;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::task::JoinSet;

use super::servers::{Links, lock};
use super::way::{Ear, Mouth, way};
use crate::caller::{AskError, Caller};

/// How many bytes of messages wait on either side.
const PIPE: usize = 256 * 1024;

/// The way to a server in the caller's process. Every link is a fresh one.
#[derive(Debug)]
pub(super) struct SdkConnector {
    server: String,
    caller: Caller,
    links: Links,
}

impl SdkConnector {
    pub(super) fn new(server: String, caller: Caller, links: Links) -> Self {
        Self { server, caller, links }
    }
}

#[async_trait]
impl Connector for SdkConnector {
    async fn open(&self, by: Way) -> Result<Link, OpenError> {
        let (connector, stream) = memory::pair(PIPE);
        let (mouth, ear) = way();
        lock(&self.links).insert(self.server.clone(), mouth.clone());
        let ask = Ask { server: self.server.clone(), caller: self.caller.clone() };
        tokio::spawn(carry(stream, ask, mouth, ear));
        connector.open(by).await
    }
}

/// Carries messages both ways until the client leaves. Requests are carried side by side, and withdrawn when it leaves.
async fn carry(stream: DuplexStream, ask: Ask, mouth: Mouth, mut ear: Ear) {
    let (reader, mut writer) = tokio::io::split(stream);
    let mut lines = BufReader::new(reader).lines();
    let mut asked = JoinSet::new();
    loop {
        tokio::select! {
            line = lines.next_line() => {
                let Ok(Some(line)) = line else { return };
                let Ok(message) = Json::from_text(line) else { continue };
                let (ask, mouth) = (ask.clone(), mouth.clone());
                asked.spawn(async move {
                    if let Some(answer) = ask.carry(message).await {
                        mouth.answer(answer).await;
                    }
                });
            }
            Some(message) = ear.next() => {
                let line = format!("{}\n", message.as_str());
                if writer.write_all(line.as_bytes()).await.is_err() {
                    return;
                }
            }
            Some(_) = asked.join_next() => {}
        }
    }
}

/// Asks the caller to give its server a message.
#[derive(Debug, Clone)]
struct Ask {
    server: String,
    caller: Caller,
}

#[derive(Serialize)]
struct McpMessage<'a> {
    subtype: &'static str,
    server_name: &'a str,
    message: &'a Json,
}

impl Ask {
    /// Carries a message there, and its answer back if it is a request.
    async fn carry(&self, message: Json) -> Option<Json> {
        let id = message.member("id").filter(|_| message.member("method").is_some());
        let request = McpMessage { subtype: "mcp_message", server_name: &self.server, message: &message };
        let answer = self.caller.ask(&request).await;
        // What comes back for anything but a request only says that it arrived.
        let id = id?;
        match answer {
            Ok(answer) => match answer.member("mcp_response") {
                Some(answer) if is_answer(&answer, &id) => Some(answer),
                _ => Some(failed(&id, "the process of the server gave no answer")),
            },
            Err(AskError::Refused(why)) => Some(failed(&id, &why)),
            Err(error @ AskError::InputEnded) => Some(failed(&id, &error.to_string())),
        }
    }
}

/// Whether a message answers the request with this id. Others would end another call, or none.
fn is_answer(message: &Json, id: &Json) -> bool {
    let same = message.member("id").is_some_and(|given| given.as_str() == id.as_str());
    same && message.member("method").is_none()
}

/// An answer in the place of one that did not come.
fn failed(id: &Json, why: &str) -> Json {
    let error = json!({"code": -32603, "message": why});
    let text = format!(r#"{{"jsonrpc":"2.0","id":{},"error":{error}}}"#, id.as_str());
    Json::from_text(text).expect("it is made of JSON")
}
