//! Requests that need input, in both eras.

use crate::talk::{EVERYTHING, Talk, text};
use serde_json::{Value, json};

const MODERN: &str = "2026-07-28";
const LEGACY: &str = "2025-11-25";

/// A fitting answer to a request of the server.
fn answer(method: &str, params: &Value) -> Value {
    match method {
        "roots/list" => json!({"roots": [{"uri": "file:///home"}]}),
        "sampling/createMessage" => {
            json!({"role": "assistant", "model": "m", "content": {"type": "text", "text": "Paris"}})
        }
        _ if params["mode"] == "url" => json!({"action": "accept"}),
        _ if params["requestedSchema"]["properties"]["age"].is_object() => {
            json!({"action": "accept", "content": {
            "name": "Ann", "age": 7, "agree": true, "city": "Paris", "count": 3, "share": 0.25, "size": "M",
            "tags": ["a", "b"], "moods": ["h"]}})
        }
        _ => json!({"action": "accept", "content": {"name": "Ann"}}),
    }
}

/// Calls a tool of a modern server and answers whatever it asks, as a client should.
fn rounds(talk: &mut Talk, method: &str, params: &Value) -> (Value, u32) {
    let (mut message, mut turns) = (params.clone(), 0);
    loop {
        let result = talk.request(method, message)["result"].take();
        if result["resultType"] == "complete" {
            return (result, turns);
        }
        assert_eq!(result["resultType"], "input_required", "{result}");
        turns += 1;
        message = params.clone();
        if let Some(state) = result.get("requestState") {
            message["requestState"] = state.clone();
        }
        if let Some(requests) = result["inputRequests"].as_object() {
            for (key, request) in requests {
                message["inputResponses"][key] =
                    answer(request["method"].as_str().unwrap(), &request["params"]);
            }
        }
    }
}

#[test]
fn a_modern_server_asks_by_results() {
    for (tool, said) in [
        ("ask_form", "form-1 elicitation/create {\"action\":\"accept\""),
        ("ask_url", "url-1 elicitation/create {\"action\":\"accept\"}"),
        ("ask_sampling", "sampling-1 sampling/createMessage {"),
        ("ask_roots", "roots-1 roots/list {\"roots\":[{\"uri\":\"file:///home\"}]}"),
    ] {
        let mut talk = Talk::start("everything", MODERN, EVERYTHING);
        let (result, turns) = rounds(&mut talk, "tools/call", &json!({"name": tool, "arguments": {}}));
        assert!(text(&result).starts_with(said), "{result}");
        assert_eq!(turns, 1);
    }
}

#[test]
fn prompts_and_resources_ask_too() {
    let mut talk = Talk::start("everything", MODERN, EVERYTHING);
    let (result, _) = rounds(&mut talk, "prompts/get", &json!({"name": "interview"}));
    assert!(result["messages"][0]["content"]["text"].as_str().unwrap().contains("Ann"));
    let (result, _) = rounds(&mut talk, "resources/read", &json!({"uri": "asked://vault"}));
    assert!(result["contents"][0]["text"].as_str().unwrap().contains("Ann"));
    assert!(result.get("ttlMs").is_some());
}

#[test]
fn rounds_may_be_several_have_no_question_or_no_state() {
    let params = json!({"name": "ask_all", "arguments": {"x": 1}});
    for (flags, turns) in [("--rounds 3", 3), ("--state-only 2", 3), ("--no-state --rounds 2", 2)] {
        let mut talk = Talk::start(&format!("everything {flags}"), MODERN, EVERYTHING);
        let (result, taken) = rounds(&mut talk, "tools/call", &params);
        assert_eq!(taken, turns, "{flags}");
        assert!(text(&result).starts_with("short-1"), "{result}");
    }
    let mut talk = Talk::start("everything --no-state", MODERN, EVERYTHING);
    let first = talk.request("tools/call", params);
    assert!(first["result"].get("requestState").is_none(), "{first}");
    let mut talk = Talk::start("everything --endless", MODERN, EVERYTHING);
    let (mut state, call) = (Value::Null, json!({"name": "ask_roots"}));
    for round in 1..=30 {
        let mut params = call.clone();
        if round > 1 {
            params["requestState"] = state;
            params["inputResponses"][format!("roots-{}", round - 1)] = answer("roots/list", &Value::Null);
        }
        state = talk.request("tools/call", params)["result"]["requestState"].take();
        assert!(state.is_string());
    }
}

