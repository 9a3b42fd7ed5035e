//! What is wrong about the result that a client gave to a question of the server.

use serde_json::{Map, Value};

/// The fault of a bare result of `method`, asked with these raw params.
pub(crate) fn fault(method: &str, params: &str, result: &str) -> Option<String> {
    let params: Value = serde_json::from_str(params).unwrap_or_default();
    let Ok(Value::Object(result)) = serde_json::from_str(result) else {
        return Some(format!("the result of {method} is no object"));
    };
    let fault = match method {
        "elicitation/create" => elicitation(&params, &result),
        "sampling/createMessage" => sampling(&result),
        "roots/list" => roots(&result),
        "ping" => (!result.is_empty()).then(|| "it is not empty".to_owned()),
        _ => None,
    };
    fault.map(|fault| format!("the result of {method}: {fault}"))
}

fn elicitation(params: &Value, result: &Map<String, Value>) -> Option<String> {
    let accepted = match result.get("action").and_then(Value::as_str) {
        Some("accept") => true,
        Some("decline" | "cancel") => false,
        other => return Some(format!("action {other:?}")),
    };
    let form = params["mode"] != "url";
    match result.get("content") {
        Some(_) if !accepted || !form => Some("content is for an accepted form".to_owned()),
        Some(Value::Object(content)) => answers(&params["requestedSchema"], content),
        Some(other) => Some(format!("content {other}")),
        None if accepted && form => answers(&params["requestedSchema"], &Map::new()),
        None => None,
    }
}

/// The fault of a form's answers against its schema.
fn answers(schema: &Value, content: &Map<String, Value>) -> Option<String> {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if let Some(absent) = required.into_iter().find(|name| !content.contains_key(*name)) {
        return Some(format!("{absent} is missing"));
    }
    let properties = schema["properties"].as_object()?;
    let absent = properties
        .iter()
        .find(|(name, field)| field.get("default").is_some() && !content.contains_key(*name));
    if let Some((name, _)) = absent {
        return Some(format!("{name} has a default and is missing"));
    }
    content.iter().find_map(|(name, value)| match properties.get(name) {
        None => Some(format!("{name} is no field of the form")),
        Some(field) => (!fits(field, value)).then(|| format!("{name} cannot be {value}")),
    })
}

/// Whether a value is one that the field allows.
fn fits(field: &Value, value: &Value) -> bool {
    let at_least = |name: &str, number: f64| field[name].as_f64().is_none_or(|least| number >= least);
    let at_most = |name: &str, number: f64| field[name].as_f64().is_none_or(|most| number <= most);
    match (field["type"].as_str().unwrap_or_default(), value) {
        ("string", Value::String(text)) => {
            let length = text.chars().count() as f64;
            at_least("minLength", length) && at_most("maxLength", length) && is_choice(field, value)
        }
        ("integer", Value::Number(number)) if !number.is_i64() && !number.is_u64() => false,
        ("integer" | "number", Value::Number(number)) => {
            let number = number.as_f64().unwrap_or(f64::NAN);
            at_least("minimum", number) && at_most("maximum", number)
        }
        ("boolean", Value::Bool(_)) => true,
        ("array", Value::Array(values)) => {
            let count = values.len() as f64;
            at_least("minItems", count)
                && at_most("maxItems", count)
                && values.iter().all(|value| is_choice(&field["items"], value))
        }
        _ => false,
    }
}

/// Whether a value is among those offered, where some are.
fn is_choice(field: &Value, value: &Value) -> bool {
    let listed = field["enum"].as_array().is_none_or(|all| all.contains(value));
    let titled = field["oneOf"].as_array().or_else(|| field["anyOf"].as_array());
    listed && titled.is_none_or(|all| all.iter().any(|one| one["const"] == *value))
}

fn sampling(result: &Map<String, Value>) -> Option<String> {
    if !matches!(result.get("role").and_then(Value::as_str), Some("assistant" | "user")) {
        return Some("role is missing".to_owned());
    }
    if !result.get("model").is_some_and(Value::is_string) {
        return Some("model is missing".to_owned());
    }
    let content = result.get("content")?;
    let mut blocks = content.as_array().map_or_else(|| vec![content], |all| all.iter().collect()).into_iter();
    blocks.any(|block| !block["type"].is_string()).then(|| "a block without a type".to_owned())
}

fn roots(result: &Map<String, Value>) -> Option<String> {
    let Some(roots) = result.get("roots").and_then(Value::as_array) else {
        return Some("roots is missing".to_owned());
    };
    let odd = roots.iter().find(|root| !root["uri"].as_str().is_some_and(|uri| uri.starts_with("file://")));
    odd.map(|root| format!("{root} has no file URI"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: &str, expected: Option<&str>) {
        let schema = r#"{"requestedSchema":{"type":"object","properties":{"a":{"type":"integer","minimum":1},"b":{"type":"string","enum":["x"],"default":"x"},"c":{"type":"array","maxItems":1,"items":{"anyOf":[{"const":"y"}]}}},"required":["a"]}}"#;
        let result = format!(r#"{{"action":"accept","content":{content}}}"#);
        let fault = fault("elicitation/create", schema, &result);
        assert_eq!(
            fault.as_deref().map(|text| text.trim_start_matches("the result of elicitation/create: ")),
            expected
        );
    }

    #[test]
    fn answers_are_held_to_the_form() {
        check(r#"{"a":1,"b":"x","c":["y"]}"#, None);
        check(r#"{"b":"x"}"#, Some("a is missing"));
        check(r#"{"a":1}"#, Some("b has a default and is missing"));
        check(r#"{"a":1,"b":"z"}"#, Some(r#"b cannot be "z""#));
        check(r#"{"a":1.5,"b":"x"}"#, Some("a cannot be 1.5"));
        check(r#"{"a":0,"b":"x"}"#, Some("a cannot be 0"));
        check(r#"{"a":1,"b":"x","c":["y","y"]}"#, Some(r#"c cannot be ["y","y"]"#));
        check(r#"{"a":1,"b":"x","d":1}"#, Some("d is no field of the form"));
    }

    #[test]
    fn other_results_have_their_members() {
        assert!(fault("roots/list", "{}", r#"{"roots":[{"uri":"file:///x"}]}"#).is_none());
        assert!(fault("roots/list", "{}", r#"{"roots":[{"uri":"/x"}]}"#).is_some());
        assert!(
            fault(
                "sampling/createMessage",
                "{}",
                r#"{"role":"assistant","model":"m","content":{"type":"text"}}"#
            )
            .is_none()
        );
        assert!(
            fault("sampling/createMessage", "{}", r#"{"role":"assistant","content":{"type":"text"}}"#)
                .is_some()
        );
        assert!(
            fault("elicitation/create", r#"{"mode":"url"}"#, r#"{"action":"accept","content":{}}"#).is_some()
        );
        assert!(fault("elicitation/create", "{}", r#"{"action":"decline"}"#).is_none());
    }
}
