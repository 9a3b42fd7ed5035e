//! From configured to ready.

use std::time::{Duration, Instant};

use codewhale_mcp_manager::{FleetError, FleetEvent, Phase, ServerState, ToolScope};
use serde_json::json;

use super::pod::{events_until, fleet, states, until, until_so};
use crate::world::{World, fake, run};

#[test]
fn start_does_not_block_on_discovery() {
    let world = World::new();
    run(async {
        let fleet =
            fleet(&world, [fake("slow", &["slow-start", "--delay", "60000"], json!({"required": true}))]);
        let began = Instant::now();
        fleet.start_eager(&ToolScope::all());
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
        let status = until_so(&fleet, "slow", |status| status.phase == Some(Phase::Handshake)).await;
        assert_eq!((status.state, status.tools), (ServerState::Connecting, None));
        fleet.shutdown().await;
    });
}

#[test]
fn starting_is_not_reported_as_ready() {
    let world = World::new();
    run(async {
        let fleet = fleet(&world, [fake("s", &["slow-list", "--delay", "300"], json!({}))]);
        let mut events = fleet.events();
        fleet.connect("s");
        let is_up = |event: &FleetEvent| matches!(event, FleetEvent::Changed(status) if status.state == ServerState::Ready);
        let seen = events_until(&mut events, is_up).await;
        assert_eq!(states(&seen, "s"), [ServerState::Connecting, ServerState::Ready]);
        for event in &seen {
            let FleetEvent::Changed(status) = event else { continue };
            assert_eq!(status.tools, (status.state == ServerState::Ready).then_some(16), "{status:?}");
        }
        fleet.shutdown().await;
    });
}

#[test]
fn slow_initialize_stays_starting() {
    let world = World::new();
    let record = world.file("record");
    let args = ["hang", "--record", record.to_str().unwrap()];
    run(async {
        let fleet = fleet(&world, [fake("s", &args, json!({"connect_timeout": 3}))]);
        fleet.connect("s");
        let error = fleet.connected("s", Duration::from_millis(500)).await.unwrap_err();
        let FleetError::ServerNotReady { phase, elapsed, .. } = &error else { panic!("{error}") };
        assert!(*phase == Phase::Handshake && *elapsed >= Duration::from_millis(400), "{error}");
        let status = until(&fleet, "s", &[ServerState::Failed]).await;
        assert_eq!(status.trouble.unwrap().class.as_str(), "timed_out");
        fleet.shutdown().await;
    });
    assert_eq!(world.read("record").lines().filter(|line| line.starts_with("start")).count(), 1);
}

#[test]
fn a_list_of_a_server_that_is_not_ready_is_an_error() {
    let world = World::new();
    run(async {
        let fleet = fleet(&world, [fake("s", &["slow-start", "--delay", "60000"], json!({}))]);
        assert!(matches!(fleet.tools_of("s"), Err(FleetError::ServerNotStarted { .. })));
        assert!(matches!(fleet.tools_of("x"), Err(FleetError::ServerUnknown { .. })));
        fleet.connect("s");
        assert!(matches!(fleet.tools_of("s"), Err(FleetError::ServerNotReady { .. })));
        fleet.shutdown().await;
    });
}