#[test]
fn a_retry_that_is_not_to_the_letter_is_refused() {
    let good = json!({"short-1": {"action": "accept", "content": {"name": "Ann"}}});
    type Change = fn(&mut Value);
    let spoil: [(&str, Change); 7] = [
        ("no round waits", |retry| {
            retry["requestState"] = json!(retry["requestState"].as_str().unwrap().trim())
        }),
        ("inputResponses without", |retry| {
            retry.as_object_mut().unwrap().remove("requestState");
        }),
        ("params differ", |retry| retry["arguments"] = json!({"y": 2})),
        ("no question of this round", |retry| {
            retry["inputResponses"]["short-0"] = json!({"action": "cancel"})
        }),
        ("bare result", |retry| retry["inputResponses"]["short-1"]["resultType"] = json!("complete")),
        ("name is missing", |retry| retry["inputResponses"]["short-1"]["content"] = json!({})),
        ("requestState is no string", |retry| retry["requestState"] = json!(1)),
    ];
    for (fault, change) in spoil {
        let mut talk = Talk::start("everything", MODERN, r#"{"elicitation":{}}"#);
        let params = json!({"name": "interview", "arguments": {"topic": "x"}});
        let first = talk.request("prompts/get", params.clone());
        let mut retry = params;
        retry["requestState"] = first["result"]["requestState"].clone();
        retry["inputResponses"] = good.clone();
        change(&mut retry);
        let refused = talk.request("prompts/get", retry);
        assert_eq!(refused["error"]["code"], -32602, "{fault}: {refused}");
        assert!(refused["error"]["message"].as_str().unwrap().contains(fault), "{fault}: {refused}");
    }
}

#[test]
fn missing_responses_are_asked_for_again_and_states_are_good_for_one_retry() {
    let mut talk = Talk::start("everything", MODERN, EVERYTHING);
    let call = json!({"name": "ask_all"});
    let first = talk.request("tools/call", call.clone())["result"].take();
    let mut retry = call;
    retry["requestState"] = first["requestState"].clone();
    retry["inputResponses"] = json!({"roots-1": answer("roots/list", &Value::Null)});
    let second = talk.request("tools/call", retry.clone())["result"].take();
    let keys: Vec<_> = second["inputRequests"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["sampling-1", "short-1"]);
    assert_eq!(talk.request("tools/call", retry)["error"]["code"], -32602);
}

#[test]
fn what_is_not_declared_is_not_asked_unless_a_flag_says_so() {
    for (tool, needed) in
        [("ask_url", json!({"elicitation": {"url": {}}})), ("ask_roots", json!({"roots": {}}))]
    {
        let mut talk = Talk::start("everything", MODERN, r#"{"elicitation":{}}"#);
        let refused = talk.request("tools/call", json!({"name": tool}));
        assert_eq!(
            (&refused["error"]["code"], &refused["error"]["data"]["requiredCapabilities"]),
            (&json!(-32021), &needed)
        );
        let mut talk = Talk::start("everything --undeclared", MODERN, "{}");
        assert!(talk.call(tool, json!({}))["inputRequests"].is_object());
        let mut talk = Talk::start("everything", LEGACY, r#"{"elicitation":{}}"#);
        assert_eq!(talk.call(tool, json!({}))["isError"], true);
        let mut talk = Talk::start("everything --undeclared", LEGACY, "{}");
        talk.send("tools/call", json!({"name": tool}));
        assert!(talk.hear().get("method").is_some());
    }
}

#[test]
fn a_legacy_server_asks_by_requests_of_its_own() {
    for (tool, questions) in [("ask_form", 1), ("ask_url", 1), ("ask_sampling_tools", 1), ("ask_all", 3)] {
        let mut talk = Talk::start("everything --rounds 2", LEGACY, EVERYTHING);
        let id = talk.send("tools/call", json!({"name": tool}));
        for _ in 0..2 {
            let mut asked: Vec<Value> = Vec::new();
            while asked.len() < questions {
                asked.extend(Some(talk.hear()).filter(|message| message.get("id").is_some()));
            }
            for request in asked {
                let result = answer(request["method"].as_str().unwrap(), &request["params"]);
                talk.respond(&request["id"], &result);
            }
        }
        let result = talk.answer(&id)["result"].take();
        assert_eq!(text(&result).lines().count(), 2 * questions, "{result}");
        assert!(!text(&result).contains("error"), "{result}");
        let completed =
            talk.methods().iter().filter(|method| method.ends_with("elicitation/complete")).count();
        assert_eq!(completed >= 2, tool == "ask_url", "{tool}");
    }
}

#[test]
fn a_cancelled_legacy_call_takes_its_question_back() {
    let mut talk = Talk::start("everything", LEGACY, EVERYTHING);
    let id = talk.send("tools/call", json!({"name": "ask_form"}));
    let asked = talk.hear();
    talk.play.say(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
            .to_string(),
    );
    let taken = talk.hear();
    assert_eq!(
        (&taken["method"], &taken["params"]["requestId"]),
        (&json!("notifications/cancelled"), &asked["id"])
    );
    assert_eq!(talk.play.first_error(), format!("cancelled {id}"));
    assert_eq!(text(&talk.call("ask_withdrawn", json!({}))), "withdrawn");
    assert_eq!(talk.methods(), ["elicitation/create", "notifications/cancelled"]);
}

#[test]
fn pings_may_have_unusual_ids() {
    let mut talk = Talk::start("everything", LEGACY, "{}");
    talk.send("tools/call", json!({"name": "ping_odd"}));
    for id in ["\"\"", "\"a b\"", "\"1\"", "-7", "9007199254740993", "0"] {
        let line = talk.play.hear();
        assert!(line.contains(&format!(r#""id":{id},"method":"ping""#)), "{line}");
        talk.play.say(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#));
    }
    assert!(text(&talk.hear()["result"]).contains("9007199254740993 {}"));
}

#[test]
fn a_page_may_have_to_be_visited_first() {
    let mut talk = Talk::start("everything", LEGACY, "{}");
    let refused = talk.request("tools/call", json!({"name": "need_url"}));
    assert_eq!(refused["error"]["code"], -32042);
    let elicitations = refused["error"]["data"]["elicitations"].as_array().unwrap().clone();
    for elicitation in &elicitations {
        assert_eq!(elicitation["mode"], "url");
        assert_eq!(talk.hear()["params"]["elicitationId"], elicitation["elicitationId"]);
    }
    assert_eq!(text(&talk.call("need_url", json!({}))), "the page was visited");
}
