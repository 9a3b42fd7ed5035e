//! The model: what it is asked, and how its answers and its faults come out.

use std::time::Duration;

use codewhale_host::Endpoint;
use codewhale_mcp_config::{Scope, Settings, Source};
use codewhale_testkit::ModelFake;
use serde_json::{Value, json};

use crate::world::{Plan, Trial, endpoint};

/// One prompt to a scripted model: everything that was said.
async fn asked(model: &ModelFake, flags: &'static str) -> Vec<Value> {
    let trial = Trial::start(Plan { flags, ..Plan::asking(model) });
    trial.prompt("hi").await;
    trial.end().await
}

#[tokio::test]
async fn an_answer_is_the_same_in_pieces_and_in_one() {
    let answer = |stream: bool| {
        json!({
            "text": "größer als gedacht",
            "thoughts": "let me see",
            "stream": stream,
            "split": 1,
            "usage": {"prompt_tokens": 30, "completion_tokens": 7, "prompt_cache_hit_tokens": 20},
        })
    };
    for stream in [true, false] {
        let model = ModelFake::start(&json!([answer(stream)]).to_string());
        let messages = asked(&model, "").await;
        let assistant = messages.iter().find(|message| message["type"] == "assistant").unwrap();
        let blocks = &assistant["message"]["content"];
        assert_eq!(blocks[0], json!({"type": "thinking", "thinking": "let me see", "signature": ""}));
        assert_eq!(blocks[1], json!({"type": "text", "text": "größer als gedacht"}));
        let result = messages.last().unwrap();
        assert_eq!(
            (&result["subtype"], &result["result"]),
            (&json!("success"), &json!("größer als gedacht"))
        );
        assert_eq!((&result["stop_reason"], &result["num_turns"]), (&json!("end_turn"), &json!(1)));
        let usage = &result["usage"];
        assert_eq!((&usage["input_tokens"], &usage["cache_read_input_tokens"]), (&json!(10), &json!(20)));
        assert_eq!(usage["output_tokens"], 7);
    }
}

#[tokio::test]
async fn it_is_asked_with_the_system_prompt_and_everything_said_so_far() {
    let model = ModelFake::start(r#"[{"text": "one"}, {"text": "two"}]"#);
    let flags = "--system-prompt Be-brief --append-system-prompt And-kind --model other";
    let trial = Trial::start(Plan { flags, ..Plan::asking(&model) });
    trial.prompt("first").await;
    let blocks = json!([{"type": "text", "text": "second"}, {"type": "text", "text": "half"}]);
    trial.say(json!({"type": "user", "message": {"role": "user", "content": blocks}})).await;
    trial.end().await;
    let asked = model.asked();
    assert_eq!((&asked[1]["model"], &asked[1]["stream"]), (&json!("other"), &json!(true)));
    let messages = asked[1]["messages"].as_array().unwrap();
    assert!(messages[0]["content"].as_str().unwrap().starts_with("Be-brief\n\nAnd-kind"));
    let said: Vec<&Value> = messages[1..].iter().map(|message| &message["content"]).collect();
    assert_eq!(said, ["first", "one", "second\nhalf"]);
}

#[tokio::test]
async fn pictures_are_given_to_it() {
    let model = ModelFake::start(r#"[{"text": "a cat"}]"#);
    let trial = Trial::start(Plan::asking(&model));
    let source = json!({"type": "base64", "media_type": "image/png", "data": "AAAA"});
    let blocks = json!([{"type": "text", "text": "what is it"}, {"type": "image", "source": source}]);
    trial.say(json!({"type": "user", "message": {"role": "user", "content": blocks}})).await;
    trial.end().await;
    let content = model.asked()[0]["messages"][0]["content"].clone();
    assert_eq!(content[1], json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}));
}

#[tokio::test]
async fn whatever_goes_wrong_ends_in_a_result_that_says_so() {
    let rows = [
        (json!({"status": 501, "error": "not here"}), "the model answered with status 501: not here"),
        (
            json!({"status": 404, "error": {"detail": "no such model"}}),
            "the model answered with status 404: no such",
        ),
        (json!({"text": "half of it", "fault": "cut"}), "the model's answer ended too early"),
        (json!({"text": "half of it", "fault": "end"}), "the model's answer ended too early"),
        (json!({"text": "half of it", "fault": "broken"}), "the model's answer makes no sense: "),
        (json!({"text": "x", "fault": "broken", "stream": false}), "the model's answer makes no sense: "),
        (json!({"text": "half of it", "fault": "said"}), "the model failed: it went wrong"),
        (json!({"text": "x", "fault": "said", "stream": false}), "the model failed: it went wrong"),
    ];
    for (answer, error) in rows {
        let model = ModelFake::start(&json!([answer, {"text": "fine again"}]).to_string());
        let trial = Trial::start(Plan::asking(&model));
        trial.prompt("hi").await;
        trial.prompt("and now?").await;
        let messages = trial.end().await;
        let results: Vec<&Value> = messages.iter().filter(|message| message["type"] == "result").collect();
        let said = results[0]["errors"][0].as_str().unwrap_or_default();
        assert!(said.starts_with(error) && results[0]["is_error"] == true, "{answer}: {said}");
        assert_eq!(results[0]["subtype"], "error_during_execution");
        assert_eq!(results[1]["result"], "fine again", "{answer}");
    }
}

