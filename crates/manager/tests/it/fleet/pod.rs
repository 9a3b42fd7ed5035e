//! A fleet for one test, with waiting for events.

use std::time::Duration;

use codewhale_mcp_config::Server;
use codewhale_mcp_manager::supervisor::Rules;
use codewhale_mcp_manager::{
    Fleet, FleetEvent, FleetEvents, FleetRules, ServerState, ServerStatus, Target, ToolId,
};
use codewhale_mcp_protocol::CallToolResult;

use crate::world::World;

/// Rules whose pauses are short, so that tests of real processes need not wait for long.
pub(crate) fn quick() -> FleetRules {
    let (base, list_pause) = (Duration::from_millis(20), Duration::from_millis(20));
    let supervisor = Rules { base, list_pause, ..Rules::default() };
    FleetRules { supervisor, ..FleetRules::default() }
}

/// A fleet of these servers.
pub(crate) fn fleet(world: &World, servers: impl IntoIterator<Item = Server>) -> Fleet {
    fleet_by(world, quick(), servers)
}

pub(crate) fn fleet_by(world: &World, rules: FleetRules, servers: impl IntoIterator<Item = Server>) -> Fleet {
    let targets = servers.into_iter().map(Target::from).collect();
    Fleet::new(world.manager.clone(), targets, rules).unwrap()
}

/// Waits until a server is in one of these states.
pub(crate) async fn until(fleet: &Fleet, server: &str, states: &[ServerState]) -> ServerStatus {
    until_so(fleet, server, |status| states.contains(&status.state)).await
}

/// Waits until a server is as wanted.
pub(crate) async fn until_so(
    fleet: &Fleet,
    server: &str,
    so: impl Fn(&ServerStatus) -> bool,
) -> ServerStatus {
    let mut events = fleet.events();
    while let Some(event) = events.next().await {
        let found = match event {
            FleetEvent::Snapshot(all) => all.into_iter().find(|status| status.name == server),
            FleetEvent::Changed(status) if status.name == server => Some(*status),
            _ => None,
        };
        if let Some(status) = found.filter(|status| so(status)) {
            return status;
        }
    }
    panic!("the fleet is over");
}

/// Every event up to the first that is as wanted.
pub(crate) async fn events_until(
    events: &mut FleetEvents,
    so: impl Fn(&FleetEvent) -> bool,
) -> Vec<FleetEvent> {
    let mut seen = Vec::new();
    while let Some(event) = events.next().await {
        let last = so(&event);
        seen.push(event);
        if last {
            return seen;
        }
    }
    panic!("the fleet is over");
}

/// The states of a server in these events, in order.
pub(crate) fn states(events: &[FleetEvent], server: &str) -> Vec<ServerState> {
    let mut states = Vec::new();
    for event in events {
        if let FleetEvent::Changed(status) = event
            && status.name == server
            && states.last() != Some(&status.state)
        {
            states.push(status.state);
        }
    }
    states
}

/// How often a server's tools changed in these events.
pub(crate) fn tool_changes(events: &[FleetEvent], server: &str) -> usize {
    let of = |event: &&FleetEvent| matches!(event, FleetEvent::ToolsChanged { server: of } if of == server);
    events.iter().filter(of).count()
}

pub(crate) fn id(server: &str, tool: &str) -> ToolId {
    ToolId::new(server, tool)
}

/// The text of a result.
pub(crate) fn text(result: &CallToolResult) -> &str {
    result.content[0].text.as_deref().unwrap()
}
