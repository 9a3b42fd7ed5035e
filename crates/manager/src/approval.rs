//! What an approval of a tool is bound to, and what of it is different now.

use std::collections::{BTreeMap, BTreeSet};

use codewhale_mcp_protocol::{Json, Tool};
use codewhale_mcp_redact::safe_line;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The most characters of a value that a difference shows.
const SHOWN: usize = 200;

/// A tool's definition as somebody looks at it: what it says it is, takes, gives and does. Two are equal if nothing of
/// that differs, in whatever order the members of an object stand. An approval is bound to it: a tool that is another
/// one now has to be approved anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolDefinition {
    /// Each member that there is, as JSON.
    members: BTreeMap<&'static str, Value>,
}

impl ToolDefinition {
    /// The definition of a tool.
    #[must_use]
    pub fn of(tool: &Tool) -> Self {
        let text = |text: &Option<String>| text.clone().map(Value::String);
        let execution = tool.more.as_ref().and_then(|more| more.execution.as_ref());
        let rows = [
            ("title", text(&tool.title)),
            ("description", text(&tool.description)),
            ("inputSchema", tool.input_schema.as_ref().map(read)),
            ("outputSchema", tool.output_schema().map(read)),
            ("annotations", tool.annotations.as_ref().map(written)),
            ("execution", execution.map(written)),
        ];
        let there = |(name, value): (&'static str, Option<Value>)| Some((name, value?));
        Self { members: rows.into_iter().filter_map(there).collect() }
    }

    /// 64 hexadecimal digits that change with the definition, for what is kept between runs.
    #[must_use]
    pub fn hash(&self) -> String {
        let text = serde_json::to_vec(&self.members).expect("JSON has a JSON form");
        Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// What is different in `now`, a line each, safe to print. Nothing if they are equal.
    #[must_use]
    pub fn changes(&self, now: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        let names = self.members.keys().chain(now.members.keys());
        for name in names.collect::<BTreeSet<_>>() {
            compare(name, self.members.get(name), now.members.get(name), &mut changes);
        }
        changes
    }
}

/// Says what differs; of objects, which of their members do.
fn compare(path: &str, before: Option<&Value>, now: Option<&Value>, changes: &mut Vec<String>) {
    if before == now {
        return;
    }
    if let (Some(Value::Object(before)), Some(Value::Object(now))) = (before, now) {
        for (name, value) in before {
            compare(&format!("{path}.{name}"), Some(value), now.get(name), changes);
        }
        for (name, value) in now.iter().filter(|(name, _)| !before.contains_key(*name)) {
            compare(&format!("{path}.{name}"), None, Some(value), changes);
        }
        return;
    }
    let line = match (before, now) {
        (Some(before), Some(now)) => format!("{path}: {} is now {}", shown(before), shown(now)),
        (None, Some(now)) => format!("{path}: {} is new", shown(now)),
        (Some(before), None) => format!("{path}: {} is gone", shown(before)),
        (None, None) => return,
    };
    changes.push(safe_line(&line).into_owned());
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// A schema that cannot be read stands for itself.
fn read(schema: &Json) -> Value {
    schema.decode().unwrap_or_else(|_| Value::String(schema.as_str().to_owned()))
}

fn written(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("wire types have a JSON form")
}
