//! Requests meet their replies, deadlines and cancellations.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Client, Event, Options};
use serde_json::{Value, json};

use crate::server::{Server, text};

/// Starts a call in a task of its own.
fn call(client: &Client, name: &'static str) -> tokio::task::JoinHandle<Result<String, CallError>> {
    let client = client.clone();
    tokio::spawn(async move {
        let result = client.call_tool(name, &json!({})).timeout(Duration::from_secs(5)).send().await?;
        Ok(result.content[0].text.clone().expect("text"))
    })
}

#[tokio::test(start_paused = true)]
async fn answers_find_their_calls_in_any_order() {
    for revision in ["2025-06-18", "2026-07-28"] {
        let (client, mut server) = Server::connected(revision, Options::default()).await;
        let calls = [call(&client, "a"), call(&client, "b"), call(&client, "c")];
        let mut requests = Vec::new();
        for _ in &calls {
            requests.push(server.next().await);
        }
        for request in requests.iter().rev() {
            let name = request["params"]["name"].as_str().expect("a name").to_owned();
            server.answer(request, text(&name)).await;
        }
        let mut answers = Vec::new();
        for call in calls {
            answers.push(call.await.expect("the task ends").expect("an answer"));
        }
        assert_eq!(answers, ["a", "b", "c"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_over_its_budget_fails_is_cancelled_once_and_leaves_the_connection_usable() {
    let (client, mut server) = Server::connected("2025-06-18", Options::default()).await;
    let first = call(&client, "slow");
    let request = server.next().await;
    let error = first.await.expect("the task ends").expect_err("no answer came");
    assert!(
        matches!(error, CallError::ServerTimedOut { method: "tools/call", after } if after.as_secs() == 5)
    );
    let cancelled = server.next().await;
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], request["id"]);

    let second = call(&client, "next");
    let next = server.next().await;
    server.answer(&request, text("late")).await;
    server.answer(&next, text("in time")).await;
    assert_eq!(second.await.expect("the task ends").expect("an answer"), "in time");
}

#[tokio::test(start_paused = true)]
async fn progress_reaches_the_caller_and_ends_silence() {
    let (client, mut server) = Server::connected("2026-07-28", Options::default()).await;
    let caller = client.clone();
    let call = tokio::spawn(async move {
        let mut seen = Vec::new();
        let result = caller
            .call_tool("long", &json!({}))
            .idle_timeout(Duration::from_secs(2))
            .on_progress(|progress| seen.push(progress.progress))
            .send()
            .await;
        (seen, result)
    });
    let request = server.next().await;
    for step in 1..=4 {
        tokio::time::sleep(Duration::from_millis(1500)).await;
        server.progress(&request, step).await;
    }
    tokio::time::sleep(Duration::from_millis(1500)).await;
    server.answer(&request, text("done")).await;
    let (seen, result) = call.await.expect("the task ends");
    assert_eq!(seen, [1.0, 2.0, 3.0, 4.0]);
    result.expect("an answer");

    let silent = client.call_tool("quiet", &json!({})).idle_timeout(Duration::from_secs(2)).send().await;
    assert!(matches!(silent, Err(CallError::ServerSilent { after, .. }) if after.as_secs() == 2));
}

#[tokio::test(start_paused = true)]
async fn dropping_a_call_tells_the_server() {
    let (client, mut server) = Server::connected("2025-06-18", Options::default()).await;
    let dropped = call(&client, "unwanted");
    let request = server.next().await;
    dropped.abort();
    let cancelled = server.next().await;
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], request["id"]);
}

#[tokio::test(start_paused = true)]
async fn a_frame_that_has_not_begun_to_leave_is_taken_out() {
    let (client, mut server) = Server::connected("2025-06-18", Options::default()).await;
    // Polled once, so that the frames are queued, while the writing task has not run yet.
    let arguments = json!({});
    let mut wanted = Box::pin(client.call_tool("wanted", &arguments).send());
    let mut unwanted = Box::pin(client.call_tool("unwanted", &arguments).send());
    let mut last = Box::pin(client.call_tool("last", &arguments).send());
    std::future::poll_fn(|context| {
        assert!(wanted.as_mut().poll(context).is_pending());
        assert!(unwanted.as_mut().poll(context).is_pending());
        assert!(last.as_mut().poll(context).is_pending());
        std::task::Poll::Ready(())
    })
    .await;
    drop(unwanted);
    let (first, second) = (server.next().await, server.next().await);
    assert_eq!((&first["params"]["name"], &second["params"]["name"]), (&json!("wanted"), &json!("last")));
    server.answer(&second, text("2")).await;
    server.answer(&first, text("1")).await;
    assert_eq!(wanted.await.expect("an answer").content[0].text.as_deref(), Some("1"));
    assert_eq!(last.await.expect("an answer").content[0].text.as_deref(), Some("2"));
}

#[tokio::test(start_paused = true)]
async fn calls_beyond_the_limit_wait_their_turn() {
    let mut options = Options::default();
    options.in_flight = 2;
    let (client, mut server) = Server::connected("2025-06-18", options).await;
    let calls: Vec<_> = (0..5).map(|_| call(&client, "x")).collect();
    let mut answered = 0;
    let mut waiting = vec![server.next().await, server.next().await];
    while let Some(request) = waiting.pop() {
        server.answer(&request, text("ok")).await;
        answered += 1;
        if answered <= 3 {
            waiting.push(server.next().await);
        }
    }
    for call in calls {
        assert_eq!(call.await.expect("the task ends").expect("an answer"), "ok");
    }
}

