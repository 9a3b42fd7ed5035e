//! The endpoint without connections, as a part of another program.
#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use codewhale_mcp_server::http::{Options, router};
use http::{Request, Response};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tower_service::Service as _;

use super::world::{Gate, server};

/// A program that has the endpoint.
#[derive(Clone)]
pub(crate) struct App {
    router: Router,
    pub(crate) gate: Arc<Gate>,
}

impl App {
    pub(crate) fn new(choose: impl FnOnce(&mut Options)) -> Self {
        let mut options = Options::default();
        choose(&mut options);
        let gate = Arc::new(Gate::default());
        Self { router: router(server(&gate), options), gate }
    }

    async fn post(&self, session: Option<&str>, message: Value) -> Response<Body> {
        let mut request =
            Request::post("/mcp").header("Host", "localhost").header("Content-Type", "application/json");
        if let Some(session) = session {
            request = request.header("MCP-Session-Id", session);
        }
        let request = request.body(Body::from(message.to_string())).unwrap();
        self.router.clone().call(request).await.unwrap()
    }

    /// Begins a session.
    pub(crate) async fn begin(&self) -> String {
        let name = self.only_initialize().await;
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(self.post(Some(&name), ready).await.status(), 202);
        name
    }

    /// Begins a session and does not say that its client is ready.
    pub(crate) async fn only_initialize(&self) -> String {
        let params = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
        });
        let message = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        let answer = self.post(None, message).await;
        answer.headers()["mcp-session-id"].to_str().unwrap().to_owned()
    }

    /// The status of a sign of life.
    pub(crate) async fn ping(&self, session: &str) -> u16 {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
        self.post(Some(session), message).await.status().as_u16()
    }

    /// Calls a tool, and says with what status its answer began.
    pub(crate) fn call_in_background(&self, session: &str, tool: &str) -> JoinHandle<u16> {
        let params = json!({ "name": tool, "arguments": {} });
        let message = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params });
        let (app, session) = (self.clone(), session.to_owned());
        tokio::spawn(async move { app.post(Some(&session), message).await.status().as_u16() })
    }
}
