//! Other definitions take the place of those there are.

use std::time::Duration;

use codewhale_mcp_config::Server;
use codewhale_mcp_manager::{
    Failure, Fleet, FleetError, FleetEvent, ReloadError, ServerState, Standing, Target,
};
use serde_json::json;
use tokio::task::JoinSet;

use super::pod::{events_until, fleet, id, text, until};
use crate::world::{World, fake, run};

fn targets(servers: impl IntoIterator<Item = Server>) -> Vec<Target> {
    servers.into_iter().map(Target::from).collect()
}

/// Calls that take their time, on every one of these servers.
fn slow_calls(fleet: &Fleet, server: &'static str, count: usize) -> JoinSet<Result<String, FleetError>> {
    let mut calls = JoinSet::new();
    for _ in 0..count {
        let fleet = fleet.clone();
        calls.spawn(async move {
            let result = fleet.call(&id(server, "slow"), &json!({"ms": 500})).send().await?;
            Ok(text(&result).to_owned())
        });
    }
    calls
}

#[test]
fn unchanged_servers_lose_no_call_of_two_hundred() {
    let world = World::new();
    let record = world.file("record");
    let stays = || fake("stays", &["plain", "--record", record.to_str().unwrap()], json!({}));
    run(async {
        let fleet = fleet(
            &world,
            [stays(), fake("changes", &["plain"], json!({})), fake("goes", &["plain"], json!({}))],
        );
        for name in ["stays", "changes", "goes"] {
            fleet.connected(name, Duration::from_secs(60)).await.unwrap();
        }
        let mut events = fleet.events();
        let (mut kept, mut lost) = (slow_calls(&fleet, "stays", 200), slow_calls(&fleet, "goes", 8));
        while world.read("record").matches("tools/call").count() < 200 {
            tokio::task::yield_now().await;
        }
        let reloaded = fleet.reload(targets([
            fake("new", &["plain"], json!({})),
            stays(),
            fake("changes", &["plain"], json!({"env": {"A": "b"}})),
        ]));
        let reloaded = reloaded.unwrap();
        assert_eq!((reloaded.added, reloaded.kept), (vec!["new".into()], vec!["stays".into()]));
        assert_eq!((reloaded.changed, reloaded.removed), (vec!["changes".into()], vec!["goes".into()]));
        while let Some(result) = kept.join_next().await {
            result.unwrap().unwrap();
        }
        while let Some(result) = lost.join_next().await {
            let error = result.unwrap().unwrap_err();
            assert!(matches!(error, FleetError::ServerStopped { .. }), "{error}");
        }
        until(&fleet, "changes", &[ServerState::Ready]).await;
        let order: Vec<_> = fleet.statuses().into_iter().map(|status| (status.name, status.state)).collect();
        let ready = |name: &str| (name.to_owned(), ServerState::Ready);
        assert_eq!(order, [("new".to_owned(), ServerState::Configured), ready("stays"), ready("changes")]);
        let removed =
            |event: &FleetEvent| matches!(event, FleetEvent::Removed { server } if server == "goes");
        events_until(&mut events, removed).await;
        fleet.shutdown().await;
    });
    let record = world.read("record");
    assert_eq!(record.lines().filter(|line| line.starts_with("start")).count(), 1);
}

#[test]
fn rules_change_under_a_server_that_goes_on_running() {
    let world = World::new();
    let record = world.file("record");
    let with = |more| fake("s", &["plain", "--record", record.to_str().unwrap()], more);
    run(async {
        let fleet = fleet(&world, [with(json!({}))]);
        fleet.connected("s", Duration::from_secs(60)).await.unwrap();
        let reloaded = fleet.reload(targets([with(json!({"required": true, "alwaysLoad": true}))])).unwrap();
        assert_eq!(reloaded.kept, ["s"]);
        let status = fleet.status("s").unwrap();
        assert_eq!((status.state, status.required, status.eager), (ServerState::Ready, true, true));
        // Off, and on again.
        fleet.reload(targets([with(json!({"disabled": true}))])).unwrap();
        assert_eq!(fleet.status("s").unwrap().state, ServerState::Disabled);
        fleet.reload(targets([with(json!({}))])).unwrap();
        assert_eq!(fleet.status("s").unwrap().state, ServerState::Configured);
        fleet.connected("s", Duration::from_secs(60)).await.unwrap();
        fleet.shutdown().await;
    });
    let record = world.read("record");
    assert_eq!(record.lines().filter(|line| line.starts_with("start")).count(), 2);
}

#[test]
fn a_reload_that_fails_leaves_the_old_set() {
    let world = World::new();
    run(async {
        let fleet = fleet(&world, [fake("s", &["plain"], json!({}))]);
        fleet.connected("s", Duration::from_secs(60)).await.unwrap();
        let twice = [fake("x", &["plain"], json!({})), fake("x", &["hang"], json!({}))];
        let error = fleet.reload(targets(twice)).unwrap_err();
        assert_eq!(error, ReloadError::ServerTwice { server: "x".into() });
        let statuses = fleet.statuses();
        assert_eq!((statuses.len(), statuses[0].state), (1, ServerState::Ready));
        fleet.shutdown().await;
    });
}

#[test]
fn a_definition_that_cannot_be_used_stands_by_its_reason_until_another_comes() {
    let world = World::new();
    run(async {
        let untrusted = || vec![Target::failed("s", Failure::untrusted(Standing::New))];
        let fleet = Fleet::new(world.manager.clone(), untrusted(), super::pod::quick()).unwrap();
        let blocked = |fleet: &Fleet| {
            let status = fleet.status("s").unwrap();
            (status.state, status.trouble.map(|trouble| trouble.class.as_str()))
        };
        assert_eq!(blocked(&fleet), (ServerState::Blocked, Some("untrusted")));
        fleet.connect("s");
        let error = fleet.connected("s", Duration::from_secs(60)).await.unwrap_err();
        assert!(matches!(error, FleetError::ServerBlocked { .. }), "{error}");
        assert_eq!(fleet.reload(untrusted()).unwrap().kept, ["s"]);
        assert_eq!(blocked(&fleet), (ServerState::Blocked, Some("untrusted")));

        fleet.reload(targets([fake("s", &["plain"], json!({}))])).unwrap();
        assert_eq!(blocked(&fleet), (ServerState::Configured, None));
        fleet.connected("s", Duration::from_secs(60)).await.unwrap();
        // The consent was taken back.
        fleet.reload(untrusted()).unwrap();
        assert_eq!(blocked(&fleet), (ServerState::Blocked, Some("untrusted")));
        assert!(fleet.tools().all().next().is_none());
        fleet.shutdown().await;
    });
}

#[test]
fn one_entry_is_reconnected_by_name() {
    let world = World::new();
    run(async {
        let fleet = fleet(&world, [fake("s", &["die-on-start"], json!({}))]);
        fleet.connect("s");
        until(&fleet, "s", &[ServerState::Failed]).await;
        assert!(fleet.reconnect(Target::from(fake("s", &["plain"], json!({})))));
        until(&fleet, "s", &[ServerState::Ready]).await;
        assert!(!fleet.reconnect(Target::from(fake("nobody", &["plain"], json!({})))));
        fleet.shutdown().await;
    });
}
