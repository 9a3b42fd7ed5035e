//! Servers with a URL, which nobody can see leave.

use codewhale_mcp_manager::{FleetError, ServerState};
use codewhale_testkit::HttpFake;
use serde_json::json;

use super::pod::{fleet, id, text, until};
use crate::world::{World, run, server};

#[test]
fn a_server_that_cannot_be_reached_any_more_is_offline_until_it_can() {
    for mode in ["everything --era modern", "everything --era legacy"] {
        let (fake, world) = (HttpFake::start(mode), World::new());
        run(async {
            let fleet = fleet(&world, [server("s", &json!({"url": fake.url()}))]);
            let (tool, arguments) = (id("s", "echo"), json!({"text": "x"}));
            fleet.call(&tool, &arguments).send().await.unwrap();
            fake.stop();
            // The first one may still meet the end of the old connection.
            while fleet.status("s").unwrap().state == ServerState::Ready {
                let error = fleet.call(&tool, &arguments).send().await.unwrap_err();
                assert!(matches!(error, FleetError::Request { .. }), "{mode}: {error}");
            }
            let status = fleet.status("s").unwrap();
            assert_eq!(status.trouble.unwrap().class.as_str(), "lost", "{mode}");
            fake.restart();
            until(&fleet, "s", &[ServerState::Ready]).await;
            let result = fleet.call(&tool, &arguments).send().await.unwrap();
            assert_eq!(text(&result), "x", "{mode}");
            fleet.shutdown().await;
        });
    }
}

#[test]
fn a_server_that_asks_for_a_login_in_the_middle_needs_one() {
    let (fake, world) = (HttpFake::start("everything --era modern"), World::new());
    run(async {
        let fleet = fleet(&world, [server("s", &json!({"url": fake.url()}))]);
        let (tool, arguments) = (id("s", "echo"), json!({"text": "x"}));
        fleet.call(&tool, &arguments).send().await.unwrap();
        assert!(fleet.tools().said().next().is_some());
        fake.restart_as("401");
        while fleet.status("s").unwrap().state == ServerState::Ready {
            fleet.call(&tool, &arguments).send().await.unwrap_err();
        }
        let status = until(&fleet, "s", &[ServerState::NeedsLogin]).await;
        assert_eq!(status.trouble.unwrap().class.as_str(), "needs_login");
        let error = fleet.call(&tool, &arguments).send().await.unwrap_err();
        assert!(matches!(error, FleetError::ServerNeedsLogin { .. }), "{error}");
        assert!(fleet.tools().said().next().is_none(), "it offers nothing until then");
        fake.restart_as("everything --era modern");
        fleet.connect("s");
        until(&fleet, "s", &[ServerState::Ready]).await;
        fleet.shutdown().await;
    });
}
