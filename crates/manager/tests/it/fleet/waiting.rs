//! Waiting for servers, and hearing of them.

use std::time::Duration;

use codewhale_mcp_manager::{
    FleetError, FleetEvent, FleetRules, Phase, ServerState, ServerStatus, Target, ToolScope,
};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::hall::{Hall, Manner, sdk};
use super::pod::{id, until, until_so};

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test(start_paused = true)]
async fn a_call_to_a_connecting_server_waits_within_its_deadline() {
    let hall = Hall::new([("hung", Manner::Hung), ("slow", Manner::After(3 * SECOND))]);
    let (_world, fleet) = hall.fleet(FleetRules::default());
    let began = Instant::now();
    let (slow, nothing) = (id("slow", "look"), json!({}));
    fleet.call(&slow, &nothing).timeout(4 * SECOND).send().await.unwrap();
    assert_eq!(began.elapsed().as_secs(), 3);

    let hung = id("hung", "look");
    let error = fleet.call(&hung, &nothing).timeout(2 * SECOND).send().await.unwrap_err();
    let FleetError::ServerNotReady { server, phase, elapsed } = &error else { panic!("{error}") };
    assert_eq!((&**server, *phase, elapsed.as_secs()), ("hung", Phase::Handshake, 2));
    assert!(error.to_string().contains("wait_for_mcp_servers"), "{error}");
    // It is another thing to be gone.
    let error = fleet.call(&hung, &nothing).send().await.unwrap_err();
    assert!(matches!(error, FleetError::ServerFailed { .. }), "{error}");
    assert_eq!(began.elapsed().as_secs(), 3 + 30, "until its connect_timeout");
    fleet.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn deferred_servers_connect_in_the_background_eight_at_a_time() {
    let names: Vec<String> = (0..30).map(|number| format!("s{number:02}")).collect();
    let hall = Hall::new(names.iter().map(|name| (name.as_str(), Manner::After(SECOND))));
    let (_world, fleet) = hall.fleet(FleetRules::default());
    let began = Instant::now();
    fleet.start_rest();
    assert_eq!(began.elapsed(), Duration::ZERO);
    let mut events = fleet.events();
    let all_up = || fleet.statuses().iter().all(|status| status.state == ServerState::Ready);
    while !all_up() {
        events.next().await.unwrap();
    }
    assert_eq!((hall.most(), began.elapsed().as_secs()), (8, 4));
    fleet.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn waiting_for_servers_ends_when_all_have_settled_or_the_time_is_over() {
    let hall = Hall::new([
        ("a", Manner::After(SECOND)),
        ("b", Manner::After(2 * SECOND)),
        ("hung", Manner::Hung),
        ("idle", Manner::After(SECOND)),
    ]);
    let (_world, fleet) = hall.fleet(FleetRules::default());
    let began = Instant::now();
    let states = |found: Vec<ServerStatus>| -> Vec<(String, ServerState)> {
        found.into_iter().map(|status| (status.name, status.state)).collect()
    };
    let found = fleet.wait(Some(&["a".into(), "b".into(), "nobody".into()]), 60 * SECOND).await;
    assert_eq!(states(found), [("a".into(), ServerState::Ready), ("b".into(), ServerState::Ready)]);
    assert_eq!(began.elapsed().as_secs(), 2);
    let found = fleet.wait(Some(&["hung".into()]), 5 * SECOND).await;
    assert_eq!(states(found), [("hung".into(), ServerState::Connecting)]);
    assert_eq!(began.elapsed().as_secs(), 7);
    assert!(!hall.opened().contains_key("idle"));
    fleet.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_listener_that_is_slow_holds_nobody_up_and_is_told_how_it_stands() {
    let hall = Hall::new([("a", Manner::After(SECOND)), ("b", Manner::After(SECOND))]);
    let (_world, fleet) = hall.fleet(FleetRules { events_kept: 4, ..FleetRules::default() });
    let mut early = fleet.events();
    let Some(FleetEvent::Snapshot(all)) = early.next().await else { panic!("a snapshot comes first") };
    assert!(all.iter().all(|status| status.state == ServerState::Configured));
    fleet.start_rest();
    fleet.wait(Some(&["a".into(), "b".into()]), 60 * SECOND).await;
    let (mut late, mut last) = (fleet.events(), None);
    for listener in [&mut early, &mut late] {
        let Some(FleetEvent::Snapshot(all)) = listener.next().await else { panic!("a snapshot") };
        assert!(all.iter().all(|status| status.state == ServerState::Ready), "{all:?}");
        last = listener.ready();
    }
    assert!(last.is_none());
    fleet.shutdown().await;
    assert!(late.next().await.is_none(), "nothing happens any more");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_was_disabled_while_it_connected_stays_so() {
    let hall = Hall::new([("s", Manner::After(3 * SECOND))]);
    let (_world, fleet) = hall.fleet(FleetRules::default());
    let (tool, nothing) = (id("s", "look"), json!({}));
    let call = fleet.call(&tool, &nothing).send();
    let disable = async {
        tokio::time::sleep(SECOND).await;
        fleet.disable("s");
    };
    let (error, ()) = tokio::join!(call, disable);
    let error = error.unwrap_err();
    assert!(matches!(error, FleetError::ServerDisabled { .. }), "{error}");
    tokio::time::sleep(10 * SECOND).await;
    assert_eq!(fleet.status("s").unwrap().state, ServerState::Disabled);
    fleet.enable("s");
    fleet.call(&tool, &nothing).send().await.unwrap();
    assert_eq!(hall.opened()["s"], 2);
    fleet.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_name_is_resolved_by_starting_the_servers_that_may_have_it() {
    let after = Manner::After(SECOND);
    let hall = Hall::new([("a", after), ("a_b", after), ("hung", Manner::Hung), ("other", after)]);
    let (_world, fleet) = hall.fleet(FleetRules::default());
    let resolve = async |name: &str, scope: &ToolScope| fleet.resolve(name, scope, 5 * SECOND).await;
    let all = ToolScope::all();
    let tool = resolve("mcp_a_b_look", &all).await.unwrap();
    assert_eq!(tool.id, id("a_b", "look"));
    assert_eq!(hall.opened().into_keys().collect::<Vec<_>>(), ["a", "a_b"]);
    let error = resolve("mcp_a_lok", &all).await.unwrap_err().to_string();
    assert!(error.contains("there is no tool `mcp_a_lok`; did you mean mcp_a_look"), "{error}");
    let denied = ToolScope::all().without(["mcp__other"]);
    let error = resolve("mcp_other_look", &denied).await.unwrap_err();
    assert!(
        matches!(error, FleetError::NameUnknown { .. }) && !hall.opened().contains_key("other"),
        "{error}"
    );
    let error = resolve("mcp_hung_look", &all).await.unwrap_err();
    assert!(matches!(error, FleetError::ServerNotReady { .. }), "{error}");
    fleet.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn an_hour_of_flapping_starts_a_server_six_times_and_a_call_between_lets_it_go_on() {
    let hall = Hall::new([("s", Manner::Leaves(SECOND))]);
    let (_world, fleet) = hall.fleet(FleetRules::default());
    let began = Instant::now();
    fleet.connect("s");
    let given_up = |status: &ServerStatus| status.state == ServerState::Offline && status.retry_in.is_none();
    until_so(&fleet, "s", given_up).await;
    let took = began.elapsed().as_secs();
    // It is up for six seconds in all, and rests for 1 + 2 + 4 + 8 + 16, a fifth more or less.
    assert!(hall.opened()["s"] == 6 && (30..=44).contains(&took), "{:?} in {took} s", hall.opened());
    tokio::time::sleep(3_600 * SECOND).await;
    assert_eq!(hall.opened()["s"], 6);

    // With a call that succeeds each time it never gives up, and still rests.
    fleet.connect("s");
    let (tool, nothing, began) = (id("s", "look"), json!({}), Instant::now());
    while began.elapsed() < 600 * SECOND {
        fleet.call(&tool, &nothing).send().await.unwrap();
        until(&fleet, "s", &[ServerState::Offline]).await;
    }
    let starts = hall.opened()["s"] - 6;
    assert!((250..=334).contains(&starts), "one in two seconds: {starts}");
    fleet.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_a_server_waits_for_the_one_that_takes_its_place() {
    let hall = Hall::new([("s", Manner::After(3 * SECOND))]);
    let (_world, fleet) = hall.fleet(FleetRules::default());
    let (mut calls, began) = (JoinSet::new(), Instant::now());
    for _ in 0..10 {
        let fleet = fleet.clone();
        calls.spawn(async move { fleet.call(&id("s", "look"), &json!({})).send().await.map(drop) });
    }
    tokio::time::sleep(SECOND).await;
    fleet.reconnect(Target::from(sdk("s", &json!({"connect_timeout": 60}))));
    while let Some(call) = calls.join_next().await {
        call.unwrap().unwrap();
    }
    assert_eq!((began.elapsed().as_secs(), hall.opened()["s"]), (4, 2));
    fleet.shutdown().await;
}