#[tokio::test]
async fn silence_ends_in_a_result_that_says_so() {
    for fault in ["stall", "deaf"] {
        let model = ModelFake::start(&json!([{"text": "a long answer", "fault": fault}]).to_string());
        let trial = Trial::start(Plan { silence: Duration::from_millis(100), ..Plan::asking(&model) });
        trial.prompt("hi").await;
        let messages = trial.end().await;
        let error = messages.last().unwrap()["errors"][0].as_str().unwrap().to_owned();
        assert!(error.starts_with("the model said nothing for"), "{fault}: {error}");
        model.until(|model| model.open_connections() == 0).await;
    }
}

#[tokio::test]
async fn its_key_is_sent_and_never_told() {
    let key = "sk-4711-not-for-anybody";
    let answer = json!([{"status": 401, "error": format!("no such key: {key}")}]);
    let model = ModelFake::start(&answer.to_string());
    let trial = Trial::start(Plan { model: Ok(endpoint(&model, Some(key))), ..Plan::default() });
    trial.prompt("hi").await;
    let messages = trial.end().await;
    let header = model.requests()[0].header("authorization").unwrap().to_owned();
    assert_eq!(header, format!("Bearer {key}"));
    assert!(!format!("{messages:?}").contains(key), "{messages:#?}");
    assert!(messages.last().unwrap()["result"].as_str().unwrap().contains("REDACTED"));
}

#[tokio::test]
async fn pieces_are_told_as_they_come_and_make_the_whole() {
    let answer = json!({
        "thoughts": "hm", "text": "so it is", "split": 3,
        "calls": [{"name": "tool_search", "arguments": {"query": "x"}}],
    });
    let model = ModelFake::start(&json!([answer, {"text": "done"}]).to_string());
    let messages = asked(&model, "--include-partial-messages").await;
    let events: Vec<&Value> =
        messages.iter().filter(|it| it["type"] == "stream_event").map(|it| &it["event"]).collect();
    let end = events.iter().position(|event| event["type"] == "message_stop").unwrap();
    let of = |kind: &str, name: &str| -> String {
        let deltas = events[..end].iter().filter(|event| event["delta"]["type"] == kind);
        deltas.map(|event| event["delta"][name].as_str().unwrap()).collect()
    };
    assert_eq!(of("thinking_delta", "thinking"), "hm");
    assert_eq!(of("text_delta", "text"), "so it is");
    assert_eq!(of("input_json_delta", "partial_json"), r#"{"query":"x"}"#);
    let starts: Vec<(&Value, &Value)> = events[..end]
        .iter()
        .filter(|event| event["type"] == "content_block_start")
        .map(|event| (&event["index"], &event["content_block"]["type"]))
        .collect();
    let wanted = [json!("thinking"), json!("text"), json!("tool_use")];
    assert_eq!(starts, [(&json!(0), &wanted[0]), (&json!(1), &wanted[1]), (&json!(2), &wanted[2])]);
    let stops = events[..end].iter().filter(|event| event["type"] == "content_block_stop").count();
    assert_eq!(stops, 3);
    assert_eq!(events[end - 1]["delta"]["stop_reason"], "tool_use");
}

#[tokio::test]
async fn without_a_model_a_prompt_says_so_and_everything_else_works() {
    let trial = Trial::start(Plan::default());
    trial.prompt("hi").await;
    let result = trial.results(1).await.remove(0);
    let error = result["errors"][0].as_str().unwrap();
    assert!(error.contains("no model is configured") && error.contains("DEEPSEEK_API_KEY"), "{error}");
    let status = trial.want(json!({"subtype": "mcp_status"})).await;
    assert_eq!(status["response"]["mcpServers"], json!([]));
    trial.end().await;
}

#[test]
fn the_default_key_goes_where_the_default_model_is_however_that_is_spelled() {
    let key = |base: &str| -> Option<bool> {
        let text = format!("[model]\nbase_url = \"{base}\"\n");
        let settings = Settings::parse(&text, &Source::label("test", Scope::User)).unwrap();
        let variable = |name: &str| (name == "DEEPSEEK_API_KEY").then(|| "k".to_owned());
        Endpoint::new(&settings.model, variable).ok().map(|endpoint| endpoint.key().is_some())
    };
    for same in ["https://api.deepseek.com", "https://api.deepseek.com/", "https://API.deepseek.com:443"] {
        assert_eq!(key(same), Some(true), "{same}");
    }
    for other in ["http://api.deepseek.com", "https://api.deepseek.com:444", "https://api.deepseek.example"] {
        assert_eq!(key(other), Some(false), "{other}");
    }
}
