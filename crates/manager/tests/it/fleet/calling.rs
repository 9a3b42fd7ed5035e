//! Calls and their answers.

use std::time::{Duration, SystemTime};

use codewhale_mcp_client::CallError;
use codewhale_mcp_manager::{FleetError, Matching, Offer, Query, ServerState, ToolScope};
use serde_json::json;
use tokio::task::JoinSet;

use super::pod::{fleet, id, text, until};
use crate::world::{World, fake, run, server};

#[test]
fn sixteen_callers_of_an_idle_server_start_one_process() {
    let world = World::new();
    let record = world.file("record");
    run(async {
        let fleet = fleet(&world, [fake("s", &["plain", "--record", record.to_str().unwrap()], json!({}))]);
        let mut calls = JoinSet::new();
        for number in 0..16 {
            let fleet = fleet.clone();
            calls.spawn(async move {
                let arguments = json!({"text": format!("{number}")});
                let result = fleet.call(&id("s", "echo"), &arguments).send().await.unwrap();
                assert_eq!(text(&result), format!("{number}"));
            });
        }
        while let Some(done) = calls.join_next().await {
            done.unwrap();
        }
        let status = fleet.status("s").unwrap();
        assert_eq!((status.state, status.tools), (ServerState::Ready, Some(16)));
        fleet.shutdown().await;
    });
    let record = world.read("record");
    assert_eq!(record.lines().filter(|line| line.starts_with("start")).count(), 1, "{record}");
}

#[test]
fn call_routes_to_the_right_server_and_concurrent_calls_stay_framed() {
    let world = World::new();
    run(async {
        let names = ["a", "b", "c", "d"];
        let servers = names.map(|name| fake(name, &["reverse"], json!({"env": {"WHO": name}})));
        let fleet = fleet(&world, servers);
        let mut calls = JoinSet::new();
        for round in 0..25 {
            for name in names {
                let fleet = fleet.clone();
                calls.spawn(async move {
                    let who = json!({"name": "WHO"});
                    let result = fleet.call(&id(name, "env"), &who).send().await.unwrap();
                    assert_eq!(text(&result), name);
                    let long = "x".repeat(1 + 997 * round);
                    let said = fleet.call(&id(name, "echo"), &json!({"text": long})).send().await.unwrap();
                    assert_eq!(text(&said), long);
                });
            }
        }
        while let Some(done) = calls.join_next().await {
            done.unwrap();
        }
        // By the names that models know them by, too.
        let tools = fleet.tools();
        for name in names {
            let tool = tools.tool(&format!("mcp_{name}_env")).unwrap();
            let result = fleet.call(&tool.id, &json!({"name": "WHO"})).send().await.unwrap();
            assert_eq!(text(&result), name);
        }
        fleet.shutdown().await;
    });
}

#[test]
fn disabled_stays_out_of_faces() {
    let world = World::new();
    run(async {
        let servers = [fake("on", &["plain"], json!({})), fake("off", &["plain"], json!({"disabled": true}))];
        let fleet = fleet(&world, servers);
        fleet.start_rest();
        fleet.connect("off");
        until(&fleet, "on", &[ServerState::Ready]).await;
        let status = fleet.status("off").unwrap();
        assert_eq!((status.state, status.tools), (ServerState::Disabled, None));
        assert!(fleet.tools().all().all(|tool| tool.id.server == "on"));
        let error = fleet.call(&id("off", "echo"), &json!({"text": "x"})).send().await.unwrap_err();
        assert!(matches!(error, FleetError::ServerDisabled { .. }), "{error}");
        fleet.shutdown().await;
    });
}

#[test]
fn what_a_server_does_not_offer_is_not_called() {
    let world = World::new();
    let record = world.file("record");
    run(async {
        let args = ["plain", "--record", record.to_str().unwrap()];
        let fleet = fleet(&world, [fake("s", &args, json!({"disabled_tools": ["add"]}))]);
        let rows = [
            ("ehco", "server `s` has no tool `ehco`; did you mean echo"),
            ("zzz", "server `s` has no tool `zzz`"),
            ("add", "the tool `add` of server `s` is switched off in its configuration"),
        ];
        for (tool, message) in rows {
            let error = fleet.call(&id("s", tool), &json!({})).send().await.unwrap_err();
            assert_eq!(error.to_string(), message);
        }
        let error = fleet.call(&id("nobody", "echo"), &json!({})).send().await.unwrap_err();
        assert_eq!(error.to_string(), "there is no server `nobody`");
        fleet.shutdown().await;
    });
    assert!(!world.read("record").contains("tools/call"), "{}", world.read("record"));
}

