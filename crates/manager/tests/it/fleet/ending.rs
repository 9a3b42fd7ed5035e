//! The end of servers and of everything.

use std::time::{Duration, Instant};

use codewhale_mcp_manager::{Fleet, FleetError, FleetRules, ServerState, Target};
use serde_json::json;
use tokio::task::JoinSet;

use super::pod::{fleet, id, until};
use crate::world::{World, fake, run};

fn is_there(pid: &str) -> bool {
    std::path::Path::new("/proc").join(pid).exists()
}

fn pids(record: &str) -> Vec<&str> {
    record.lines().filter_map(|line| line.strip_prefix("start ")).collect()
}

#[test]
fn shutdown_cancels_what_is_in_flight_and_leaves_nothing() {
    let world = World::new();
    let record = world.file("record");
    run(async {
        let args = ["hang-call+stay", "--record", record.to_str().unwrap()];
        let fleet = fleet(&world, [fake("s", &args, json!({})), fake("t", &["hang"], json!({}))]);
        fleet.connect("t");
        fleet.connected("s", Duration::from_secs(60)).await.unwrap();
        let mut calls = JoinSet::new();
        for _ in 0..5 {
            let fleet = fleet.clone();
            calls.spawn(async move { fleet.call(&id("s", "echo"), &json!({"text": "x"})).send().await });
        }
        while world.read("record").matches("tools/call").count() < 5 {
            tokio::task::yield_now().await;
        }
        fleet.shutdown().await;
        while let Some(result) = calls.join_next().await {
            let error = result.unwrap().unwrap_err();
            assert!(matches!(error, FleetError::ServerStopped { .. }), "{error}");
        }
        let error = fleet.connected("s", Duration::from_secs(1)).await.unwrap_err();
        assert!(matches!(error, FleetError::ServerStopped { .. }), "{error}");
    });
    let record = world.read("record");
    assert_eq!(record.matches("notifications/cancelled").count(), 5, "{record}");
    assert!(!pids(&record).into_iter().any(is_there));
}

#[test]
fn alive_is_race_free_while_shutdown_reaps() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    runtime.block_on(async {
        for _ in 0..5 {
            let world = World::new();
            let names = ["a", "b", "c", "d"];
            let fleet = fleet(&world, names.map(|name| fake(name, &["die-on-call"], json!({}))));
            for name in names {
                fleet.connected(name, Duration::from_secs(60)).await.unwrap();
            }
            let mut lookers = JoinSet::new();
            for name in names {
                let fleet = fleet.clone();
                lookers.spawn(async move {
                    let until = Instant::now() + Duration::from_millis(300);
                    while Instant::now() < until {
                        let status = fleet.status(name).unwrap();
                        assert_eq!(status.tools.is_some(), status.state.is_alive(), "{status:?}");
                        let _ = fleet.call(&id(name, "echo"), &json!({"text": "x"})).send().await;
                        tokio::task::yield_now().await;
                    }
                });
            }
            tokio::task::yield_now().await;
            fleet.shutdown().await;
            assert!(fleet.statuses().iter().all(|status| !status.state.is_alive()), "{:?}", fleet.statuses());
            while let Some(looked) = lookers.join_next().await {
                looked.unwrap();
            }
        }
    });
}

#[test]
fn what_is_dropped_without_a_word_is_closed_in_the_background() {
    let world = World::new();
    let record = world.file("record");
    run(async {
        let fleet = fleet(&world, [fake("s", &["plain", "--record", record.to_str().unwrap()], json!({}))]);
        fleet.connected("s", Duration::from_secs(60)).await.unwrap();
        drop(fleet);
        while pids(&world.read("record")).into_iter().any(is_there) {
            tokio::task::yield_now().await;
        }
        world.manager.shutdown().await;
    });
}

/// Whether this process runs one test alone. Otherwise another one does so for this test, because what a process holds
/// is also the doing of the tests that run beside it.
#[cfg(target_os = "linux")]
#[expect(clippy::disallowed_methods, reason = "the tests themselves are started again")]
fn is_alone(test: &str) -> bool {
    const ALONE: &str = "CODEWHALE_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let mut alone = std::process::Command::new(std::env::current_exe().expect("this program"));
    let output = alone.args(["--exact", test]).env(ALONE, "1").output().expect("it runs");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("1 passed"), "{told}");
    false
}

/// What a run holds: tasks, open files, resident pages.
#[cfg(target_os = "linux")]
fn held() -> (usize, usize, usize) {
    let tasks = tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let files = std::fs::read_dir("/proc/self/fd").unwrap().count();
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    (tasks, files, statm.split(' ').nth(1).unwrap().parse().unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn five_hundred_rounds_of_starting_and_killing_leave_nothing_behind() {
    if !is_alone("fleet::ending::five_hundred_rounds_of_starting_and_killing_leave_nothing_behind") {
        return;
    }
    let world = World::new();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let server = fake("s", &["die-on-call"], json!({}));
        let rules = FleetRules { supervisor: super::pod::quick().supervisor, ..FleetRules::default() };
        let fleet = Fleet::new(world.manager.clone(), vec![Target::from(server)], rules).unwrap();
        let mut first = None;
        for round in 0..500 {
            // Once it leaves by itself, once it is stopped, once while it starts.
            fleet.connect("s");
            match round % 3 {
                0 => {
                    fleet.call(&id("s", "echo"), &json!({"text": "x"})).send().await.unwrap_err();
                }
                1 => {
                    until(&fleet, "s", &[ServerState::Ready]).await;
                }
                _ => tokio::task::yield_now().await,
            }
            fleet.disable("s");
            fleet.enable("s");
            if round == 50 {
                first = Some(settled(&fleet).await);
            }
        }
        let (tasks, files, pages) = settled(&fleet).await;
        let first = first.unwrap();
        assert!(tasks <= first.0 + 1 && files <= first.1 + 1, "{first:?}, then {tasks} {files}");
        assert!(pages <= first.2 + 1_024, "{} pages, then {pages}", first.2);
        fleet.shutdown().await;
        assert_eq!(tokio::runtime::Handle::current().metrics().num_alive_tasks(), 0);
    });
}

/// What is held once the latest start has come to its end.
#[cfg(target_os = "linux")]
async fn settled(fleet: &Fleet) -> (usize, usize, usize) {
    fleet.connect("s");
    until(fleet, "s", &[ServerState::Ready]).await;
    held()
}
