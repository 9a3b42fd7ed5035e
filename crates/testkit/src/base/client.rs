//! What the client has said of itself: once in the legacy era, with each request in the modern one.

use super::era::MODERN;
use super::server::Base;
use crate::message::Message;
use serde_json::Value;

/// The client of a legacy connection.
#[derive(Default)]
pub(crate) struct Client {
    capabilities: Value,
    /// What `initialize` has come to.
    revision: String,
}

impl Base {
    /// Keeps what `initialize` says and comes to.
    pub(super) fn introduced(&mut self, message: &Message, revision: &str) {
        let capabilities = message.param("capabilities").and_then(|raw| serde_json::from_str(raw).ok());
        self.client =
            Client { capabilities: capabilities.unwrap_or_default(), revision: revision.to_owned() };
        self.catalogue.at_revision(revision);
    }

    /// The capabilities that count for this request.
    pub(crate) fn client_capabilities(&self, message: &Message) -> Value {
        if !self.is_modern(message) {
            return self.client.capabilities.clone();
        }
        let raw = message.meta("io.modelcontextprotocol/clientCapabilities");
        raw.and_then(|raw| serde_json::from_str(&raw).ok()).unwrap_or_default()
    }

    /// The revision this message is to be read by; empty before a legacy handshake.
    pub(crate) fn revision(&self, message: &Message) -> &str {
        if self.is_modern(message) { MODERN } else { &self.client.revision }
    }
}
