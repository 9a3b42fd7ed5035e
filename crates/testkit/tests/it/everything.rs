//! What the mode `everything` offers beside questions: resources, prompts, completion, logs, results.

use crate::talk::{Talk, text};
use serde_json::{Value, json};

const ERAS: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// Plays the same in both eras.
fn each(arguments: &str, check: impl Fn(&mut Talk, bool)) {
    for revision in ERAS {
        check(&mut Talk::start(arguments, revision, "{}"), revision == ERAS[1]);
    }
}

fn names(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_list_is_paged() {
    each("everything --page 2", |talk, _| {
        for (method, member, least) in [
            ("tools/list", "tools", 20),
            ("resources/list", "resources", 8),
            ("resources/templates/list", "resourceTemplates", 3),
            ("prompts/list", "prompts", 4),
        ] {
            let (mut all, mut params) = (Vec::new(), json!({}));
            loop {
                let result = talk.request(method, params)["result"].take();
                assert!(result[member].as_array().unwrap().len() <= 2);
                all.extend(names(&result[member]));
                let Some(cursor) = result.get("nextCursor") else { break };
                params = json!({"cursor": cursor});
            }
            assert!(all.len() >= least, "{method}: {all:?}");
            assert_eq!(talk.request(method, json!({"cursor": "no"}))["error"]["code"], -32602);
        }
    });
}

#[test]
fn resources_are_text_blob_several_or_missing() {
    each("everything --ttl 7", |talk, modern| {
        let mut read = |uri: &str| talk.request("resources/read", json!({"uri": uri}));
        assert_eq!(read("text://greeting")["result"]["contents"][0]["text"], "hello");
        assert!(read("blob://dot")["result"]["contents"][0]["blob"].is_string());
        let pair = read("multi://pair");
        assert_eq!(pair["result"]["contents"][0]["uri"], "multi://pair/text");
        assert!(pair["result"]["contents"][1]["blob"].is_string());
        assert_eq!(pair["result"].get("ttlMs").is_some_and(|ttl| *ttl == 7), modern);
        assert_eq!(read("note://home/a.md")["result"]["contents"][0]["mimeType"], "text/markdown");
        for missing in ["gone://listed", "x"] {
            assert_eq!(read(missing)["error"]["code"], if modern { -32602 } else { -32002 });
        }
    });
}

#[test]
fn prompts_want_their_arguments_and_have_every_content() {
    each("everything", |talk, _| {
        let mut prompt = |name: &str, arguments: Value| {
            talk.request("prompts/get", json!({"name": name, "arguments": arguments}))
        };
        let review = prompt("review", json!({"text": "x", "style": "funny"}));
        let messages = review["result"]["messages"].as_array().unwrap();
        assert_eq!(messages[0]["content"]["text"], "Review in a funny way: x");
        assert_eq!(messages[1]["role"], "assistant");
        let kinds: Vec<_> = messages.iter().map(|one| one["content"]["type"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["text", "text", "image", "resource", "resource", "audio", "resource_link"]);
        assert_eq!(prompt("review", json!({}))["error"]["code"], -32602);
        assert_eq!(prompt("review", json!({"text": 1}))["error"]["code"], -32602);
        assert_eq!(prompt("nobody", json!({}))["error"]["code"], -32602);
    });
}

#[test]
fn old_revisions_have_no_newer_tools_content_or_capabilities() {
    let mut talk = Talk::start("everything", "2024-11-05", "{}");
    assert!(talk.opened["capabilities"].get("completions").is_none());
    let tools = talk.request("tools/list", json!({}))["result"]["tools"].take();
    let tools = names(&tools);
    assert!(tools.iter().any(|name| name == "ask_sampling"), "{tools:?}");
    assert!(!tools.iter().any(|name| name == "ask_form" || name == "structured"), "{tools:?}");
    let review = talk.request("prompts/get", json!({"name": "review", "arguments": {"text": "x"}}));
    assert_eq!(review["result"]["messages"].as_array().unwrap().len(), 5);
    let mut talk = Talk::start("everything --version 2025-06-18", "2025-11-25", "{}");
    assert_eq!(talk.opened["protocolVersion"], "2025-06-18");
    let tools = talk.request("tools/list", json!({}))["result"]["tools"].take();
    assert!(names(&tools).iter().all(|name| name != "ask_url"));
}

#[test]
fn completion_knows_prompts_templates_context_and_its_limit() {
    each("everything", |talk, modern| {
        let mut complete = |reference: Value, name: &str, value: &str, context: Value| {
            let argument = json!({"name": name, "value": value});
            talk.request(
                "completion/complete",
                json!({"ref": reference, "argument": argument, "context": context}),
            )
        };
        let review = json!({"type": "ref/prompt", "name": "review"});
        let styles = complete(review.clone(), "style", "f", json!({}));
        assert_eq!(
            styles["result"]["completion"],
            json!({"values": ["formal", "friendly", "funny"], "total": 3, "hasMore": false})
        );
        let lines = complete(review, "line", "", json!({}))["result"]["completion"].take();
        assert_eq!((lines["values"].as_array().unwrap().len(), &lines["total"]), (100, &json!(250)));
        assert_eq!(lines["hasMore"], true);
        let note = json!({"type": "ref/resource", "uri": "note://{folder}/{file}"});
        let files = complete(note, "file", "work", json!({"arguments": {"folder": "work"}}));
        assert_eq!(files["result"]["completion"]["values"][0], "work-1.md");
        assert_eq!(files["result"].get("resultType").is_some(), modern);
        assert_eq!(complete(json!({"type": "x"}), "a", "", json!({}))["error"]["code"], -32602);
    });
}

#[test]
fn a_legacy_client_sets_the_level_of_its_log() {
    let mut talk = Talk::start("everything", "2025-11-25", "{}");
    for (level, count) in [("debug", 8), ("error", 4), ("emergency", 1)] {
        assert!(talk.request("logging/setLevel", json!({"level": level})).get("result").is_some());
        talk.call("log_levels", json!({}));
        assert_eq!(talk.beside.len(), count, "{level}");
        assert_eq!(talk.beside[0]["params"]["level"], level);
        talk.beside.clear();
    }
    assert_eq!(talk.request("logging/setLevel", json!({"level": "loud"}))["error"]["code"], -32602);
}

#[test]
fn a_modern_request_asks_for_its_own_log() {
    let mut talk = Talk::start("everything", "2026-07-28", "{}");
    let level = "io.modelcontextprotocol/logLevel";
    for (meta, count) in [(json!({}), 0), (json!({level: "warning"}), 5)] {
        talk.request("tools/call", json!({"name": "log_levels", "_meta": meta}));
        assert_eq!(talk.beside.drain(..).count(), count);
    }
    let refused = talk.request("tools/call", json!({"name": "log_levels", "_meta": {level: "loud"}}));
    assert_eq!(refused["error"]["code"], -32602);
    assert_eq!(talk.request("logging/setLevel", json!({"level": "info"}))["error"]["code"], -32601);
}

#[test]
fn structured_results_are_right_wrong_and_missing() {
    each("everything", |talk, modern| {
        assert_eq!(talk.call("structured", json!({}))["structuredContent"]["sky"], "clear");
        assert_eq!(talk.call("structured_wrong", json!({}))["structuredContent"]["celsius"], "warm");
        assert!(talk.call("structured_missing", json!({})).get("structuredContent").is_none());
        assert_eq!(talk.call("structured_error", json!({}))["isError"], true);
        let null = talk.call("structured_null", json!({}));
        assert_eq!(null.get("structuredContent").is_some_and(Value::is_null), modern, "{null}");
        let kinds = talk.call("contents", json!({}))["content"].take();
        let kinds: Vec<_> =
            kinds.as_array().unwrap().iter().map(|one| one["type"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["text", "image", "resource", "resource", "audio", "resource_link", "hologram"]);
        talk.send("tools/call", json!({"name": "numbers"}));
        let line = talk.play.hear();
        assert!(line.contains(r#""exact":9007199254740993,"large":1e30,"minus_zero":-0"#), "{line}");
    });
}

#[test]
fn a_legacy_client_hears_of_every_change_and_of_what_it_subscribed_to() {
    let mut talk = Talk::start("everything", "2025-11-25", "{}");
    for what in ["tools", "prompts", "resources"] {
        talk.call("grow", json!({"what": what}));
        assert_eq!(talk.methods(), [format!("notifications/{what}/list_changed")]);
        let listed = talk.request(&format!("{what}/list"), json!({}))["result"][what].take();
        assert!(names(&listed).last().unwrap().starts_with("grown_"));
    }
    let uri = json!({"uri": "file:///notes"});
    assert_eq!(text(&talk.call("touch", uri.clone())), "told 0");
    assert!(talk.request("resources/subscribe", uri.clone()).get("result").is_some());
    assert_eq!(text(&talk.call("touch", json!({"uri": "file:///notes/a"}))), "told 1");
    assert_eq!(talk.beside.pop().unwrap()["params"]["uri"], "file:///notes/a");
    assert!(talk.request("resources/unsubscribe", uri.clone()).get("result").is_some());
    assert_eq!(text(&talk.call("touch", uri)), "told 0");
}

#[test]
fn a_modern_client_hears_what_it_asked_for_and_no_more() {
    let mut talk = Talk::start("everything --honour tools,uris", "2026-07-28", "{}");
    talk.call("grow", json!({"what": "tools"}));
    assert_eq!(talk.methods(), [""; 0]);
    let wanted =
        json!({"toolsListChanged": true, "promptsListChanged": true, "resourceSubscriptions": ["text://a"]});
    let listen = talk.send("subscriptions/listen", json!({"notifications": wanted}));
    let acknowledged = talk.hear();
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    let honoured = json!({"toolsListChanged": true, "resourceSubscriptions": ["text://a"]});
    assert_eq!(acknowledged["params"]["notifications"], honoured);
    for what in ["tools", "prompts", "resources"] {
        talk.call("grow", json!({"what": what}));
    }
    assert_eq!(talk.beside[0]["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], listen);
    assert_eq!(talk.methods(), ["notifications/tools/list_changed"]);
    assert_eq!(text(&talk.call("touch", json!({"uri": "text://b"}))), "told 0");
    assert_eq!(text(&talk.call("touch", json!({"uri": "text://a"}))), "told 1");
    assert_eq!(talk.methods(), ["notifications/resources/updated"]);
    assert_eq!(talk.request("subscriptions/listen", json!({}))["error"]["code"], -32602);
}

#[test]
fn subscriptions_end_in_three_ways() {
    for (how, messages) in [
        ("result", vec!["none"]),
        ("cancelled", vec!["notifications/cancelled"]),
        ("both", vec!["notifications/cancelled", "none"]),
    ] {
        let mut talk = Talk::start(&format!("everything --end {how}"), "2026-07-28", "{}");
        talk.send("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
        talk.hear();
        assert_eq!(text(&talk.call("end_listen", json!({}))), "ended 1");
        assert_eq!(talk.methods(), messages);
        talk.call("grow", json!({"what": "tools"}));
        assert_eq!(talk.methods(), [""; 0]);
        let mut talk = Talk::start(&format!("everything --end {how} --end-at ack"), "2026-07-28", "{}");
        talk.send("subscriptions/listen", json!({"notifications": {}}));
        assert_eq!(talk.hear()["method"], "notifications/subscriptions/acknowledged");
        let ends: Vec<Value> = messages.iter().map(|_| talk.hear()).collect();
        assert_eq!(ends[0].get("method").is_some(), how != "result");
    }
}
