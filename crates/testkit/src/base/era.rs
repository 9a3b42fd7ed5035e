//! The two eras: who may open a connection how, and what a modern request must carry.

use super::reply::Reply;
use super::server::Base;
use crate::json::quote;
use crate::message::Message;

/// The revisions that `initialize` negotiates, oldest first.
pub(crate) const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/// The revision of requests that stand alone.
pub(crate) const MODERN: &str = "2026-07-28";

/// The eras a server speaks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    Legacy,
    Modern,
    Dual,
}

impl Era {
    pub(crate) fn parse(name: &str) -> Result<Era, String> {
        match name {
            "legacy" => Ok(Era::Legacy),
            "modern" => Ok(Era::Modern),
            "dual" => Ok(Era::Dual),
            _ => Err(format!("unknown era {name}; there are legacy, modern and dual")),
        }
    }
}

/// How far a legacy connection has come.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handshake {
    AwaitsInitialize,
    AwaitsInitialized,
    Done,
    /// Requests are answered without one, as stateless servers do.
    NotNeeded,
}

impl Base {
    /// Whether this request is to be read by the modern revision.
    pub(crate) fn is_modern(&self, message: &Message) -> bool {
        match self.era {
            Era::Legacy => false,
            Era::Modern => true,
            Era::Dual => {
                message.is_method("server/discover")
                    || message.meta("io.modelcontextprotocol/protocolVersion").is_some()
            }
        }
    }

    /// The error a request gets that does not fit the era or the state of the connection.
    pub(super) fn refusal(&self, id: &str, method: &str, message: &Message) -> Option<Reply> {
        if self.is_modern(message) {
            return self.modern_refusal(id, method, message);
        }
        if matches!(method, "initialize" | "ping" | "server/discover") {
            return None;
        }
        match self.handshake {
            Handshake::AwaitsInitialize => Some(Reply::error(id, -32600, "initialize first", None)),
            Handshake::AwaitsInitialized => {
                Some(Reply::error(id, -32600, "notifications/initialized first", None))
            }
            Handshake::Done | Handshake::NotNeeded => None,
        }
    }

    fn modern_refusal(&self, id: &str, method: &str, message: &Message) -> Option<Reply> {
        if method == "initialize" {
            let text = format!("initialize is not supported, this server speaks {MODERN}");
            return Some(Reply::error(id, -32601, &text, Some(&supported(None))));
        }
        let version = message.meta("io.modelcontextprotocol/protocolVersion");
        let Some(version) = version.and_then(|raw| serde_json::from_str::<String>(&raw).ok()) else {
            let text = "_meta io.modelcontextprotocol/protocolVersion is missing";
            return Some(Reply::error(id, -32602, text, None));
        };
        let capabilities = message.meta("io.modelcontextprotocol/clientCapabilities");
        if !capabilities.is_some_and(|raw| raw.starts_with('{')) {
            let text = "_meta io.modelcontextprotocol/clientCapabilities is missing";
            return Some(Reply::error(id, -32602, text, None));
        }
        (version != MODERN).then(|| {
            Reply::error(id, -32022, "unsupported protocol version", Some(&supported(Some(&version))))
        })
    }

    pub(super) fn discover(&self, message: &Message) -> Reply {
        let members = format!(
            r#""supportedVersions":["{MODERN}"],"capabilities":{}{}"#,
            self.capabilities_at(MODERN),
            self.instructions_member()
        );
        self.cached_result(message, &members)
    }

    /// Answers the version that was fixed, else the client's own, else the newest.
    pub(super) fn initialize(&mut self, message: &Message) -> Reply {
        if self.handshake != Handshake::NotNeeded {
            self.handshake = Handshake::AwaitsInitialized;
        }
        let asked = message.param_text("protocolVersion").unwrap_or_default();
        let own = LEGACY.into_iter().find(|known| *known == asked).unwrap_or(LEGACY[3]);
        let version = self.version.clone().unwrap_or_else(|| own.to_owned());
        self.introduced(message, &version);
        let members = format!(
            r#""protocolVersion":{},"capabilities":{},"serverInfo":{}{}"#,
            quote(&version),
            self.capabilities_at(&version),
            self.info,
            self.instructions_member()
        );
        Reply::result(message.id().unwrap_or("null"), &members)
    }

    fn instructions_member(&self) -> String {
        let text = self.instructions.as_deref();
        text.map(|text| format!(r#","instructions":{}"#, quote(text))).unwrap_or_default()
    }

    /// A result object in the shape of the request's era.
    pub(crate) fn result(&self, message: &Message, members: &str) -> Reply {
        self.shaped(message, "", members)
    }

    /// A result that the modern revision lets the client keep for a while.
    pub(crate) fn cached_result(&self, message: &Message, members: &str) -> Reply {
        self.shaped(message, &format!(r#""ttlMs":{},"cacheScope":"public","#, self.ttl), members)
    }

    fn shaped(&self, message: &Message, caching: &str, members: &str) -> Reply {
        let id = message.id().unwrap_or("null");
        if !self.is_modern(message) {
            return Reply::result(id, members);
        }
        let comma = if members.is_empty() { "" } else { "," };
        let meta = format!(r#""_meta":{{"io.modelcontextprotocol/serverInfo":{}}}"#, self.info);
        Reply::result(id, &format!(r#""resultType":"complete",{caching}{meta}{comma}{members}"#))
    }
}

fn supported(requested: Option<&str>) -> String {
    let requested = requested.map(|text| format!(r#","requested":{}"#, quote(text))).unwrap_or_default();
    format!(r#"{{"supported":["{MODERN}"]{requested}}}"#)
}
