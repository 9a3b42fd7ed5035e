//! What is remembered of a server saves a probe, and is given up when the server has become another one.

use std::path::Path;

use codewhale_mcp_client::EraReason;
use codewhale_mcp_config::{Scope, Source};
use codewhale_mcp_manager::{Manager, Outcome, TransportUsed};
use codewhale_testkit::HttpFake;
use serde_json::json;

use crate::http::world::{at, call};
use crate::world::{World, run};

/// One run: how the server was spoken to and why, and what it was asked first.
async fn one_run(manager: &Manager, fake: &HttpFake, url: &str) -> (String, Vec<String>) {
    let seen = fake.requests().len();
    let source = Source::file(Path::new("/test/mcp.json"), Scope::User);
    let attempt = manager.connect(&at(&source, url, json!({}))).await;
    let told = match &attempt.report.outcome {
        Outcome::Ready(ready) => {
            let how = if ready.transport == TransportUsed::HttpSse { "by events" } else { "posted" };
            let why = match ready.established.reason {
                EraReason::Remembered => "remembered",
                EraReason::Discovered => "discovered",
                _ => "found out",
            };
            format!("{} {how}, {why}", ready.established.era())
        }
        other => panic!("{other:?}"),
    };
    let connection = attempt.connection.expect("it is ready");
    assert_eq!(call(connection.client(), "x").await.unwrap(), "x");
    connection.close().await;
    manager.shutdown().await;
    let asked = fake.requests().split_off(seen);
    let asked = asked.iter().map(|request| request.rpc_method().unwrap_or_else(|| request.method.clone()));
    (
        told,
        asked.take_while(|method| method != "notifications/initialized" && method != "tools/list").collect(),
    )
}

#[test]
fn an_era_that_is_remembered_saves_the_probe_and_is_given_up_when_the_server_is_another_one() {
    run(async {
        let (world, fake) = (World::new(), HttpFake::start("everything --era legacy"));
        let url = fake.url();
        let (probed, straight) = (["server/discover", "initialize"], ["initialize"]);
        let (discovered, both) = (["server/discover"], ["initialize", "server/discover"]);
        let run = || async {
            let (told, mut asked) = one_run(&world.again(), &fake, &url).await;
            // The server may notice late that the run before asked for its stream.
            asked.retain(|method| method != "GET");
            (told, asked)
        };
        let is =
            |told: &str, asked: &[&str]| (told.to_owned(), asked.iter().map(|&m| m.to_owned()).collect());
        assert_eq!(run().await, is("legacy posted, found out", &probed));
        assert_eq!(run().await, is("legacy posted, remembered", &straight));
        fake.restart_as("everything --era modern");
        assert_eq!(run().await, is("modern posted, discovered", &both));
        assert_eq!(run().await, is("modern posted, discovered", &discovered));
        fake.restart_as("everything --era legacy");
        assert_eq!(run().await, is("legacy posted, found out", &probed));
        assert_eq!(run().await, is("legacy posted, remembered", &straight));
        // One that speaks both stays what it was until that is forgotten.
        fake.restart_as("everything --era dual");
        assert_eq!(run().await, is("legacy posted, remembered", &straight));
    });
}

#[test]
fn an_event_stream_that_is_remembered_is_opened_at_once_and_given_up_when_the_server_is_another_one() {
    run(async {
        let (world, fake) = (World::new(), HttpFake::start("sse"));
        let url = fake.url();
        let run = || async { one_run(&world.again(), &fake, &url).await };
        let is =
            |told: &str, asked: &[&str]| (told.to_owned(), asked.iter().map(|&m| m.to_owned()).collect());
        let found_out = ["server/discover", "initialize", "GET", "initialize"];
        assert_eq!(run().await, is("legacy by events, found out", &found_out));
        assert_eq!(run().await, is("legacy by events, found out", &["GET", "initialize"]));
        fake.restart_as("everything --era modern");
        assert_eq!(run().await, is("modern posted, discovered", &["GET", "initialize", "server/discover"]));
        assert_eq!(run().await, is("modern posted, discovered", &["server/discover"]));
    });
}
