//! Every message of the server against the schema of its revision, not against our own types.
#![expect(clippy::unwrap_used, reason = "what a test cannot read is a failure of the test")]

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Value, json};

/// Holds the messages of one connection against one revision.
pub(crate) struct Judge {
    revision: String,
    schema: Value,
    place: &'static str,
    /// The methods of the requests that were sent, by their ids.
    asked: HashMap<String, String>,
}

impl Judge {
    pub(crate) fn of(revision: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol/tests/fixtures").join(revision);
        let schema: Value =
            serde_json::from_str(&std::fs::read_to_string(path.join("schema.json")).unwrap()).unwrap();
        let place = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
        Self { revision: revision.to_owned(), schema, place, asked: HashMap::new() }
    }

    /// A request goes out.
    pub(crate) fn asked(&mut self, message: &Value) {
        if let (Some(id), Some(method)) = (message.get("id"), message.get("method")) {
            self.asked.insert(id.to_string(), method.as_str().unwrap().to_owned());
        }
    }

    /// A message came.
    pub(crate) fn judge(&self, message: &Value) {
        if let Some(all) = message.as_array() {
            return all.iter().for_each(|one| self.judge(one));
        }
        let new = matches!(self.revision.as_str(), "2025-11-25" | "2026-07-28");
        let method = message.get("method").and_then(Value::as_str);
        let kind = match (method, message.get("result"), message.get("error")) {
            (Some(_), ..) if message.get("id").is_some() => "JSONRPCRequest",
            (Some(_), ..) => "JSONRPCNotification",
            (None, Some(_), None) if new => "JSONRPCResultResponse",
            (None, Some(_), None) => "JSONRPCResponse",
            (None, None, Some(_)) if new => "JSONRPCErrorResponse",
            (None, None, Some(_)) => "JSONRPCError",
            _ => panic!("not a message: {message}"),
        };
        self.fits(kind, message);
        if let Some(method) = method {
            return self.fits(of_message(method), message);
        }
        if let Some(result) = message.get("result") {
            let asked = &self.asked[&message["id"].to_string()];
            self.fits(of_result(&self.revision, asked, result), result);
        } else if self.revision == "2026-07-28" {
            let kind = match message["error"]["code"].as_i64().unwrap() {
                -32021 => "MissingRequiredClientCapabilityError",
                -32022 => "UnsupportedProtocolVersionError",
                _ => return,
            };
            self.fits(kind, message);
        }
    }

    fn fits(&self, definition: &str, value: &Value) {
        assert!(self.schema[self.place].get(definition).is_some(), "{} has no {definition}", self.revision);
        let mut schema = self.schema.clone();
        schema["allOf"] = json!([{ "$ref": format!("#/{}/{definition}", self.place) }]);
        let validator = jsonschema::validator_for(&schema).unwrap();
        let faults: Vec<String> = validator
            .iter_errors(value)
            .map(|error| format!("{error} at {}", error.instance_path()))
            .collect();
        assert_eq!(faults, [""; 0], "{} {definition}: {value}", self.revision);
    }
}

fn of_message(method: &str) -> &'static str {
    match method {
        "notifications/progress" => "ProgressNotification",
        "notifications/message" => "LoggingMessageNotification",
        "notifications/cancelled" => "CancelledNotification",
        "notifications/tools/list_changed" => "ToolListChangedNotification",
        "notifications/prompts/list_changed" => "PromptListChangedNotification",
        "notifications/resources/list_changed" => "ResourceListChangedNotification",
        "notifications/resources/updated" => "ResourceUpdatedNotification",
        "notifications/subscriptions/acknowledged" => "SubscriptionsAcknowledgedNotification",
        "notifications/tasks/status" => "TaskStatusNotification",
        "notifications/elicitation/complete" => "ElicitationCompleteNotification",
        // Of an extension, which the schema does not know.
        "notifications/tasks" => "JSONRPCNotification",
        "elicitation/create" => "ElicitRequest",
        "sampling/createMessage" => "CreateMessageRequest",
        "roots/list" => "ListRootsRequest",
        other => panic!("the server said {other}"),
    }
}

fn of_result(revision: &str, method: &str, result: &Value) -> &'static str {
    if revision == "2025-11-25" && method.starts_with("tasks/") {
        return match method {
            "tasks/get" => "GetTaskResult",
            "tasks/cancel" => "CancelTaskResult",
            "tasks/list" => "ListTasksResult",
            _ => "GetTaskPayloadResult",
        };
    }
    match (method, result["resultType"].as_str()) {
        (_, None) if result.get("task").is_some() => "CreateTaskResult",
        (_, Some("input_required")) => "InputRequiredResult",
        // Of an extension.
        (_, Some("task")) => "Result",
        ("tasks/get" | "tasks/update" | "tasks/cancel" | "skills/list" | "skills/get", _) => "Result",
        ("initialize", _) => "InitializeResult",
        ("server/discover", _) => "DiscoverResult",
        ("tools/list", _) => "ListToolsResult",
        ("tools/call", _) => "CallToolResult",
        ("resources/list", _) => "ListResourcesResult",
        ("resources/templates/list", _) => "ListResourceTemplatesResult",
        ("resources/read", _) => "ReadResourceResult",
        ("prompts/list", _) => "ListPromptsResult",
        ("prompts/get", _) => "GetPromptResult",
        ("completion/complete", _) => "CompleteResult",
        ("subscriptions/listen", _) => "SubscriptionsListenResult",
        _ => "EmptyResult",
    }
}
