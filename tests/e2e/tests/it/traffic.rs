//! What passes between the binary and a server fits the schema of the revision that they speak.
//!
//! The fake server records both directions; nothing of ours reads the record but as plain JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use codewhale_e2e::TestEnvironment;
use serde_json::{Value, json};

const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/// Each command once, and the first revision in which the fake can answer it.
const COMMANDS: [(&str, &[&str]); 20] = [
    ("2024-11-05", &["connect", "s"]),
    ("2024-11-05", &["tools", "s"]),
    ("2024-11-05", &["resources", "s"]),
    ("2024-11-05", &["templates", "s"]),
    ("2024-11-05", &["prompts", "s"]),
    ("2024-11-05", &["read", "s", "text://greeting"]),
    ("2024-11-05", &["prompt", "s", "review", "text=x", "style=terse"]),
    ("2024-11-05", &["complete", "s", "--prompt", "review", "style", "f"]),
    ("2024-11-05", &["call", "s", "log", "--log-level", "debug"]),
    ("2024-11-05", &["call", "s", "image"]),
    ("2025-06-18", &["call", "s", "numbers"]),
    ("2024-11-05", &["call", "s", "ask_roots", "--root", "."]),
    ("2024-11-05", &["call", "s", "ask_sampling", "--allow-sampling", "--answers", "answers.json"]),
    ("2025-06-18", &["call", "s", "structured"]),
    ("2025-06-18", &["call", "s", "ask_form", "--answers", "form.json"]),
    ("2025-06-18", &["call", "s", "ask_form"]),
    ("2025-11-25", &["call", "s", "ask_url", "--answers", "accept.json"]),
    ("2025-11-25", &["call", "s", "job"]),
    ("2024-11-05", &["call", "s", "slow", "ms=60000", "--timeout", "0.2"]),
    ("2026-07-28", &["subscribe", "s", "--tools"]),
];

#[test]
fn all_traffic_fits_the_schema_of_its_revision() {
    for revision in REVISIONS {
        let record = traffic(revision);
        let schema = Schema::of(revision);
        let mut answered = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for line in record.lines() {
            let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
            assert_ne!(kind, "violation:", "{revision}: {rest}");
            if matches!(kind, "in" | "out") {
                let message: Value = serde_json::from_str(rest).expect("a message is JSON");
                if let Some(what) = check(&schema, kind, &message, &mut answered) {
                    seen.insert(what);
                }
            }
        }
        let expected = expected(revision);
        let missing: Vec<_> = expected.iter().filter(|what| !seen.contains(**what)).collect();
        assert!(missing.is_empty(), "{revision}: nothing was recorded of {missing:?}; seen {seen:?}");
    }
}

