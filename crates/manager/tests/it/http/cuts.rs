//! Answers that break off at any byte, and streams that are taken up again where they ended.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Client};
use codewhale_testkit::HttpFake;
use serde_json::json;
use tokio::task::JoinSet;

use crate::http::world::{call, connected, executed};
use crate::world::{World, run};

/// More bytes than the answer has, its head included.
const ALL: usize = 800;
/// How many calls wait at one time.
const AT_ONCE: usize = 100;

/// Calls with an answer that is cut after each number of bytes; which of them brought an answer.
async fn cut_everywhere(client: &Client) -> Vec<Result<String, CallError>> {
    let mut answers: Vec<_> = (0..ALL).map(|_| None).collect();
    let mut calls = JoinSet::new();
    for cut in 0..ALL {
        if calls.len() == AT_ONCE {
            let (cut, answer) = calls.join_next().await.unwrap().unwrap();
            answers[cut] = Some(answer);
        }
        let client = client.clone();
        calls.spawn(async move {
            let arguments = json!({"text": format!("cut {cut}"), "cut": cut});
            let answer = client.call_tool("echo", &arguments).send().await;
            (cut, answer.map(|result| result.content[0].text.clone().unwrap_or_default()))
        });
    }
    for (cut, answer) in calls.join_all().await {
        answers[cut] = Some(answer);
    }
    answers.into_iter().map(Option::unwrap).collect()
}

#[test]
fn an_answer_that_is_cut_at_any_byte_is_given_whole_or_fails_and_the_call_runs_once() {
    let modes =
        ["--era legacy --answers json", "--era modern --answers json", "--era modern --answers events"];
    for mode in modes.into_iter().chain(["--era legacy --answers events"]) {
        run(async {
            let fake = HttpFake::start(&format!("cut --as-asked --retry 1 {mode}"));
            let world = World::new();
            let connection = connected(&world, &fake).await;
            let answers = cut_everywhere(connection.client()).await;
            for (cut, answer) in answers.iter().enumerate() {
                match answer {
                    Ok(text) => assert_eq!(*text, format!("cut {cut}"), "{mode}"),
                    Err(CallError::Exchange { .. }) => {}
                    Err(other) => panic!("{mode}, {cut}: {other}"),
                }
            }
            // Enough of an answer stays enough.
            let enough = answers.iter().position(Result::is_ok).expect("some are whole");
            assert!(enough > 50, "{mode}: {enough}");
            assert!(answers[enough..].iter().all(Result::is_ok), "{mode}");
            let resumed =
                fake.requests_of("GET").iter().filter(|get| get.header("last-event-id").is_some()).count();
            if mode == "--era legacy --answers events" {
                assert!((1..ALL - enough).contains(&resumed), "{resumed} of {ALL} from {enough} on");
            } else {
                assert_eq!(resumed, 0, "{mode}");
            }
            let executed = executed(&fake);
            assert!(
                executed.len() == ALL && executed.values().all(|times| *times == 1),
                "{mode}: {executed:?}"
            );
            assert_eq!(fake.count("tools/call"), ALL, "{mode}");
            assert!(call(connection.client(), "after all").await.is_ok(), "{mode}");
            connection.close().await;
            world.manager.shutdown().await;
        });
    }
}

#[test]
fn h19_a_stream_that_is_closed_early_is_fetched_once_in_its_session_after_the_pause() {
    run(async {
        let (world, fake) = (World::new(), HttpFake::start("polling --retry 600"));
        let connection = connected(&world, &fake).await;
        assert_eq!(call(connection.client(), "fetched").await.unwrap(), "fetched");
        let calls = fake.requests_of("tools/call");
        let fetches: Vec<_> =
            fake.requests_of("GET").into_iter().filter(|get| get.header("last-event-id").is_some()).collect();
        assert_eq!((calls.len(), fetches.len()), (1, 1), "no second call");
        assert!(fetches[0].at - calls[0].at >= Duration::from_millis(600), "the server's pause");
        for name in ["mcp-session-id", "mcp-protocol-version"] {
            assert!(fetches[0].header(name).is_some(), "{name}");
            assert_eq!(fetches[0].header(name), calls[0].header(name), "{name}");
        }
        assert_eq!(executed(&fake)["fetched"], 1);
        connection.close().await;
        world.manager.shutdown().await;
    });
}

#[test]
fn h09_a_stream_that_never_brings_its_answer_fails_within_the_budget_and_without_a_storm() {
    run(async {
        let (world, fake) = (World::new(), HttpFake::start("polling-never --retry 1"));
        let connection = connected(&world, &fake).await;
        let arguments = json!({"text": "never"});
        let called = connection.client().call_tool("echo", &arguments).timeout(Duration::from_secs(4));
        let called = called.send().await;
        assert!(matches!(called, Err(CallError::ServerTimedOut { .. })), "{called:?}");
        let fetches: Vec<_> =
            fake.requests_of("GET").into_iter().filter(|get| get.header("last-event-id").is_some()).collect();
        assert!((3..=5).contains(&fetches.len()), "{}", fetches.len());
        let pauses: Vec<_> = fetches.windows(2).map(|pair| pair[1].at - pair[0].at).collect();
        assert!(pauses.iter().zip([450, 950, 1900]).all(|(is, least)| is.as_millis() >= least), "{pauses:?}");
        assert_eq!(fake.count("tools/call"), 1);
        connection.close().await;
        world.manager.shutdown().await;
    });
}
