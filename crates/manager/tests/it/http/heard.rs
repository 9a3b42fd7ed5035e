//! The stream of a session: refused, ended at once, cut, and closed at the end.

use std::time::Duration;

use codewhale_mcp_client::Event;
use codewhale_testkit::HttpFake;
use serde_json::json;

use crate::http::world::{call, connected, remote};
use crate::world::{World, run};

const TOLD: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;

#[test]
fn h06_a_stream_that_is_refused_is_asked_for_once_and_calls_go_on() {
    run(async {
        for mode in ["get-400", "get-404", "get-405", "get-406"] {
            let (world, fake) = (World::new(), HttpFake::start(mode));
            let connection = connected(&world, &fake).await;
            for round in 0..10 {
                assert!(call(connection.client(), &format!("{round}")).await.is_ok(), "{mode}");
            }
            fake.until(|fake| fake.count("GET") == 1).await;
            connection.close().await;
            assert_eq!(
                (fake.count("GET"), fake.count("DELETE"), fake.count("initialize")),
                (1, 1, 1),
                "{mode}"
            );
            world.manager.shutdown().await;
        }
    });
}

#[test]
fn h08_a_stream_that_ends_at_once_is_asked_for_ever_more_slowly() {
    run(async {
        let (world, fake) = (World::new(), HttpFake::start("get-ends --retry 1"));
        let connection = connected(&world, &fake).await;
        fake.until(|fake| fake.count("GET") == 5).await;
        let asked: Vec<_> = fake.requests_of("GET").iter().map(|get| get.at).collect();
        let pauses: Vec<_> = asked.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let least = [250, 500, 1000, 2000].map(|pause| Duration::from_millis(pause - 20));
        assert!(pauses.iter().zip(least).all(|(is, least)| *is >= least), "{pauses:?}");
        assert!(call(connection.client(), "meanwhile").await.is_ok());
        connection.close().await;
        world.manager.shutdown().await;
        assert_eq!(fake.count("GET"), 5, "none after the end");
    });
}

#[test]
fn a_stream_that_was_of_use_is_asked_for_again_and_what_it_brings_is_heard() {
    run(async {
        let (world, fake) = (World::new(), HttpFake::start("everything --era legacy"));
        let connection = connected(&world, &fake).await;
        let mut events = connection.client().events();
        for round in 1..=3 {
            fake.until(|fake| fake.count("GET") == round).await;
            // Whoever listens is told, and nobody was there before the stream.
            let mut told = false;
            while !told {
                fake.say(TOLD);
                told = matches!(events.next().await, Some(Event::ToolsChanged));
            }
            fake.cut_connections();
        }
        assert!(call(connection.client(), "after all").await.is_ok());
        assert_eq!(fake.count("initialize"), 1);
        connection.close().await;
        world.manager.shutdown().await;
    });
}

#[test]
fn h26_two_hundred_connections_come_and_go_and_leave_nothing() {
    run(async {
        for (mode, deleted) in [("everything --era legacy", 200), ("everything --era modern", 0), ("sse", 0)]
        {
            let (world, fake) = (World::new(), HttpFake::start(mode));
            let server = remote(&fake, json!({}));
            for round in 0..200 {
                let attempt = world.manager.open(&server).await;
                let connection = attempt.connection.unwrap_or_else(|| panic!("{mode}: {:?}", attempt.report));
                // Some leave while they are busy, some by being dropped.
                match round % 4 {
                    0 => drop(connection),
                    1 => {
                        let (client, arguments) = (connection.client().clone(), json!({"ms": 60_000}));
                        let busy =
                            tokio::spawn(async move { client.call_tool("slow", &arguments).send().await });
                        let begun = fake.count("tools/call");
                        fake.until(|fake| fake.count("tools/call") > begun).await;
                        connection.close().await;
                        assert!(busy.await.unwrap().is_err(), "{mode}");
                    }
                    _ => drop(connection.close().await),
                }
            }
            world.manager.shutdown().await;
            fake.until(|fake| fake.open_connections() == 0 && fake.count("DELETE") == deleted).await;
            assert_eq!(fake.violations(), [""; 0], "{mode}");
        }
    });
}
