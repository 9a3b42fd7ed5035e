//! Arguments for a tool that nobody told us anything of but its schema.

use codewhale_mcp_protocol::{Members, Prompt, Tool};
use serde_json::{Map, Value, json};

/// A value for each argument that the tool requires, of the type that it asks for.
pub(crate) fn of_tool(tool: &Tool) -> Value {
    let schema = tool.input_schema.as_ref().and_then(|schema| schema.decode().ok());
    object(&schema.unwrap_or(Value::Null))
}

/// A text for each argument that the prompt requires.
pub(crate) fn of_prompt(prompt: &Prompt) -> Members<String> {
    let all = prompt.arguments.iter().flatten();
    let required = all.filter(|argument| argument.required == Some(true));
    required.map(|argument| (argument.name.as_str(), "text".to_owned())).collect()
}

fn object(schema: &Value) -> Value {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    Value::Object(
        required.map(|name| (name.to_owned(), any(&schema["properties"][name]))).collect::<Map<_, _>>(),
    )
}

fn any(schema: &Value) -> Value {
    let told = [&schema["default"], &schema["const"], &schema["enum"][0]];
    if let Some(told) = told.into_iter().find(|told| !told.is_null()) {
        return told.clone();
    }
    match schema["type"].as_str() {
        Some("number" | "integer") => json!(1),
        Some("boolean") => json!(true),
        Some("null") => Value::Null,
        Some("array") => json!([]),
        Some("object") => object(schema),
        _ => json!("text"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_tool_requires_is_made_up_from_its_schema() {
        let made = |schema: Value| {
            of_tool(&serde_json::from_value(json!({ "name": "t", "inputSchema": schema })).unwrap())
        };
        let schema = json!({
            "type": "object",
            "properties": {
                "a": { "type": "number" }, "b": { "type": "string" }, "c": { "type": "boolean" },
                "d": { "enum": ["x", "y"] }, "e": { "type": "integer", "default": 5 }, "f": {},
                "g": { "type": "object", "properties": { "h": { "type": "array" } }, "required": ["h"] },
                "left": { "type": "string" },
            },
            "required": ["a", "b", "c", "d", "e", "f", "g"],
        });
        let all = json!({ "a": 1, "b": "text", "c": true, "d": "x", "e": 5, "f": "text", "g": { "h": [] } });
        assert_eq!(made(schema), all);
        assert_eq!(made(json!({ "type": "object" })), json!({}));
        let prompt =
            json!({ "name": "p", "arguments": [{ "name": "a", "required": true }, { "name": "b" }] });
        let arguments = of_prompt(&serde_json::from_value(prompt).unwrap());
        assert_eq!(arguments.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["a"]);
    }
}
