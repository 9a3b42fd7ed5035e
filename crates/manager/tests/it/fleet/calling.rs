//! Calls and their answers.

use codewhale_mcp_manager::ServerState;
use serde_json::json;

use super::pod::{fleet, id, text};
use crate::world::{World, fake, run};

#[test]
fn sixteen_callers_of_an_idle_server_start_one_process() {
    let world = World::new();
    let record = world.file("record");
    run(async {
        let fleet = fleet(&world, [fake("s", &["plain", "--record", record.to_str().unwrap()], json!({}))]);
        let mut calls = tokio::task::JoinSet::new();
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
