//! The specification's own schemas, and comparing with what they describe.

use std::path::{Path, PathBuf};

use codewhale_mcp_protocol::Revision;
use serde_json::{Map, Value, json};

/// The folder of a revision's schema and examples.
pub(crate) fn folder(revision: Revision) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(revision.as_str())
}

/// A revision's schema.
pub(crate) struct Schema {
    whole: Value,
    place: &'static str,
}

impl Schema {
    pub(crate) fn of(revision: Revision) -> Self {
        let text = std::fs::read_to_string(folder(revision).join("schema.json")).unwrap();
        let whole: Value = serde_json::from_str(&text).unwrap();
        let place = if whole.get("$defs").is_some() { "$defs" } else { "definitions" };
        Self { whole, place }
    }

    pub(crate) fn definitions(&self) -> &Map<String, Value> {
        self.whole[self.place].as_object().unwrap()
    }

    /// The definition that a `$ref` names.
    pub(crate) fn name_in(reference: &Value) -> &str {
        reference.as_str().unwrap().rsplit('/').next().unwrap()
    }

    /// What is wrong with `instance`, as the definition sees it.
    pub(crate) fn faults(&self, definition: &str) -> impl Fn(&Value) -> Vec<String> {
        let mut schema = self.whole.clone();
        schema["allOf"] = json!([{ "$ref": format!("#/{}/{definition}", self.place) }]);
        let validator = jsonschema::validator_for(&schema).unwrap();
        move |instance| {
            validator
                .iter_errors(instance)
                .map(|error| format!("{error} at {}", error.instance_path()))
                .collect()
        }
    }
}

/// Whether two values say the same: numbers are compared by what they are, and these flags are off whether or
/// not they are there.
pub(crate) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let all = |one: &Map<String, Value>, other: &Map<String, Value>| {
                one.iter().all(|(name, value)| match other.get(name) {
                    Some(other) => same(value, other),
                    None => is_off(name, value),
                })
            };
            all(one, other) && all(other, one)
        }
        _ => one == other,
    }
}

fn is_off(name: &str, value: &Value) -> bool {
    matches!(name, "isError" | "listChanged" | "subscribe") && *value == json!(false)
}