#[tokio::test(start_paused = true)]
async fn a_large_call_arrives_whole_through_a_small_pipe() {
    let (client, mut server) = Server::connected("2026-07-28", Options::default()).await;
    let body = "\u{1F433}x".repeat(400_000);
    let arguments = json!({ "text": body });
    let (result, ()) = tokio::join!(client.call_tool("big", &arguments).send(), async {
        let request = server.next().await;
        assert_eq!(request["params"]["arguments"]["text"], body.as_str());
        server.answer(&request, text(&body)).await;
    });
    assert_eq!(result.expect("an answer").content[0].text.as_deref(), Some(body.as_str()));
}

#[tokio::test(start_paused = true)]
async fn params_that_cannot_be_sent_do_not_leave() {
    #[derive(serde::Serialize)]
    struct Unsendable(std::collections::BTreeMap<(u8, u8), u8>);
    let (client, mut server) = Server::connected("2025-06-18", Options::default()).await;
    let error = client.call_tool("x", &Unsendable([((1, 2), 3)].into())).send().await;
    assert!(matches!(error, Err(CallError::CallerParamsInvalid { method: "tools/call", .. })));
    let (ping, ()) = tokio::join!(client.ping(), async {
        let request = server.next().await;
        assert_eq!(request["method"], "ping", "nothing else has left");
        server.answer(&request, json!({})).await;
    });
    ping.expect("an answer");
}

#[tokio::test(start_paused = true)]
async fn answers_that_are_none_fail_their_call_alone() {
    let cases = [
        (
            json!({"error": {"code": -32602, "message": "unknown tool"}}),
            "tools/call with an error: unknown tool (code -32602)",
        ),
        (json!({"result": {}, "error": {"code": 1, "message": "e"}}), "both a result and an error"),
        (json!({}), "neither a result nor an error"),
        (json!({"result": {"content": 5}}), "unexpected form"),
        (json!({"result": {"content": [], "resultType": "task"}}), "unknown resultType \"task\""),
    ];
    let (client, mut server) = Server::connected("2026-07-28", Options::default()).await;
    for (members, expected) in cases {
        let call = call(&client, "x");
        let mut reply = json!({"jsonrpc": "2.0", "id": server.next().await["id"]});
        for (name, value) in members.as_object().expect("members") {
            reply[name] = value.clone();
        }
        server.say(&reply).await;
        let error = call.await.expect("the task ends").expect_err("no result").to_string();
        assert!(error.contains(expected), "{error}");
    }
    let call = call(&client, "still there");
    let request = server.next().await;
    server.answer(&request, text("yes")).await;
    assert_eq!(call.await.expect("the task ends").expect("an answer"), "yes");
}

#[tokio::test(start_paused = true)]
async fn a_burst_of_notifications_does_not_hold_a_reply_up() {
    let (client, mut server) = Server::connected("2025-06-18", Options::default()).await;
    let mut events = client.events();
    let call = call(&client, "noisy");
    let request = server.next().await;
    for step in 0..1000 {
        server.progress(&request, step).await;
        let message = json!({"level": "info", "data": step});
        server.say(&json!({"jsonrpc": "2.0", "method": "notifications/message", "params": message})).await;
    }
    server.answer(&request, text("ok")).await;
    assert_eq!(call.await.expect("the task ends").expect("an answer"), "ok");
    assert!(matches!(events.ready(), Some(Event::Message(message)) if message.level == "info"));
}

#[tokio::test(start_paused = true)]
async fn a_batch_of_2025_03_26_is_taken_apart() {
    let (client, mut server) = Server::connected("2025-03-26", Options::default()).await;
    let calls = [call(&client, "a"), call(&client, "b")];
    let requests = [server.next().await, server.next().await];
    let reply =
        |request: &Value, name: &str| json!({"jsonrpc": "2.0", "id": request["id"], "result": text(name)});
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/x"});
    server.say(&json!([reply(&requests[1], "b"), notification, reply(&requests[0], "a")])).await;
    for (call, expected) in calls.into_iter().zip(["a", "b"]) {
        assert_eq!(call.await.expect("the task ends").expect("an answer"), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_modern_server_is_sent_no_ping() {
    let (client, mut server) = Server::connected("2026-07-28", Options::default()).await;
    let error = client.ping().await.expect_err("there is no such request");
    assert!(matches!(error, CallError::ServerLacks { capability: "ping" }), "{error}");
    server.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_ping_of_a_legacy_server_is_answered_during_a_call() {
    let (client, mut server) = Server::connected("2025-06-18", Options::default()).await;
    let call = call(&client, "x");
    let request = server.next().await;
    server.say(&json!({"jsonrpc": "2.0", "id": "p", "method": "ping"})).await;
    assert_eq!(server.next().await, json!({"jsonrpc": "2.0", "id": "p", "result": {}}));
    server.answer(&request, text("ok")).await;
    call.await.expect("the task ends").expect("an answer");
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_time_is_over_does_not_go_out_again() {
    let (client, mut server) = Server::connected("2026-07-28", Options::default()).await;
    let began = tokio::time::Instant::now();
    let call = tokio::spawn(async move {
        client.call_tool("x", &json!({})).timeout(Duration::from_millis(250)).send().await.map(drop)
    });
    // The server is busy: the second time its client would have to wait longer than it may.
    for _ in 0..2 {
        let request = server.asked("tools/call").await;
        server.answer(&request, json!({"resultType": "input_required", "requestState": "s"})).await;
    }
    let error = call.await.expect("the task ends").expect_err("its time is over");
    assert!(matches!(error, CallError::ServerTimedOut { .. }), "{error}");
    assert_eq!(began.elapsed().as_millis(), 250);
    assert!(server.at_end().await, "it says nothing more");
}
