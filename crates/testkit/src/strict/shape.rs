//! What the params of each request must look like.

use super::ledger::Seen;
use crate::base::MODERN;
use crate::features::LEVELS;
use crate::message::Message;
use serde_json::Value;

/// The fault of a request's params, whose method is known at this revision.
pub(super) fn fault(method: &str, message: &Message, revision: &str, seen: &Seen) -> Option<String> {
    let param = |name: &str| message.param_value(name);
    let missing = |name: &str| (!param(name).is_string()).then(|| format!("{name} is no string"));
    let retry = ["inputResponses", "requestState"].into_iter().find(|name| message.param(name).is_some());
    let asks = matches!(method, "tools/call" | "prompts/get" | "resources/read");
    if let Some(name) = retry.filter(|_| revision != MODERN || !(asks || method == "tasks/update")) {
        return Some(format!("{name} is no param of {method}"));
    }
    match method {
        "initialize" => initialize(message),
        "tools/call" => missing("name").or_else(|| arguments(message, |_| true)),
        "prompts/get" => missing("name").or_else(|| arguments(message, Value::is_string)),
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => missing("uri"),
        "tasks/get" | "tasks/result" | "tasks/update" => missing("taskId"),
        "tasks/cancel" => missing("taskId"),
        "logging/setLevel" => {
            let level = param("level");
            (!LEVELS.iter().any(|known| level == *known)).then(|| format!("{level} is no level"))
        }
        "completion/complete" => completion(message, revision),
        "subscriptions/listen" => filter(&param("notifications")),
        list if list.ends_with("/list") && message.param("cursor").is_some() => {
            let cursor = param("cursor");
            let known = cursor.as_str().is_some_and(|cursor| seen.cursors.contains(cursor));
            (!known).then(|| format!("the cursor {cursor} is none of the server's"))
        }
        _ => None,
    }
}

/// The fault of what each modern request carries in `_meta`.
pub(super) fn meta_fault(message: &Message) -> Option<String> {
    let meta = message.param_value("_meta");
    let own = |name: &str| meta[format!("io.modelcontextprotocol/{name}")].clone();
    if !own("protocolVersion").is_string() {
        return Some("_meta has no protocolVersion".to_owned());
    }
    if !own("clientCapabilities").is_object() {
        return Some("_meta has no clientCapabilities".to_owned());
    }
    let level = own("logLevel");
    if !level.is_null() && !LEVELS.iter().any(|known| level == *known) {
        return Some(format!("{level} is no level"));
    }
    let info = own("clientInfo");
    (!info.is_null() && !is_implementation(&info)).then(|| "clientInfo has no name and version".to_owned())
}

fn initialize(message: &Message) -> Option<String> {
    let version = message.param_text("protocolVersion").unwrap_or_default();
    if !crate::base::LEGACY.contains(&version.as_str()) {
        return Some(format!("initialize offers {version}"));
    }
    if !message.param_value("capabilities").is_object() {
        return Some("capabilities is no object".to_owned());
    }
    (!is_implementation(&message.param_value("clientInfo")))
        .then(|| "clientInfo has no name and version".to_owned())
}

fn is_implementation(info: &Value) -> bool {
    info["name"].is_string() && info["version"].is_string()
}

fn arguments(message: &Message, fits: impl Fn(&Value) -> bool) -> Option<String> {
    message.param("arguments")?;
    match message.param_value("arguments") {
        Value::Object(arguments) => {
            let odd = arguments.into_iter().find(|(_, value)| !fits(value));
            odd.map(|(name, value)| format!("the argument {name} is {value}"))
        }
        other => Some(format!("arguments is {other}")),
    }
}

fn completion(message: &Message, revision: &str) -> Option<String> {
    let (reference, argument) = (message.param_value("ref"), message.param_value("argument"));
    let named = match reference["type"].as_str() {
        Some("ref/prompt") => reference["name"].is_string(),
        Some("ref/resource") => reference["uri"].is_string(),
        _ => false,
    };
    if !named {
        return Some(format!("ref is {reference}"));
    }
    if !(argument["name"].is_string() && argument["value"].is_string()) {
        return Some(format!("argument is {argument}"));
    }
    let early = revision < "2025-06-18" && message.param("context").is_some();
    early.then(|| "context came with 2025-06-18".to_owned())
}

fn filter(filter: &Value) -> Option<String> {
    let Some(members) = filter.as_object() else { return Some(format!("notifications is {filter}")) };
    let odd = members.iter().find(|(name, value)| match name.as_str() {
        "resourceSubscriptions" | "taskIds" => {
            !value.as_array().is_some_and(|all| all.iter().all(Value::is_string))
        }
        "toolsListChanged" | "promptsListChanged" | "resourcesListChanged" => !value.is_boolean(),
        _ => false,
    });
    odd.map(|(name, value)| format!("{name} is {value}"))
}
