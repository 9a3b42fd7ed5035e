//! Schemas from types.

use codewhale_mcp_protocol::Json;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// The schema of what is read.
pub(crate) fn for_input<T: JsonSchema>() -> Value {
    root(SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<T>())
}

/// The schema of what is written.
pub(super) fn for_output<T: JsonSchema>() -> Value {
    root(SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>())
}

/// Without what says nothing to a client: the dialect, which is the default one, and the name of the type.
fn root(schema: Schema) -> Value {
    let mut schema = schema.to_value();
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("$schema");
        schema.remove("title");
    }
    schema
}

/// The schema as it is sent.
pub(super) fn text(schema: Value) -> Json {
    Json::from(schema)
}

/// The properties of an object's schema, and which of them are required.
pub(crate) fn members(schema: &Value) -> (Map<String, Value>, Vec<String>) {
    let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    (properties, required.filter_map(Value::as_str).map(ToOwned::to_owned).collect())
}