/// The record of every command of one revision.
fn traffic(revision: &str) -> String {
    let trial = TestEnvironment::new();
    let record = trial.root().join("record");
    trial.write("workspace/answers.json", r#"["a whale"]"#);
    trial.write("workspace/accept.json", r#"["accept"]"#);
    trial.write("workspace/form.json", FORM);
    let era = if revision == "2026-07-28" { "modern" } else { "legacy" };
    let tasks = if revision == "2025-11-25" { "required" } else { "optional" };
    let mode = format!(
        "strict+everything --era {era} --version {revision} --tasks {tasks} --poll 50 --end result --end-at ack"
    );
    let mut server = trial.fake(&mode);
    server.extend(["--record".to_owned(), record.to_str().expect("a plain path").to_owned()]);
    let definition = json!({"servers": {"s": {"command": server[0], "args": server[1..]}}});
    trial.write("home/.codewhale/mcp.json", &definition.to_string());
    for (_, command) in COMMANDS.iter().filter(|(first, _)| *first <= revision) {
        let arguments = ["mcp"].iter().chain(*command);
        let run = trial.codewhale(arguments);
        let expected = if command.contains(&"slow") { 6 } else { 0 };
        assert_eq!(run.code, Some(expected), "{revision} {command:?}: {run}");
    }
    std::fs::read_to_string(record).expect("the fake has recorded")
}

/// Fits every field of the fake's form. Its share is whole, because the schemas call a number in an answer an integer
/// where the text of the specification says number.
const FORM: &str = r#"{"name": "Ada", "age": 30, "share": 1, "tags": ["a"], "pet": "c"}"#;

/// Checks one message and says what it was.
fn check(
    schema: &Schema,
    direction: &str,
    message: &Value,
    asked: &mut BTreeMap<String, String>,
) -> Option<String> {
    let method = message["method"].as_str();
    let whose = |mine: &str| format!("{}{mine}", if direction == "in" { "Client" } else { "Server" });
    let key = |id: &Value, of: &str| format!("{of} {id}");
    match (method, message.get("id")) {
        (Some(method), Some(id)) => {
            asked.insert(key(id, direction), method.to_owned());
            schema.check(&whose("Request"), method, message);
            Some(method.to_owned())
        }
        (Some(method), None) => {
            schema.check(&whose("Notification"), method, message);
            Some(method.to_owned())
        }
        (None, Some(id)) => {
            let by = if direction == "in" { "out" } else { "in" };
            let method = asked.get(&key(id, by)).unwrap_or_else(|| panic!("nobody asked for {message}"));
            if let Some(result) = message.get("result") {
                schema.check_result(method, result);
                return Some(format!("{method} result"));
            }
            schema.check_error(message);
            Some(format!("{method} error"))
        }
        (None, None) => {
            schema.check_error(message);
            None
        }
    }
}

/// What must have been seen in a revision, so that nothing passes because it was not there.
fn expected(revision: &str) -> Vec<&'static str> {
    let mut all = vec![
        "tools/list result",
        "tools/call result",
        "resources/list result",
        "resources/templates/list result",
        "resources/read result",
        "prompts/list result",
        "prompts/get result",
        "completion/complete result",
        "notifications/message",
        "notifications/cancelled",
    ];
    if revision == "2026-07-28" {
        all.extend([
            "server/discover result",
            "subscriptions/listen",
            "notifications/subscriptions/acknowledged",
        ]);
    } else {
        all.extend([
            "initialize result",
            "notifications/initialized",
            "logging/setLevel result",
            "roots/list result",
            "sampling/createMessage result",
        ]);
    }
    if ("2025-06-18".."2026-07-28").contains(&revision) {
        all.push("elicitation/create result");
    }
    if revision == "2025-11-25" {
        all.extend(["tasks/get result", "tasks/result"]);
    }
    all
}

/// A revision's schema, with a checker for each definition that was asked for.
struct Schema {
    whole: Value,
    place: &'static str,
}

impl Schema {
    fn of(revision: &str) -> Self {
        let folder: PathBuf =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/protocol/tests/fixtures");
        let text = std::fs::read_to_string(folder.join(revision).join("schema.json"));
        let whole: Value =
            serde_json::from_str(&text.expect("the schema is there")).expect("the schema is JSON");
        let place = if whole.get("$defs").is_some() { "$defs" } else { "definitions" };
        Self { whole, place }
    }

    /// The definition of a union that has this method, as far as the core specification knows the method.
    fn check(&self, union: &str, method: &str, message: &Value) {
        // The probe goes to servers of every revision; tasks of the modern era are an extension.
        if !self.knows(method) {
            let known =
                matches!(method, "server/discover" | "notifications/tasks") || method.starts_with("tasks/");
            assert!(known, "the revision does not know {method}: {message}");
            return;
        }
        let definition =
            self.definition_of(method).unwrap_or_else(|| panic!("no definition of {method} in {union}"));
        self.assert_fits(&definition, message);
    }

    fn knows(&self, method: &str) -> bool {
        self.definition_of(method).is_some()
    }

    /// The request or notification whose method this is.
    fn definition_of(&self, method: &str) -> Option<String> {
        let definitions = self.whole[self.place].as_object().expect("definitions are an object");
        let has = |definition: &Value| definition["properties"]["method"]["const"] == *method;
        definitions.iter().find(|(_, definition)| has(definition)).map(|(name, _)| name.clone())
    }

    /// A result fits the definition that is named as its request is.
    fn check_result(&self, method: &str, result: &Value) {
        let Some(request) = self.definition_of(method) else { return };
        let kind = result["resultType"].as_str().unwrap_or("complete");
        let name = match kind {
            "input_required" => "InputRequiredResult".to_owned(),
            // An extension's.
            "task" => return,
            _ if result.get("task").is_some() => "CreateTaskResult".to_owned(),
            _ => request.replace("Request", "Result"),
        };
        let definitions = &self.whole[self.place];
        let name = if definitions.get(&name).is_some() { name } else { "Result".to_owned() };
        self.assert_fits(&name, result);
    }

    fn check_error(&self, message: &Value) {
        let definitions = &self.whole[self.place];
        let names = ["JSONRPCErrorResponse", "JSONRPCError"];
        let name = names.iter().find(|name| definitions.get(**name).is_some()).expect("errors are defined");
        self.assert_fits(name, message);
    }

    fn assert_fits(&self, definition: &str, instance: &Value) {
        let mut schema = self.whole.clone();
        schema["allOf"] = json!([{ "$ref": format!("#/{}/{definition}", self.place) }]);
        // The fake has an address that is none on purpose.
        let validator = jsonschema::options().should_validate_formats(false).build(&schema);
        let validator = validator.expect("the schema compiles");
        let faults: Vec<String> = validator
            .iter_errors(instance)
            .map(|error| format!("{error} at {}", error.instance_path()))
            .collect();
        assert!(faults.is_empty(), "{definition}: {faults:#?}\n{instance:#}");
    }
}
