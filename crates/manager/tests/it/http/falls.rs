//! Servers that fall in the middle of many calls: each call is carried out once or fails, and nothing storms.

use std::time::{Duration, Instant};

use codewhale_mcp_client::CallError;
use codewhale_testkit::HttpFake;

use crate::http::world::{
    Calls, call, connected, each_slow_call_was_sent_once, executed, running_calls,
    streams_are_taken_up_in_their_own_session,
};
use crate::world::{World, run};

/// How many calls are made at one time.
const MANY: usize = 50;
/// Far less than any budget here, far more than a slow machine needs.
const SOON: Duration = Duration::from_secs(20);

#[test]
fn h01_a_session_that_is_lost_under_many_calls_is_renewed_once_and_each_runs_once() {
    run(async {
        let (world, fake) = (World::new(), HttpFake::start("everything --era legacy"));
        let connection = connected(&world, &fake).await;
        for round in 1..=3 {
            fake.lose_sessions();
            let before = fake.count("tools/call");
            let calls = Calls::echo(connection.client(), &format!("round {round}"), MANY);
            let told = calls.all().await;
            assert!(told.iter().all(Result::is_ok), "{:?}", told.iter().find(|told| told.is_err()));
            assert_eq!(fake.count("initialize"), 1 + round, "one renewal for all");
            assert!(fake.count("tools/call") - before <= 2 * MANY, "each is sent again once at most");
        }
        let executed = executed(&fake);
        assert_eq!(executed.len(), 3 * MANY);
        assert!(executed.values().all(|times| *times == 1), "{executed:?}");
        let dead =
            fake.requests().iter().filter(|request| request.header("mcp-session-id").is_none()).count();
        assert_eq!(dead, 1 + 4, "only the probe and initialize have no session");
        connection.close().await;
        world.manager.shutdown().await;
        assert_eq!(fake.violations(), [""; 0]);
    });
}

#[test]
fn h01_calls_that_run_when_their_session_is_lost_end_and_none_runs_twice() {
    run(async {
        let (world, fake) = (World::new(), HttpFake::start("everything --era legacy"));
        let connection = connected(&world, &fake).await;
        let running = Calls::slow(connection.client(), MANY);
        fake.until(|fake| running_calls(fake) == MANY).await;
        fake.lose_sessions();
        let later = Calls::echo(connection.client(), "later", MANY).all().await;
        assert!(later.iter().all(Result::is_ok), "{:?}", later.iter().find(|told| told.is_err()));
        let begun = Instant::now();
        for told in running.all().await {
            assert!(matches!(told, Err(CallError::Exchange { .. })), "{told:?}");
        }
        assert!(begun.elapsed() < SOON);
        assert_eq!(fake.count("initialize"), 2);
        each_slow_call_was_sent_once(&fake);
        streams_are_taken_up_in_their_own_session(&fake);
        let resumed =
            fake.requests_of("GET").iter().filter(|get| get.header("last-event-id").is_some()).count();
        assert!(resumed <= MANY, "{resumed}");
        connection.close().await;
        world.manager.shutdown().await;
    });
}

#[test]
fn a_server_that_is_killed_and_comes_back_loses_and_doubles_no_call() {
    run(async {
        for era in ["legacy", "modern"] {
            let (world, fake) = (World::new(), HttpFake::start(&format!("everything --era {era}")));
            let connection = connected(&world, &fake).await;
            let client = connection.client();
            let running = Calls::slow(client, MANY);
            fake.until(|fake| fake.count("tools/call") == MANY).await;
            fake.stop();
            let begun = Instant::now();
            for told in Calls::echo(client, "while it is down", MANY).all().await {
                assert!(
                    told.as_ref().is_err_and(|error| error.to_string().contains("cannot reach")),
                    "{told:?}"
                );
            }
            fake.restart();
            for told in running.all().await {
                assert!(matches!(told, Err(CallError::Exchange { .. })), "{era}: {told:?}");
            }
            let after = Calls::echo(client, "after", MANY).all().await;
            assert!(after.iter().all(Result::is_ok), "{era}: {:?}", after.iter().find(|told| told.is_err()));
            assert!(begun.elapsed() < SOON, "{era}");

            each_slow_call_was_sent_once(&fake);
            let executed = executed(&fake);
            assert!(executed.values().all(|times| *times == 1), "{era}: {executed:?}");
            assert_eq!(executed.keys().filter(|text| text.starts_with("after")).count(), MANY, "{era}");
            let opened = if era == "legacy" { 2 } else { 0 };
            assert_eq!(fake.count("initialize"), opened, "one new session for all");
            let gets = fake.count("GET");
            assert!(gets <= opened * (MANY + 10), "{era}: {gets} GETs");
            connection.close().await;
            world.manager.shutdown().await;
        }
    });
}

#[test]
fn a_restart_between_calls_costs_no_call() {
    run(async {
        for era in ["legacy", "modern"] {
            let (world, fake) = (World::new(), HttpFake::start(&format!("everything --era {era}")));
            let connection = connected(&world, &fake).await;
            for round in 0..5 {
                fake.restart();
                let told = call(connection.client(), &format!("{round}")).await;
                assert!(told.is_ok(), "{era}: {told:?}");
            }
            let executed = executed(&fake);
            assert!(executed.len() == 5 && executed.values().all(|times| *times == 1), "{era}: {executed:?}");
            connection.close().await;
            world.manager.shutdown().await;
        }
    });
}

#[test]
fn connections_that_are_cut_between_calls_cost_no_call() {
    run(async {
        // No stream may come back by itself.
        for mode in ["get-405", "everything --era modern"] {
            let (world, fake) = (World::new(), HttpFake::start(mode));
            let connection = connected(&world, &fake).await;
            for round in 0..20 {
                fake.cut_connections();
                fake.until(|fake| fake.open_connections() == 0).await;
                let told = call(connection.client(), &format!("{round}")).await;
                assert!(told.is_ok(), "{mode}: {told:?}");
            }
            let executed = executed(&fake);
            assert!(
                executed.len() == 20 && executed.values().all(|times| *times == 1),
                "{mode}: {executed:?}"
            );
            assert_eq!(fake.count("tools/call"), 20, "{mode}");
            connection.close().await;
            world.manager.shutdown().await;
        }
    });
}
