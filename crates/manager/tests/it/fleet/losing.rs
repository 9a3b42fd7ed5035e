//! Servers that go, and come again or do not.

use std::time::Duration;

use codewhale_mcp_client::CallError;
use codewhale_mcp_config::Server;
use codewhale_mcp_manager::{FleetError, FleetEvent, ServerState};
use serde_json::json;
use tokio::task::JoinSet;

use super::pod::{events_until, fleet, id, states, text, tool_changes, until, until_so};
use crate::world::{World, fake, run, server};

/// A server that starts once, leaves when a tool is called, and does not start again.
fn one_life(world: &World) -> Server {
    let (lived, fake) = (world.file("lived"), codewhale_testkit::fake());
    let script = format!(
        "echo start >>{0}; test $(wc -l <{0}) = 1 || exit 3; exec {1} die-on-call",
        lived.display(),
        fake.display()
    );
    server("s", &json!({"command": "sh", "args": ["-c", script]}))
}

#[expect(clippy::disallowed_methods, reason = "the test kills its own server")]
fn kill(pid: &str) {
    assert!(std::process::Command::new("kill").args(["-9", pid]).status().unwrap().success());
}

#[test]
fn reconnects_after_a_crash() {
    let world = World::new();
    let record = world.file("record");
    run(async {
        let fleet =
            fleet(&world, [fake("s", &["die-on-call", "--record", record.to_str().unwrap()], json!({}))]);
        fleet.connect("s");
        until(&fleet, "s", &[ServerState::Ready]).await;
        let mut events = fleet.events();
        let error = fleet.call(&id("s", "echo"), &json!({"text": "x"})).send().await.unwrap_err();
        let FleetError::Request { source: CallError::ServerGone(_), .. } = &error else { panic!("{error}") };
        // Whoever hears of it hears that it is offline.
        assert_ne!(fleet.status("s").unwrap().state, ServerState::Ready);
        let is_up = |event: &FleetEvent| matches!(event, FleetEvent::Changed(status) if status.state == ServerState::Ready);
        let seen = events_until(&mut events, is_up).await;
        assert_eq!(states(&seen, "s"), [ServerState::Offline, ServerState::Connecting, ServerState::Ready]);
        fleet.shutdown().await;
    });
    let record = world.read("record");
    assert_eq!(record.lines().filter(|line| line.starts_with("start")).count(), 2, "{record}");
}

#[test]
fn a_server_killed_in_the_middle_of_a_hundred_calls_comes_again_once() {
    let world = World::new();
    let record = world.file("record");
    run(async {
        let args = ["hang-call", "--record", record.to_str().unwrap()];
        let fleet = fleet(&world, [fake("s", &args, json!({}))]);
        fleet.connect("s");
        until(&fleet, "s", &[ServerState::Ready]).await;
        let mut events = fleet.events();
        let mut calls = JoinSet::new();
        for _ in 0..100 {
            let fleet = fleet.clone();
            calls.spawn(async move {
                fleet.call(&id("s", "echo"), &json!({"text": "x"})).send().await.unwrap_err().to_string()
            });
        }
        let called = |record: &str| record.matches("tools/call").count();
        while called(&world.read("record")) < 100 {
            tokio::task::yield_now().await;
        }
        let starts = world.read("record");
        let pid = starts.lines().find_map(|line| line.strip_prefix("start ")).unwrap();
        kill(pid);
        while let Some(error) = calls.join_next().await {
            assert_eq!(error.unwrap(), "server `s`: the server was ended by signal 9 before it answered");
        }
        let is_up = |event: &FleetEvent| matches!(event, FleetEvent::Changed(status) if status.state == ServerState::Ready);
        let seen = events_until(&mut events, is_up).await;
        assert_eq!(states(&seen, "s"), [ServerState::Offline, ServerState::Connecting, ServerState::Ready]);
        assert_eq!(tool_changes(&seen, "s"), 0, "the list is the same");
        fleet.shutdown().await;
    });
    let record = world.read("record");
    assert_eq!(record.lines().filter(|line| line.starts_with("start")).count(), 2);
}

#[test]
fn gives_up_after_the_last_attempt_and_a_call_to_offline_explains() {
    let world = World::new();
    run(async {
        let fleet = fleet(&world, [one_life(&world)]);
        let mut events = fleet.events();
        let arguments = json!({"text": "x"});
        fleet.call(&id("s", "echo"), &arguments).send().await.unwrap_err();
        let status =
            until_so(&fleet, "s", |status| status.state == ServerState::Offline && status.retry_in.is_none());
        status.await;
        let error = fleet.call(&id("s", "echo"), &arguments).send().await.unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, FleetError::ServerOffline { retry_in: None, .. }), "{text}");
        assert!(
            text.contains("exited with code 3") && text.contains("until the user reconnects it"),
            "{text}"
        );
        let gone = |event: &FleetEvent| matches!(event, FleetEvent::ToolsChanged { .. });
        let came = events_until(&mut events, gone).await;
        let went = events_until(&mut events, gone).await;
        assert_eq!((tool_changes(&came, "s"), tool_changes(&went, "s")), (1, 1));
        assert!(fleet.tools().said().next().is_none(), "what has been given up offers nothing");
        fleet.shutdown().await;
    });
    // Once, and five times in vain.
    assert_eq!(world.read("lived").lines().count(), 6);
}

#[test]
fn there_is_one_reconnect_for_all_who_wait() {
    let world = World::new();
    let record = world.file("record");
    run(async {
        let fleet =
            fleet(&world, [fake("s", &["die-on-call", "--record", record.to_str().unwrap()], json!({}))]);
        fleet.call(&id("s", "echo"), &json!({"text": "x"})).send().await.unwrap_err();
        let mut waiting = JoinSet::new();
        for _ in 0..16 {
            let fleet = fleet.clone();
            waiting.spawn(async move { fleet.connected("s", Duration::from_secs(60)).await.map(drop) });
        }
        while let Some(connected) = waiting.join_next().await {
            connected.unwrap().unwrap();
        }
        fleet.shutdown().await;
    });
    let record = world.read("record");
    assert_eq!(record.lines().filter(|line| line.starts_with("start")).count(), 2, "{record}");
}

#[test]
fn a_call_that_succeeds_gives_all_tries_again() {
    let world = World::new();
    run(async {
        // It dies at each second call.
        let fleet = fleet(&world, [fake("s", &["die-on-call", "--after", "1"], json!({}))]);
        for round in 0..8 {
            let result = fleet.call(&id("s", "echo"), &json!({"text": "x"})).send().await;
            assert_eq!(text(&result.unwrap()), "x", "round {round}");
            fleet.call(&id("s", "echo"), &json!({"text": "x"})).send().await.unwrap_err();
        }
        fleet.shutdown().await;
    });
}
