//! What clients of either era send.

use super::peer::{Answer, Peer, request};
use serde_json::{Value, json};

/// What a client sends with every POST.
pub(crate) const POST: [(&str, &str); 2] =
    [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];

/// A modern request with everything it needs.
pub(crate) fn modern(id: u64, method: &str, mut params: Value) -> (Vec<(&'static str, String)>, String) {
    let meta = &mut params["_meta"];
    meta["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
    meta["io.modelcontextprotocol/clientCapabilities"] =
        json!({"elicitation": {"form": {}}, "sampling": {}, "roots": {}});
    let mut headers: Vec<_> = POST.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    headers.push(("MCP-Protocol-Version", "2026-07-28".to_owned()));
    headers.push(("Mcp-Method", method.to_owned()));
    let name = if method == "resources/read" { &params["uri"] } else { &params["name"] };
    headers.extend(name.as_str().map(|name| ("Mcp-Name", name.to_owned())));
    (headers, json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string())
}

/// Sends it on a connection of its own.
pub(crate) fn send_modern(port: u16, id: u64, method: &str, params: Value) -> Peer {
    let mut peer = Peer::connect(port);
    let (headers, body) = modern(id, method, params);
    let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    peer.send("POST /mcp", &headers, &body);
    peer
}

/// Sends it and reads the whole answer.
pub(crate) fn ask_modern(port: u16, id: u64, method: &str, params: Value) -> Answer {
    send_modern(port, id, method, params).answer()
}

/// A legacy session that has been opened.
pub(crate) struct Session {
    pub(crate) port: u16,
    pub(crate) name: String,
    pub(crate) revision: String,
    id: u64,
}

impl Session {
    pub(crate) fn open(port: u16, revision: &str) -> Session {
        let params = json!({"protocolVersion": revision, "clientInfo": {"name": "t", "version": "1"},
            "capabilities": {"elicitation": {}, "sampling": {}, "roots": {"listChanged": true}}});
        let body = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).to_string();
        let answer = request(port, "POST /mcp", &POST, &body);
        let name = answer.header("MCP-Session-Id").unwrap_or_default().to_owned();
        let agreed = answer.last()["result"]["protocolVersion"].as_str().unwrap_or_default().to_owned();
        let session = Session { port, name, revision: agreed, id: 0 };
        let status =
            session.post(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).answer().status;
        assert!((200..300).contains(&status), "{status}");
        session
    }

    pub(crate) fn headers(&self) -> Vec<(&str, &str)> {
        let mut headers = vec![("MCP-Protocol-Version", self.revision.as_str())];
        if !self.name.is_empty() {
            headers.push(("MCP-Session-Id", &self.name));
        }
        headers
    }

    pub(crate) fn post(&self, body: &str) -> Peer {
        let mut peer = Peer::connect(self.port);
        peer.send("POST /mcp", &[POST.to_vec(), self.headers()].concat(), body);
        peer
    }

    /// Sends a request; returns its id and its connection.
    pub(crate) fn send(&mut self, method: &str, params: Value) -> (u64, Peer) {
        self.id += 1;
        let body = json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params});
        (self.id, self.post(&body.to_string()))
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Answer {
        self.send(method, params).1.answer()
    }

    pub(crate) fn call(&mut self, name: &str, arguments: Value) -> Answer {
        self.ask("tools/call", json!({"name": name, "arguments": arguments}))
    }

    /// Opens a stream, or resumes the one that an event belongs to.
    pub(crate) fn get(&self, last_event: Option<&str>) -> Peer {
        let mut peer = Peer::connect(self.port);
        let mut headers = self.headers();
        headers.push(("Accept", "text/event-stream"));
        headers.extend(last_event.map(|event| ("Last-Event-ID", event)));
        peer.send("GET /mcp", &headers, "");
        peer
    }
}
