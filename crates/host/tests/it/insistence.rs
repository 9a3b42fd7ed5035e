//! A model that does not answer at once: what is asked again, how often, and what is told of it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use codewhale_testkit::ModelFake;
use serde_json::{Value, json};

use crate::world::{Plan, Trial};

/// One prompt to a model: its result, how often the model was asked, and what was said of it.
async fn asked(script: &Value) -> (Value, usize, Vec<String>) {
    let model = ModelFake::start(&script.to_string());
    let said = Arc::new(Mutex::new(Vec::new()));
    let hears = said.clone();
    let talk = Arc::new(move |text: &str| hears.lock().unwrap().push(text.to_owned()));
    let trial = Trial::start(Plan { talk, ..Plan::asking(&model) });
    trial.prompt("hi").await;
    let result = trial.end().await.pop().unwrap();
    let said = said.lock().unwrap().clone();
    (result, model.requests().len(), said)
}

#[tokio::test]
async fn what_may_pass_is_asked_again_and_told() {
    let busy = |status: u16| json!({"status": status, "error": "busy"});
    let rows = [
        (busy(429), "the model answered with status 429: busy; it is asked again in "),
        (busy(408), "the model answered with status 408: busy; it is asked again in "),
        (busy(500), "the model answered with status 500: busy; it is asked again in "),
        (busy(529), "the model answered with status 529: busy; it is asked again in "),
        (json!({"fault": "gone"}), "the model cannot be reached: the connection broke: "),
    ];
    for (first, told) in rows {
        let (result, times, said) = asked(&json!([first, first, {"text": "fine"}])).await;
        assert_eq!((&result["result"], times), (&json!("fine"), 3), "{first}: {result}");
        assert!(said.len() == 2 && said.iter().all(|said| said.starts_with(told)), "{first}: {said:?}");
    }
}

#[tokio::test]
async fn what_does_not_pass_is_asked_four_times_and_ends_in_a_result() {
    let busy = json!({"status": 503, "error": "busy"});
    let (result, times, said) = asked(&json!([busy, busy, busy, busy, {"text": "too late"}])).await;
    let error = "the model answered with status 503: busy (asked 4 times)";
    assert_eq!((&result["errors"][0], times, said.len()), (&json!(error), 4, 3));
    assert_eq!((&result["is_error"], &result["terminal_reason"]), (&json!(true), &json!("error")));
}

#[tokio::test]
async fn what_cannot_pass_is_asked_once() {
    let rows = [
        json!({"status": 400, "error": "no"}),
        json!({"status": 401, "error": "no"}),
        json!({"status": 404, "error": "no"}),
        json!({"status": 501, "error": "no"}),
        // Whoever wants an hour is not waited for.
        json!({"status": 429, "error": "no", "retry_after": "3600"}),
        json!({"status": 429, "error": "no", "retry_after": "999999999999999999999999"}),
        // Something of it was told already.
        json!({"text": "half of it", "fault": "cut"}),
        json!({"text": "half of it", "fault": "end"}),
        json!({"text": "half of it", "fault": "said"}),
    ];
    for first in rows {
        let (result, times, said) = asked(&json!([first, {"text": "fine"}])).await;
        assert_eq!((&result["is_error"], times), (&json!(true), 1), "{first}: {result}");
        assert!(said.is_empty(), "{first}: {said:?}");
    }
}

#[tokio::test]
async fn the_pause_that_the_model_asks_for_is_kept() {
    let date = |text: &str| json!({"status": 429, "error": "no", "retry_after": text});
    for (first, at_least) in [(date("1"), 1_000), (date("0"), 0)] {
        let begun = std::time::Instant::now();
        let (result, times, said) = asked(&json!([first, {"text": "fine"}])).await;
        assert_eq!((&result["result"], times), (&json!("fine"), 2), "{first}");
        assert!(begun.elapsed() >= Duration::from_millis(at_least), "{first}: {said:?}");
    }
}

#[tokio::test]
async fn an_interrupt_ends_the_pause() {
    let model = ModelFake::start(r#"[{"status": 503, "retry_after": "59"}]"#);
    let trial = Trial::start(Plan::asking(&model));
    trial.prompt("hi").await;
    model.until(|model| model.asked().len() == 1).await;
    trial.want(json!({"subtype": "interrupt"})).await;
    assert_eq!(trial.results(1).await[0]["terminal_reason"], "interrupted");
    trial.end().await;
    assert_eq!(model.requests().len(), 1);
}
