//! Lists that change, fail, are long or empty.

use std::time::Duration;

use codewhale_mcp_manager::{FleetError, FleetEvent, ServerState};
use serde_json::json;

use super::pod::{events_until, fleet, fleet_by, id, quick, tool_changes, until, until_so};
use crate::world::{World, fake, run};

/// How often a server was started and asked for its tools.
fn starts_and_lists(record: &str) -> (usize, usize) {
    let starts = record.lines().filter(|line| line.starts_with("start")).count();
    (starts, record.matches("\"tools/list\"").count())
}

#[test]
fn list_changed_refreshes_the_tools() {
    for era in ["legacy", "modern"] {
        for more in [&[][..], &["--undeclared"]] {
            if era == "modern" && !more.is_empty() {
                // A modern server tells only those who asked for what it declares.
                continue;
            }
            let world = World::new();
            let args = [&["list-changed", "--when", "call", "--era", era], more].concat();
            run(async {
                let fleet = fleet(&world, [fake("s", &args, json!({}))]);
                fleet.connect("s");
                until_so(&fleet, "s", |status| status.tools == Some(16)).await;
                let mut events = fleet.events();
                while fleet.status("s").unwrap().tools == Some(16) {
                    // A modern server may be asked before it listens: then the next call tells.
                    fleet.call(&id("s", "echo"), &json!({"text": "x"})).send().await.unwrap();
                    let changed =
                        events_until(&mut events, |event| matches!(event, FleetEvent::ToolsChanged { .. }));
                    let _ = tokio::time::timeout(Duration::from_secs(5), changed).await;
                }
                assert_eq!(fleet.tools_of("s").unwrap().len(), 17, "{era} {more:?}");
                assert_eq!(fleet.tools().said().count(), 17);
                fleet.shutdown().await;
            });
        }
    }
}

#[test]
fn a_change_before_ready_is_heard_afterwards() {
    let world = World::new();
    let record = world.file("record");
    run(async {
        // It tells of the change while it is greeted, and its list is empty at first.
        let args = ["list-changed", "--when", "list", "--empty-first", "--record", record.to_str().unwrap()];
        let fleet = fleet(&world, [fake("s", &args, json!({}))]);
        fleet.connect("s");
        until_so(&fleet, "s", |status| status.tools == Some(1)).await;
        until(&fleet, "s", &[ServerState::Ready]).await;
        fleet.shutdown().await;
    });
    assert_eq!(starts_and_lists(&world.read("record")), (1, 2), "asked again, not restarted");
}

#[test]
fn a_burst_of_changes_is_two_lists_and_the_same_list_is_no_event() {
    let world = World::new();
    let record = world.file("record");
    run(async {
        let args = [
            "list-changed",
            "--when",
            "call",
            "--burst",
            "200",
            "--same",
            "--record",
            record.to_str().unwrap(),
        ];
        let fleet = fleet(&world, [fake("s", &args, json!({}))]);
        fleet.connect("s");
        until(&fleet, "s", &[ServerState::Ready]).await;
        let mut events = fleet.events();
        fleet.call(&id("s", "echo"), &json!({"text": "x"})).send().await.unwrap();
        while starts_and_lists(&world.read("record")).1 < 2 {
            tokio::task::yield_now().await;
        }
        // Long enough for any number of further ones: each call comes behind what was asked before.
        for _ in 0..50 {
            fleet.call(&id("s", "echo"), &json!({"text": "x"})).send().await.unwrap();
        }
        fleet.shutdown().await;
        let mut seen = Vec::new();
        while let Some(event) = events.next().await {
            seen.push(event);
        }
        assert_eq!(tool_changes(&seen, "s"), 0);
    });
    let (starts, lists) = starts_and_lists(&world.read("record"));
    assert!(starts == 1 && (2..=3).contains(&lists), "{starts} starts, {lists} lists");
}

#[test]
fn a_live_server_with_a_failed_list_is_degraded_and_not_restarted() {
    let world = World::new();
    let record = world.file("record");
    run(async {
        let args = ["page-error", "--record", record.to_str().unwrap()];
        let fleet = fleet(&world, [fake("s", &args, json!({}))]);
        fleet.connect("s");
        let status = until(&fleet, "s", &[ServerState::Degraded]).await;
        assert_eq!((status.tools, status.trouble.unwrap().class.as_str()), (None, "list_failed"));
        let error = fleet.tools_of("s").unwrap_err();
        assert!(matches!(error, FleetError::ListUnusable { .. }), "{error}");
        // It can be used all the same.
        fleet.call(&id("s", "echo"), &json!({"text": "x"})).send().await.unwrap();
        assert_eq!(fleet.status("s").unwrap().state, ServerState::Degraded);
        fleet.shutdown().await;
    });
    assert_eq!(starts_and_lists(&world.read("record")).0, 1);
}

#[test]
fn degraded_keeps_the_last_good_list() {
    let world = World::new();
    run(async {
        let args = ["list-once+list-changed", "--when", "call"];
        let fleet = fleet(&world, [fake("s", &args, json!({}))]);
        let mut events = fleet.events();
        fleet.call(&id("s", "echo"), &json!({"text": "x"})).send().await.unwrap();
        let status = until(&fleet, "s", &[ServerState::Degraded]).await;
        assert_eq!((status.tools, status.trouble.unwrap().class.as_str()), (Some(16), "list_failed"));
        assert_eq!(fleet.tools_of("s").unwrap().len(), 16);
        fleet.shutdown().await;
        let mut seen = Vec::new();
        while let Some(event) = events.next().await {
            seen.push(event);
        }
        assert_eq!(tool_changes(&seen, "s"), 1, "when it came up");
    });
}

#[test]
fn degraded_on_an_empty_list() {
    let world = World::new();
    run(async {
        let fleet = fleet(&world, [fake("s", &["empty-list"], json!({}))]);
        fleet.connect("s");
        let status = until(&fleet, "s", &[ServerState::Degraded]).await;
        assert_eq!(status.trouble.unwrap().class.as_str(), "list_empty");
        assert!(fleet.tools_of("s").is_err(), "nobody is told that it has no tools");
        fleet.shutdown().await;
    });
}

#[test]
fn paging_follows_to_the_end_and_the_cap_is_an_error() {
    let world = World::with(|setup| setup.options.list.pages = 10);
    run(async {
        let servers = [
            fake("paged", &["paged"], json!({})),
            fake("endless", &["endless-cursor"], json!({})),
            fake("many", &["paged", "--items", "150", "--pages", "50"], json!({})),
        ];
        let fleet = fleet_by(&world, quick(), servers);
        fleet.start_rest();
        until_so(&fleet, "paged", |status| status.tools == Some(150)).await;
        for name in ["endless", "many"] {
            let status = until(&fleet, name, &[ServerState::Degraded]).await;
            assert_eq!((status.tools, status.trouble.unwrap().class.as_str()), (None, "list_endless"));
        }
        fleet.shutdown().await;
    });
}

#[test]
fn annotations_keep_three_values() {
    let world = World::new();
    run(async {
        let fleet = fleet(&world, [fake("s", &["hints"], json!({}))]);
        fleet.connect("s");
        until(&fleet, "s", &[ServerState::Ready]).await;
        let tools = fleet.tools_of("s").unwrap();
        let hint = |name: &str| {
            let tool = tools.iter().find(|tool| tool.name == name).unwrap();
            tool.annotations.as_ref().and_then(|annotations| annotations.read_only_hint)
        };
        let hints = ["reads", "writes", "silent"].map(hint);
        assert_eq!(hints, [Some(true), Some(false), None]);
        fleet.shutdown().await;
    });
}
