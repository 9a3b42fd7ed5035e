//! From `k=v` to arguments.

use std::collections::BTreeMap;

use codewhale_mcp_protocol::{Json, Tool};
use serde_json::Value;
use thiserror::Error;

use super::shape::{Shape, member};

/// One argument as a person gave it.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: ArgumentValue,
}

/// The value of an argument as a person gave it.
#[derive(Debug, Clone, PartialEq)]
pub enum ArgumentValue {
    /// A text (`k=v`) that becomes what the schema says.
    Text(String),
    /// JSON (`k:=json`), taken as it is.
    Json(Json),
}

/// Arguments cannot be put together.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CoerceError {
    /// An argument that is no list was given more than once.
    #[error("argument `{name}` is given more than once")]
    GivenTwice {
        /// The argument.
        name: String,
    },
}

/// The JSON object of a tool's arguments, numbers spelled as they were given.
///
/// A text becomes what the input schema says: a listed value (`enum`, `const`), a string wherever strings are allowed,
/// else a number, `true`, `false` or `null`, else an array or object if the text is one in JSON. For an array, other
/// texts and repeated arguments become its items. Where the schema says nothing, or the text is none of that, it stays
/// a string, and [`check_arguments`](crate::check_arguments) tells.
pub fn coerce(tool: &Tool, arguments: &[Argument]) -> Result<Json, CoerceError> {
    let schema = tool.input_schema.as_ref().and_then(|schema| schema.decode().ok()).unwrap_or(Value::Null);
    let mut given: Vec<(&str, Vec<&ArgumentValue>)> = Vec::new();
    for Argument { name, value } in arguments {
        match given.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) => values.push(value),
            None => given.push((name, vec![value])),
        }
    }
    let mut object = BTreeMap::new();
    for (name, values) in given {
        let shape = member(&schema, &schema, name).map(|own| Shape::of(&schema, own)).unwrap_or_default();
        object.insert(name, one(&schema, &shape, name, &values)?);
    }
    Ok(Json::encode(&object).expect("JSON texts under string keys have a JSON form"))
}

fn one(root: &Value, shape: &Shape<'_>, name: &str, values: &[&ArgumentValue]) -> Result<Json, CoerceError> {
    match values {
        [ArgumentValue::Json(json)] => Ok(json.clone()),
        [ArgumentValue::Text(text)] => Ok(of_text(root, shape, text)),
        several if shape.types.contains("array") => Ok(array(root, shape, several)),
        _ => Err(CoerceError::GivenTwice { name: name.to_owned() }),
    }
}

/// The items are what their own schema says, but no lists in turn: a schema may say that without an end.
fn array(root: &Value, shape: &Shape<'_>, values: &[&ArgumentValue]) -> Json {
    let item = shape.items.map(|items| Shape::of(root, items)).unwrap_or_default();
    let items: Vec<Json> = values
        .iter()
        .map(|value| match value {
            ArgumentValue::Json(json) => json.clone(),
            ArgumentValue::Text(text) => plain(&item, text).unwrap_or_else(|| string(text)),
        })
        .collect();
    Json::encode(&items).expect("JSON texts have a JSON form")
}

fn of_text(root: &Value, shape: &Shape<'_>, text: &str) -> Json {
    plain(shape, text).unwrap_or_else(|| match shape.types.contains("array") {
        true => array(root, shape, &[&ArgumentValue::Text(text.to_owned())]),
        false => string(text),
    })
}

/// The string or the JSON value that a text is, as far as the schema allows.
fn plain(shape: &Shape<'_>, text: &str) -> Option<Json> {
    let allows = |kind: &str| shape.types.contains(kind);
    let parsed = serde_json::from_str::<Value>(text).ok();
    let as_it_is = || Json::from_text(text).ok();
    if shape.values.iter().any(|value| value.as_str() == Some(text)) {
        return Some(string(text));
    }
    if parsed.as_ref().is_some_and(|parsed| shape.values.contains(&parsed)) {
        return as_it_is();
    }
    if allows("string") {
        return Some(string(text));
    }
    match parsed? {
        Value::Number(_) if allows("number") || allows("integer") => as_it_is(),
        Value::Bool(_) if allows("boolean") => as_it_is(),
        Value::Null if allows("null") => as_it_is(),
        Value::Array(_) if allows("array") => as_it_is(),
        Value::Object(_) if allows("object") => as_it_is(),
        _ => None,
    }
}

fn string(text: &str) -> Json {
    Json::from(Value::from(text))
}
