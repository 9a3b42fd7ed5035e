//! The headers of a modern request, held against its body.

use super::base64;
use super::request::HttpRequest;
use crate::message::Message;
use serde_json::Value;

/// What does not fit.
pub(super) struct HeaderFault {
    pub(super) text: String,
    /// A client can know better; it cannot always where a tool asks for headers of its own.
    pub(super) breaks_a_rule: bool,
}

/// The first fault of the headers; `tools` are raw definitions.
pub(super) fn fault(request: &HttpRequest, message: &Message, tools: &[String]) -> Option<HeaderFault> {
    let broken = standard(request, message).map(|text| HeaderFault { text, breaks_a_rule: true });
    broken.or_else(|| {
        let text = parameters(request, message, tools)?;
        Some(HeaderFault { text, breaks_a_rule: false })
    })
}

fn standard(request: &HttpRequest, message: &Message) -> Option<String> {
    let version = message.meta("io.modelcontextprotocol/protocolVersion");
    let version = version.and_then(|raw| serde_json::from_str::<String>(&raw).ok());
    if version.is_some() && version.as_deref() != request.header("mcp-protocol-version") {
        return Some("MCP-Protocol-Version is not what _meta says".to_owned());
    }
    if message.method().as_deref() != request.header("mcp-method") {
        return Some("Mcp-Method is not the method".to_owned());
    }
    let param = match message.method()?.as_str() {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        "tasks/get" | "tasks/update" | "tasks/cancel" => "taskId",
        _ => {
            let header = request.header("mcp-name");
            return header.map(|_| "Mcp-Name belongs to no request of this method".to_owned());
        }
    };
    let wanted = message.param_text(param)?;
    (decoded(request.header("mcp-name")) != Some(wanted)).then(|| format!("Mcp-Name is not {param}"))
}

/// The headers that the called tool asks for (x-mcp-header).
fn parameters(request: &HttpRequest, message: &Message, tools: &[String]) -> Option<String> {
    if !message.is_method("tools/call") {
        return None;
    }
    let name = message.param_value("name");
    let tools = tools.iter().filter_map(|raw| serde_json::from_str::<Value>(raw).ok());
    let tool = tools.into_iter().find(|tool| tool["name"] == name)?;
    let arguments = message.param_value("arguments");
    let mut asked = Vec::new();
    annotations(&tool["inputSchema"], &arguments, &mut asked);
    asked.into_iter().find_map(|(header, value)| {
        let header = format!("Mcp-Param-{header}");
        let sent = decoded(request.header(&header));
        (sent != value).then(|| format!("{header} is {sent:?}, the argument {value:?}"))
    })
}

/// The annotations below a schema with the values that are there for them.
fn annotations(schema: &Value, arguments: &Value, found: &mut Vec<(String, Option<String>)>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let value = &arguments[name];
        if let Some(header) = property["x-mcp-header"].as_str() {
            found.push((header.to_owned(), text(value)));
        }
        annotations(property, value, found);
    }
}

/// A value as it stands in a header.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) => Some(value.to_string()),
        Value::Number(number) => {
            let whole = number.as_f64().filter(|float| float.fract() == 0.0);
            Some(whole.map_or_else(|| number.to_string(), |whole| format!("{whole:.0}")))
        }
        _ => None,
    }
}

/// What a header says, out of its wrapping. A value that should be wrapped and is not means nothing.
fn decoded(header: Option<&str>) -> Option<String> {
    let header = header?;
    let wrapped = header.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
    match wrapped {
        Some(inner) => String::from_utf8(base64::decode(inner)?).ok(),
        None => header.bytes().all(|byte| (0x20..=0x7e).contains(&byte)).then(|| header.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_values_read_as_what_they_wrap() {
        assert_eq!(decoded(Some("us-west1")).as_deref(), Some("us-west1"));
        assert_eq!(decoded(Some("=?base64?SGVsbG8sIOS4lueVjA==?=")).as_deref(), Some("Hello, 世界"));
        assert_eq!(
            decoded(Some("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=")).as_deref(),
            Some("=?base64?literal?=")
        );
        for odd in ["=?base64?SGVsbG8?=", "=?base64?####?=", "世界"] {
            assert_eq!(decoded(Some(odd)), None, "{odd}");
        }
    }

    #[test]
    fn whole_numbers_have_no_fraction() {
        for (value, shown) in [("42", "42"), ("42.0", "42"), ("-9007199254740991", "-9007199254740991")] {
            assert_eq!(text(&serde_json::from_str(value).unwrap()).as_deref(), Some(shown));
        }
        assert_eq!(text(&Value::Null), None);
    }
}
