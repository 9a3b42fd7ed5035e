//! Reads one line of the client, keeping ids and values as they were written.

use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, HashMap};

type Members = HashMap<String, Box<RawValue>>;

/// A JSON object that came from the client.
pub(crate) struct Message {
    members: Members,
    params: Members,
}

impl Message {
    /// `None` when the line is not a JSON object.
    pub(crate) fn parse(line: &[u8]) -> Option<Message> {
        let members: Members = serde_json::from_slice(line).ok()?;
        let params = members.get("params").map(|raw| object(raw)).unwrap_or_default();
        Some(Message { members, params })
    }

    /// The id as the client wrote it, quotes and all.
    pub(crate) fn id(&self) -> Option<&str> {
        self.members.get("id").map(|raw| raw.get())
    }

    pub(crate) fn method(&self) -> Option<String> {
        self.members.get("method").and_then(|raw| string(raw))
    }

    pub(crate) fn is_method(&self, name: &str) -> bool {
        self.method().as_deref() == Some(name)
    }

    /// A request: it has a method and an id.
    pub(crate) fn is_request(&self) -> bool {
        self.members.contains_key("method") && self.members.contains_key("id")
    }

    /// A response: it has an id and no method.
    pub(crate) fn is_response(&self) -> bool {
        self.members.contains_key("id") && !self.members.contains_key("method")
    }

    pub(crate) fn member(&self, name: &str) -> Option<&str> {
        self.members.get(name).map(|raw| raw.get())
    }

    pub(crate) fn param(&self, name: &str) -> Option<&str> {
        self.params.get(name).map(|raw| raw.get())
    }

    pub(crate) fn param_text(&self, name: &str) -> Option<String> {
        self.params.get(name).and_then(|raw| string(raw))
    }

    /// The members of `params`, as written, in the order of their names.
    pub(crate) fn params(&self) -> BTreeMap<&str, &str> {
        self.params.iter().map(|(name, raw)| (name.as_str(), raw.get())).collect()
    }

    /// One member of `params` in full, null when it is not there.
    pub(crate) fn param_value(&self, name: &str) -> Value {
        self.param(name).and_then(|raw| serde_json::from_str(raw).ok()).unwrap_or_default()
    }

    /// One member of `params._meta`, as written.
    pub(crate) fn meta(&self, name: &str) -> Option<String> {
        let meta = object(self.params.get("_meta")?);
        meta.get(name).map(|raw| raw.get().to_owned())
    }

    /// `params.arguments` of a tool call or a prompt.
    pub(crate) fn arguments(&self) -> Arguments {
        let raw = self.params.get("arguments");
        Arguments {
            raw: raw.map_or_else(|| "{}".to_owned(), |raw| raw.get().to_owned()),
            members: raw.map(|raw| object(raw)).unwrap_or_default(),
        }
    }
}

/// The arguments of one call.
pub(crate) struct Arguments {
    /// As the client wrote them.
    pub(crate) raw: String,
    members: Members,
}

impl Arguments {
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.members.get(name).and_then(|raw| string(raw))
    }

    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        self.members.get(name).and_then(|raw| serde_json::from_str(raw.get()).ok())
    }

    pub(crate) fn count(&self, name: &str) -> Option<u64> {
        self.members.get(name).and_then(|raw| serde_json::from_str(raw.get()).ok())
    }
}

fn object(raw: &RawValue) -> Members {
    serde_json::from_str(raw.get()).unwrap_or_default()
}

fn string(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_arguments_keep_their_spelling() {
        for id in ["1", "\"1\"", "9007199254740993", "-0", "1e30"] {
            let line =
                format!(r#"{{"id":{id},"method":"tools/call","params":{{"arguments":{{"a":{id}}}}}}}"#);
            let message = Message::parse(line.as_bytes()).unwrap();
            assert_eq!(message.id(), Some(id));
            assert_eq!(message.arguments().raw, format!(r#"{{"a":{id}}}"#));
        }
    }

    #[test]
    fn what_is_no_object_is_no_message() {
        for line in ["", "[]", "7", "{", "\u{feff}{}"] {
            assert!(Message::parse(line.as_bytes()).is_none(), "{line}");
        }
    }
}
