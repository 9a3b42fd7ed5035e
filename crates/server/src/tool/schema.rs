//! Schemas from types.

use codewhale_mcp_protocol::Json;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
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

/// A derived schema as it is sent. What numbers were made of is left out: JSON Schema has formats for texts alone, and
/// clients that check answers print a warning for each `uint64`.
pub(super) fn text(schema: Value) -> Json {
    match Schema::try_from(schema) {
        Ok(mut schema) => {
            RecursiveTransform(without_width).transform(&mut schema);
            Json::from(schema.to_value())
        }
        Err(_) => unreachable!("a derived schema is an object"),
    }
}

fn without_width(schema: &mut Schema) {
    let kinds = schema.get("type").cloned().unwrap_or_default();
    let holds = |kind: &str| {
        kinds == kind || kinds.as_array().is_some_and(|kinds| kinds.iter().any(|other| other == kind))
    };
    if holds("integer") || holds("number") {
        schema.remove("format");
    }
}

/// The properties of an object's schema, and which of them are required.
pub(crate) fn members(schema: &Value) -> (Map<String, Value>, Vec<String>) {
    let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    (properties, required.filter_map(Value::as_str).map(ToOwned::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Widths {
        all: u64,
        some: Option<i32>,
        many: Vec<f64>,
        #[schemars(extend("format" = "date-time"))]
        when: Option<String>,
    }

    #[test]
    fn numbers_are_sent_without_a_format_and_texts_keep_theirs() {
        let schema: Value = text(for_input::<Widths>()).decode().unwrap();
        let format_of = |place: &str| schema.pointer(place).expect("it is there").get("format").cloned();
        for place in ["/properties/all", "/properties/some", "/properties/many/items"] {
            assert_eq!(format_of(place), None, "{place}");
        }
        assert_eq!(format_of("/properties/when"), Some("date-time".into()));
        assert_eq!(schema["properties"]["all"]["minimum"], 0);
    }
}