#[test]
fn a_call_to_a_remembered_tool_starts_the_server_and_checks_the_schema_again() {
    let world = World::new();
    let mode = world.file("mode");
    let script = format!("exec {} $(cat {})", codewhale_testkit::fake().display(), mode.display());
    let server = || server("s", &json!({"command": "sh", "args": ["-c", script]}));
    run(async {
        std::fs::write(&mode, "plain").unwrap();
        let first = fleet(&world, [server()]);
        first.recall().await;
        assert!(first.tools().all().next().is_none(), "nothing is known yet");
        first.connect("s");
        until(&first, "s", &[ServerState::Ready]).await;
        first.shutdown().await;

        let again = World { manager: world.again(), ..World::new() };
        let second = fleet(&again, [server()]);
        second.recall().await;
        let tools = second.tools();
        assert_eq!((tools.all().count(), tools.said().count()), (16, 0), "a hint, and no more");
        let tool = tools.tool("mcp_s_echo").unwrap();
        assert_eq!(second.status("s").unwrap().state, ServerState::Configured, "which starts nothing");
        let error = second.call(&tool.id, &json!({"text": 1})).send().await.unwrap_err();
        assert!(matches!(error, FleetError::ArgumentsInvalid { .. }), "{error}");
        second.call(&tool.id, &json!({"text": "x"})).send().await.unwrap();
        second.shutdown().await;

        // In the meantime the server has become another one.
        std::fs::write(&mode, "odd-names").unwrap();
        let later = World { manager: world.again(), ..World::new() };
        let third = fleet(&later, [server()]);
        third.recall().await;
        let error = third.call(&tool.id, &json!({"text": "x"})).send().await.unwrap_err();
        assert!(matches!(error, FleetError::ToolUnknown { .. }), "{error}");
        assert!(third.tools().tool("mcp_s_echo").is_none());
        third.shutdown().await;
    });
}

#[test]
fn a_call_that_times_out_leaves_the_server_up() {
    let world = World::new();
    run(async {
        let fleet = fleet(&world, [fake("s", &["hang-call"], json!({}))]);
        fleet.connected("s", Duration::from_secs(60)).await.unwrap();
        let (tool, arguments) = (id("s", "echo"), json!({"text": "x"}));
        let call = fleet.call(&tool, &arguments).timeout(Duration::from_millis(200));
        let error = call.send().await.unwrap_err();
        let FleetError::Request { source: CallError::ServerTimedOut { .. }, .. } = &error else {
            panic!("{error}")
        };
        assert_eq!(fleet.status("s").unwrap().state, ServerState::Ready);
        fleet.shutdown().await;
    });
}

#[test]
fn what_is_remembered_is_found_with_its_age_and_only_of_servers_that_may_come() {
    const THEN: u64 = 1_800_000_000;
    let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    let world = World::at(|| SystemTime::UNIX_EPOCH + Duration::from_secs(THEN));
    let servers = || ["a", "b", "c"].map(|name| fake(name, &["plain"], json!({"env": {"WHO": name}})));
    run(async {
        let first = fleet(&world, servers());
        let all = ["a", "b", "c"].map(str::to_owned);
        first.wait(Some(&all), Duration::from_secs(60)).await;
        first.shutdown().await;

        let manager = world.again_at(|| SystemTime::UNIX_EPOCH + Duration::from_secs(THEN + 3_600));
        let second = fleet(&World { manager, ..World::new() }, servers());
        second.disable("b");
        let query = Query::new("says the text", Matching::Words).unwrap();
        let scope = ToolScope::all().without(["mcp__c"]);
        let found = second.search(&query, &scope).await;
        let echo = &found.tools[0];
        assert_eq!((&*echo.tool.name, echo.age), ("mcp_a_echo", Some(Duration::from_secs(3_600))));
        assert_eq!(echo.tool.offer, Offer::Remembered { listed: at(THEN) });
        assert!(found.tools.iter().all(|found| found.tool.id.server == "a"), "{:?}", found.tools);
        assert!(second.statuses().iter().all(|status| !status.state.is_alive()), "nothing was started");

        second.wait(Some(&["a".to_owned()]), Duration::from_secs(60)).await;
        let found = second.search(&query, &scope).await;
        assert_eq!(found.tools[0].age, None, "it has said so itself");
        second.shutdown().await;
    });
}
