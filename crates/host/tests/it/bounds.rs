//! What is held for others has bounds in bytes, and what breaks within them breaks alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use codewhale_host::{How, Line, Talk};
use codewhale_testkit::ModelFake;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::session::{Stuck, session};
use crate::world::{Plan, Trial};

/// How many bytes prompts may have here.
const ROOM: usize = 64 << 10;

fn prompt(text: &str) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": text}})
}

#[tokio::test]
async fn prompts_that_wait_have_room_for_some_bytes() {
    let model =
        ModelFake::start(r#"[{"text": "one", "fault": "stall"}, {"text": "two"}, {"text": "three"}]"#);
    let trial = Trial::start(Plan { room: ROOM, ..Plan::asking(&model) });
    trial.prompt("first").await;
    model.until(|model| model.asked().len() == 1).await;
    // One may be as long as a line may be; what has no room beside it is left out.
    let long = "x".repeat(ROOM / 2 - 1);
    for _ in 0..4 {
        trial.say(prompt(&long)).await;
    }
    let left_out = trial.said.until(|message| message["type"] == "error").await;
    let error = left_out["error"].as_str().unwrap();
    assert_eq!(
        error,
        "the prompts that wait would have more than 65536 bytes, so message 4 of the input was left out"
    );
    trial.want(json!({"subtype": "interrupt"})).await;
    let messages = trial.end().await;
    let of = |kind: &str| messages.iter().filter(|message| message["type"] == kind).count();
    assert_eq!((of("result"), of("error")), (3, 2));
}

#[tokio::test]
async fn a_conversation_that_is_too_long_takes_no_more_prompts_and_says_so() {
    let model = ModelFake::start(r#"[{"text": "one"}, {"text": "two"}, {"text": "three"}]"#);
    let trial = Trial::start(Plan { room: ROOM, ..Plan::asking(&model) });
    let long = "x".repeat(ROOM / 3 * 2);
    for (at, text) in ["first", &long, &long, "last"].into_iter().enumerate() {
        trial.say(prompt(text)).await;
        trial.results(at + 1).await;
    }
    let messages = trial.end().await;
    let results: Vec<&Value> = messages.iter().filter(|message| message["type"] == "result").collect();
    let said: Vec<&str> = results.iter().map(|result| result["result"].as_str().unwrap()).collect();
    let error = "with this prompt the conversation would have more than 65536 bytes, so it was left out";
    assert_eq!(said, ["one", "two", error, "three"]);
    assert_eq!(model.asked().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn whoever_does_not_read_is_not_listened_to_for_ever() {
    let stuck = Stuck::default();
    let (host, setup, fleet, _home) = session(Box::new(stuck.clone()));
    let (input, lines) = mpsc::channel(1);
    let running = tokio::spawn(host.run_lines(setup, fleet, lines));
    // Each of these has an answer as long as itself.
    let id = "i".repeat(256 * 1024);
    let line = json!({"type": "control_request", "request_id": id, "request": {}}).to_string();
    let mut sent = 0;
    // The time is up when nobody has anything to do.
    while let Ok(done) =
        tokio::time::timeout(Duration::from_secs(1), input.send(Line::Whole(line.clone().into_bytes()))).await
    {
        done.unwrap();
        sent += 1;
        assert!(sent < 500, "there is no end");
    }
    assert!((250..270).contains(&sent), "{sent}");
    drop(input);
    stuck.open();
    assert_eq!(running.await.unwrap().how, How::Answered);
    assert_eq!(stuck.said.messages().len(), sent);
}

/// Somebody who panics at the first thing said to him.
fn panicking() -> Arc<Talk> {
    let told = AtomicBool::new(false);
    Arc::new(move |text: &str| {
        assert!(told.swap(true, Ordering::SeqCst), "nobody wants to hear `{text}`");
    })
}

#[tokio::test]
async fn a_turn_that_panics_ends_in_a_result_and_the_session_goes_on() {
    let call = json!({"calls": [{"name": "wait_for_mcp_servers", "arguments": {"timeout_ms": 0}}]});
    let model =
        ModelFake::start(&json!([{"text": "one"}, call, {"status": 503}, {"text": "two"}]).to_string());
    let trial = Trial::start(Plan { talk: panicking(), ..Plan::asking(&model) });
    for at in 1..=3 {
        trial.prompt(&format!("prompt {at}")).await;
        trial.results(at).await;
    }
    let results = trial.results(3).await;
    let error = results[1]["errors"][0].as_str().unwrap();
    assert!(error.contains("a fault of codewhale") && error.contains("nobody wants to hear"), "{error}");
    assert_eq!((&results[1]["is_error"], &results[2]["result"]), (&json!(true), &json!("two")));
    trial.end().await;
    // All that was said before is said again, and each call has a result.
    let asked = model.asked();
    let said: Vec<&str> =
        asked[3]["messages"].as_array().unwrap()[1..].iter().map(|it| it["role"].as_str().unwrap()).collect();
    let said: Vec<&str> = [&["user"], &said[..]].concat();
    assert_eq!(said, ["user", "assistant", "user", "assistant", "tool", "user"]);
}
