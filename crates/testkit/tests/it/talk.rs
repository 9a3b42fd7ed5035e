//! A conversation with the fake in either era, a request and its answer at a time.

use crate::play::Play;
use serde_json::{Value, json};

/// What a client that does everything declares, in the legacy era and beyond.
pub(crate) const EVERYTHING: &str =
    r#"{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{"listChanged":true}}"#;

/// An open connection of one era.
pub(crate) struct Talk {
    pub(crate) play: Play,
    modern: bool,
    capabilities: Value,
    /// What `initialize` came to.
    pub(crate) opened: Value,
    id: u64,
    /// What came beside answers, not yet looked at.
    pub(crate) beside: Vec<Value>,
}

impl Talk {
    /// Starts the fake; the era is legacy with this revision, or modern.
    pub(crate) fn start(arguments: &str, revision: &str, capabilities: &str) -> Talk {
        let modern = revision == "2026-07-28";
        let era = if modern { "modern" } else { "legacy" };
        let mut talk = Talk {
            play: Play::start(&format!("{arguments} --era {era}")),
            modern,
            capabilities: serde_json::from_str(capabilities).unwrap(),
            opened: Value::Null,
            id: 0,
            beside: vec![],
        };
        if !modern {
            let params = json!({"protocolVersion": revision, "capabilities": talk.capabilities, "clientInfo": {"name": "t", "version": "1"}});
            talk.opened = talk.request("initialize", params)["result"].take();
            talk.play.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        }
        talk
    }

    /// Sends a request and returns its whole answer.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer(&id)
    }

    /// Calls a tool and returns the result.
    pub(crate) fn call(&mut self, name: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": name, "arguments": arguments}))["result"].take()
    }

    /// Sends a request and returns its id.
    pub(crate) fn send(&mut self, method: &str, mut params: Value) -> Value {
        self.id += 1;
        if self.modern {
            let meta = &mut params["_meta"];
            meta["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
            meta["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
        }
        self.play
            .say(&json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}).to_string());
        json!(self.id)
    }

    /// Reads on to the answer of a request.
    pub(crate) fn answer(&mut self, id: &Value) -> Value {
        loop {
            let message = self.hear();
            if message["id"] == *id && message.get("method").is_none() {
                return message;
            }
            self.beside.push(message);
        }
    }

    /// The next message, whatever it is.
    pub(crate) fn hear(&mut self) -> Value {
        serde_json::from_str(&self.play.hear()).unwrap()
    }

    /// Answers a request of the server.
    pub(crate) fn respond(&mut self, id: &Value, result: &Value) {
        self.play.say(&json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string());
    }

    /// The methods of what came beside answers since the last look.
    pub(crate) fn methods(&mut self) -> Vec<String> {
        let methods =
            self.beside.drain(..).map(|message| message["method"].as_str().unwrap_or("none").to_owned());
        methods.collect()
    }
}

/// The text of the first block of a result.
pub(crate) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {result}"))
}
