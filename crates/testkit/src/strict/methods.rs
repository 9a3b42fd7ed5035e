//! Which methods and notifications a client may send at each revision, and what a server must declare first.

use crate::base::MODERN;

const LEGACY: [&str; 13] = [
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "prompts/list",
    "prompts/get",
    "logging/setLevel",
    "completion/complete",
];
const LEGACY_TASKS: [&str; 4] = ["tasks/get", "tasks/result", "tasks/list", "tasks/cancel"];
const IN_EACH_REQUEST: [&str; 13] = [
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "subscriptions/listen",
    "tasks/get",
    "tasks/update",
    "tasks/cancel",
];

pub(super) fn is_known(method: &str, revision: &str) -> bool {
    match revision {
        MODERN => IN_EACH_REQUEST.contains(&method),
        "2025-11-25" => LEGACY.contains(&method) || LEGACY_TASKS.contains(&method),
        _ => LEGACY.contains(&method),
    }
}

pub(super) fn is_known_notification(method: &str, revision: &str) -> bool {
    match method {
        "notifications/cancelled" => true,
        "notifications/initialized" | "notifications/progress" | "notifications/roots/list_changed" => {
            revision != MODERN
        }
        "notifications/tasks/status" => revision == "2025-11-25",
        _ => false,
    }
}

/// Where in the server's capabilities the method must be declared, as a JSON pointer.
pub(super) fn capability(method: &str, revision: &str) -> Option<&'static str> {
    Some(match (method, method.split('/').next()?) {
        ("resources/subscribe" | "resources/unsubscribe", _) => "/resources/subscribe",
        ("tasks/list", _) => "/tasks/list",
        ("tasks/cancel", _) if revision != MODERN => "/tasks/cancel",
        (_, "tools") => "/tools",
        (_, "resources") => "/resources",
        (_, "prompts") => "/prompts",
        (_, "logging") => "/logging",
        // The first revision had no such capability.
        (_, "completion") if revision > "2024-11-05" => "/completions",
        (_, "tasks") if revision == MODERN => "/extensions/io.modelcontextprotocol~1tasks",
        (_, "tasks") => "/tasks",
        _ => return None,
    })
}
