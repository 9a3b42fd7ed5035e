//! Every text that the mode `hostile-text` sends has control characters in it.

use crate::talk::{EVERYTHING, Talk};
use serde_json::{Value, json};

/// Texts that are no texts for people: they say what something is.
const EXEMPT: [&str; 19] = [
    "type",
    "method",
    "jsonrpc",
    "role",
    "mode",
    "format",
    "level",
    "resultType",
    "cacheScope",
    "uriTemplate",
    "protocolVersion",
    "elicitationId",
    "status",
    "enum",
    "required",
    "taskId",
    "requestState",
    "supportedVersions",
    "const",
];

/// The texts within a value that have no control character.
fn tame(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::String(text) if !text.contains('\u{1b}') => found.push(format!("{place}: {text}")),
        Value::Array(all) => all.iter().for_each(|one| tame(one, place, found)),
        Value::Object(members) => {
            for (name, value) in members.iter().filter(|(name, _)| !EXEMPT.contains(&name.as_str())) {
                tame(value, &format!("{place}/{name}"), found);
            }
        }
        _ => {}
    }
}

fn check(message: &Value, allowed: &[&str]) {
    let mut found = Vec::new();
    tame(message, "", &mut found);
    found.retain(|found| !allowed.iter().any(|allowed| found.ends_with(allowed)));
    assert!(found.is_empty(), "{found:?} in {message}");
}

#[test]
fn no_text_is_tame() {
    for revision in ["2025-11-25", "2026-07-28"] {
        let mut talk = Talk::start("hostile-text", revision, EVERYTHING);
        assert!(talk.play.first_error().contains('\u{1b}'));
        if revision == "2026-07-28" {
            check(&talk.request("server/discover", json!({})), &[]);
        }
        check(&talk.opened, &[]);
        let tools = talk.request("tools/list", json!({}))["result"]["tools"].take();
        let hostile: Vec<&Value> = tools
            .as_array()
            .unwrap()
            .iter()
            .filter(|tool| tool["name"].as_str().unwrap().contains('\u{1b}'))
            .collect();
        assert_eq!(hostile.len(), 1);
        check(hostile[0], &[]);
        check(&talk.request("resources/list", json!({})), &["hostile://text", "name: uri"]);
        check(&talk.request("resources/templates/list", json!({})), &[]);
        check(&talk.request("prompts/list", json!({})), &["hostile_prompt"]);
        check(&talk.request("prompts/get", json!({"name": "hostile_prompt"})), &[]);
        check(&talk.request("resources/read", json!({"uri": "hostile://text"})), &[]);
        check(&talk.request("resources/read", json!({"uri": "x"}))["error"], &[]);
        check(&talk.request("completion/complete", json!({})), &[]);
        for tool in [hostile[0]["name"].as_str().unwrap(), "hostile_result", "hostile_error"] {
            check(&talk.request("tools/call", json!({"name": tool})), &[]);
        }
        let meta = json!({"progressToken": 1, "io.modelcontextprotocol/logLevel": "debug"});
        for tool in ["hostile_log", "hostile_progress"] {
            talk.request("tools/call", json!({"name": tool, "_meta": meta}));
            check(&talk.beside.pop().unwrap(), &[]);
        }
        for tool in ["hostile_ask", "hostile_url", "hostile_sampling"] {
            talk.send("tools/call", json!({"name": tool}));
            check(&talk.hear(), &["ask-2", "ask-4", "ask-6"]);
        }
    }
}
