//! Turns: calls, permissions, search, limits.

use codewhale_testkit::ModelFake;
use serde_json::{Value, json};

use crate::world::{Behaviour, Plan, SECRET, Trial};

fn call(name: &str, arguments: Value) -> Value {
    json!({"name": name, "arguments": arguments})
}

/// A prompt to a model that wants these calls at first and is content then, with one server in memory.
async fn turn(flags: &'static str, definition: Value, calls: Value) -> (ModelFake, Vec<Value>) {
    let model = ModelFake::start(&json!([{"calls": calls}, {"text": "done"}]).to_string());
    let trial = Trial::start(Plan {
        flags,
        servers: json!({"s": definition}),
        behaves: |_| Some(Behaviour::Fast),
        ..Plan::asking(&model)
    });
    trial.prompt("hi").await;
    let messages = trial.end().await;
    (model, messages)
}

fn eager() -> Value {
    json!({"type": "sdk", "alwaysLoad": true})
}

/// What the model was told of its calls.
fn told(model: &ModelFake) -> Vec<String> {
    let messages = model.asked()[1]["messages"].as_array().unwrap().clone();
    let results = messages.iter().filter(|message| message["role"] == "tool");
    results.map(|message| message["content"].as_str().unwrap().to_owned()).collect()
}

fn offered(model: &ModelFake, at: usize) -> Vec<String> {
    let asked = model.asked().remove(at);
    let tools = asked["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["function"]["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn calls_are_made_and_their_results_given_back_in_order() {
    let calls = json!([
        call("mcp_s_echo", json!({"n": 1})),
        call("mcp_s_echo", json!({"n": 12345678901234567890123_u128 as f64}))
    ]);
    let (model, messages) = turn("-y", eager(), calls).await;
    assert_eq!(told(&model)[0], r#"{"n":1}"#);
    assert_eq!(told(&model).len(), 2);
    let uses = messages.iter().find(|message| message["type"] == "assistant").unwrap();
    assert_eq!(uses["message"]["content"][0]["name"], "mcp_s_echo");
    assert_eq!(uses["message"]["stop_reason"], "tool_use");
    let results: Vec<&Value> = messages.iter().filter(|message| message["type"] == "user").collect();
    let block = &results[0]["message"]["content"][0];
    assert_eq!((&block["tool_use_id"], &block["is_error"]), (&json!("call_0"), &json!(false)));
    assert_eq!(block["content"][0]["text"], r#"{"n":1}"#);
    let result = messages.last().unwrap();
    assert_eq!((&result["result"], &result["num_turns"]), (&json!("done"), &json!(2)));
    assert!(offered(&model, 0).contains(&"mcp_s_echo".to_owned()));
}

#[tokio::test]
async fn usage_that_is_beyond_all_numbers_breaks_nothing() {
    let usage = json!({"prompt_tokens": u64::MAX, "completion_tokens": u64::MAX});
    let calls = json!([call("mcp_s_echo", json!({}))]);
    let script = json!([{"calls": calls, "usage": usage}, {"text": "done", "usage": usage}]);
    let model = ModelFake::start(&script.to_string());
    let servers = json!({"s": eager()});
    let plan = Plan { flags: "-y", servers, behaves: |_| Some(Behaviour::Fast), ..Plan::asking(&model) };
    let trial = Trial::start(plan);
    trial.prompt("hi").await;
    let result = trial.end().await.pop().unwrap();
    assert_eq!((&result["result"], &result["usage"]["output_tokens"]), (&json!("done"), &json!(u64::MAX)));
}

#[tokio::test]
async fn numbers_reach_the_tool_as_the_model_wrote_them() {
    let calls = json!([{"name": "mcp_s_echo", "arguments": "{\"n\": 123456789012345678901234567890.10}"}]);
    let (model, _) = turn("-y", eager(), calls).await;
    // What comes back was read by the server of this test, whose numbers are those of a double.
    assert!(told(&model)[0].contains("1.2345678901234568e"), "{:?}", told(&model));
}

#[tokio::test]
async fn a_call_that_makes_no_sense_is_answered_and_the_model_goes_on() {
    let calls = json!([
        {"name": "mcp_s_echo", "arguments": "{\"n\": "},
        {"name": "mcp_s_echo", "arguments": "[1]"},
        call("mcp_s_ecko", json!({})),
        call("mcp_other_tool", json!({})),
    ]);
    let (model, messages) = turn("-y", eager(), calls).await;
    let told = told(&model);
    assert!(told[0].starts_with("its arguments are no JSON"), "{told:?}");
    assert_eq!(told[1], "its arguments are no JSON object");
    assert!(told[2].contains("did you mean mcp_s_echo"), "{told:?}");
    assert!(told[3].starts_with("there is no tool `mcp_other_tool`"), "{told:?}");
    assert_eq!(messages.last().unwrap()["result"], "done");
    let arguments = &model.asked()[1]["messages"][2]["tool_calls"];
    assert!(arguments.is_null() || arguments[0]["function"]["arguments"] == "{}", "{arguments}");
}

#[tokio::test]
async fn a_deferred_tool_is_not_offered_and_can_be_called_by_its_name() {
    let (model, _) = turn(
        "-y",
        json!({"type": "sdk", "defer_loading": true}),
        json!([call("mcp_s_echo", json!({"n": 1}))]),
    )
    .await;
    assert!(!offered(&model, 0).contains(&"mcp_s_echo".to_owned()));
    assert_eq!(told(&model), [r#"{"n":1}"#]);
}

#[tokio::test]
async fn a_search_offers_what_it_finds_from_then_on() {
    let deferred = json!({"type": "sdk", "defer_loading": true});
    for name in ["tool_search", "ToolSearch"] {
        let (model, _) =
            turn("", deferred.clone(), json!([call(name, json!({"query": "mcp_s_echo"}))])).await;
        let found: Value = serde_json::from_str(&told(&model)[0]).unwrap();
        assert_eq!(found["tools"][0]["name"], "mcp_s_echo", "{found}");
        assert!(!offered(&model, 0).contains(&"mcp_s_echo".to_owned()));
        assert!(offered(&model, 1).contains(&"mcp_s_echo".to_owned()));
    }
}

#[tokio::test]
async fn modes_and_rules_say_what_runs() {
    let allowed = r#"{"n":1}"#;
    let rows = [
        ("", "nobody is there to give it"),
        ("--permission-mode acceptEdits", "nobody is there to give it"),
        ("--permission-mode plan", "in plan mode no tool of a server runs"),
        ("--permission-mode bypassPermissions", allowed),
        ("-y", allowed),
        ("--allowedTools mcp_s_echo", allowed),
        ("--allowedTools mcp__s__echo", allowed),
        ("--allowedTools mcp__s", allowed),
        ("--allowedTools mcp_s_*", allowed),
        ("--allowedTools mcp__other", "nobody is there to give it"),
        ("-y --disallowedTools mcp__s__echo", "the rules of this session deny it"),
        ("-y --allowedTools mcp_s_echo --disallowedTools mcp__s", "the rules of this session deny it"),
    ];
    for (flags, wanted) in rows {
        let (model, messages) = turn(flags, eager(), json!([call("mcp_s_echo", json!({"n": 1}))])).await;
        let told = told(&model);
        assert!(told[0].contains(wanted), "{flags}: {told:?}");
        let denials = messages.last().unwrap()["permission_denials"].as_array().unwrap().len();
        assert_eq!(denials, usize::from(wanted != allowed), "{flags}");
        let denied = flags.contains("disallowed");
        assert_eq!(offered(&model, 0).contains(&"mcp_s_echo".to_owned()), !denied, "{flags}");
    }
    let definition = json!({"type": "sdk", "alwaysLoad": true, "autoApprove": ["echo"]});
    let (model, _) = turn("", definition, json!([call("mcp_s_echo", json!({"n": 1}))])).await;
    assert_eq!(told(&model), [allowed]);
}

#[tokio::test]
async fn the_caller_is_asked_in_the_words_of_either_sdk() {
    let calls = json!([{"calls": [call("mcp_s_echo", json!({"n": 1}))]}, {"text": "done"}]);
    let rows = [
        (json!({"behavior": "allow", "updatedInput": {"n": 2}}), r#"{"n":2}"#, "success"),
        (json!({"allowed": true, "updatedInput": null}), r#"{"n":1}"#, "success"),
        (json!({"behavior": "deny", "message": "not today"}), "not today", "success"),
        (json!({"allowed": false, "reason": "not today"}), "not today", "success"),
        (json!({"behavior": "deny", "message": "stop it", "interrupt": true}), "", "error_during_execution"),
        (json!("nonsense"), "makes no sense", "success"),
        (json!(["allow"]), "makes no sense", "success"),
        (json!({"behavior": "deny", "allowed": true}), "does not want it", "success"),
    ];
    for (answer, wanted, subtype) in rows {
        let model = ModelFake::start(&calls.to_string());
        let trial = Trial::start(Plan {
            flags: "--permission-prompt-tool stdio",
            servers: json!({"s": eager()}),
            behaves: |_| Some(Behaviour::Fast),
            ..Plan::asking(&model)
        });
        trial.prompt("hi").await;
        let asked = trial.said.until(|message| message["request"]["subtype"] == "can_use_tool").await;
        assert_eq!(asked["request"]["tool_name"], "mcp_s_echo");
        assert_eq!(asked["request"]["input"], json!({"n": 1}));
        assert_eq!(asked["request"]["tool_use_id"], "call_0");
        let response = json!({"subtype": "success", "request_id": asked["request_id"], "response": answer});
        trial.say(json!({"type": "control_response", "response": response})).await;
        let result = trial.results(1).await.remove(0);
        assert_eq!(result["subtype"], subtype, "{answer}");
        trial.end().await;
        if subtype == "success" {
            assert!(told(&model)[0].contains(wanted), "{answer}: {:?}", told(&model));
        }
    }
}

#[tokio::test]
async fn a_secret_that_a_server_quotes_reaches_neither_the_model_nor_the_output() {
    let skill = json!({"server": "s", "uri": "skill://x/SKILL.md"});
    let calls = json!([
        call("mcp_s_echo", json!({"as": "error"})),
        call("mcp_s_echo", json!({"as": "result"})),
        call("mcp_read_resource", json!({"server": "s", "uri": "a:b"})),
        call("mcp_get_prompt", json!({"server": "s", "name": "p"})),
        call("list_mcp_resources", json!({})),
        call("list_mcp_resource_templates", json!({"server": "s"})),
        call("list_mcp_skills", json!({})),
        call("mcp_load_skill", skill),
        call("tool_search", json!({"query": "x"})),
    ]);
    let model = ModelFake::start(&json!([{"calls": calls}, {"text": "done"}]).to_string());
    let trial = Trial::start(Plan {
        flags: "-y",
        servers: json!({"s": eager()}),
        behaves: |_| Some(Behaviour::Quoting),
        ..Plan::asking(&model)
    });
    trial.prompt("hi").await;
    let messages = trial.end().await;
    let told = told(&model);
    assert_eq!(told.len(), calls.as_array().unwrap().len());
    // All but the search say what the server said.
    for told in &told[..8] {
        assert!(told.contains("who would take") && told.contains("REDACTED"), "{told}");
    }
    let all = format!("{messages:?} {:?}", model.asked());
    assert!(!all.contains(SECRET), "{all}");
}

#[tokio::test]
async fn a_model_that_has_no_end_is_stopped() {
    let again = json!({"calls": [call("wait_for_mcp_servers", json!({"timeout_ms": 0}))]});
    let model = ModelFake::start(&json!([again, again, again, again]).to_string());
    let trial = Trial::start(Plan { flags: "--max-turns 2", ..Plan::asking(&model) });
    trial.prompt("hi").await;
    let messages = trial.end().await;
    let result = messages.last().unwrap();
    assert_eq!((&result["subtype"], &result["num_turns"]), (&json!("error_max_turns"), &json!(2)));
    assert_eq!(model.asked().len(), 2);
}
