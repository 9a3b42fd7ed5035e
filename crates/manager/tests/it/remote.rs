//! Servers with a URL: what each kind of answer comes to, what is kept, and that nothing stays open.

use std::path::Path;
use std::time::{Duration, SystemTime};

use codewhale_mcp_client::EraReason;
use codewhale_mcp_config::{Network as NetworkSettings, Scope, Server, Settings, Source};
use codewhale_mcp_manager::{FailureClass, Manager, Outcome, Phase, Report, TransportUsed, host_lists};
use codewhale_testkit::HttpFake;
use serde_json::{Value, json};

use crate::world::{World, from, run, server};

fn at(fake: &HttpFake) -> Server {
    server("s", &json!({"url": fake.url(), "connect_timeout": 10}))
}

/// A report in a few words.
fn short(report: &Report) -> String {
    match &report.outcome {
        Outcome::Ready(ready) => {
            format!("ready {} {}", ready.established.era(), ready.transport.as_str())
        }
        Outcome::Degraded(_, degradation) => format!("degraded {}", degradation.class.as_str()),
        Outcome::Failed(failure) => {
            let state = report.outcome.state();
            format!("{state} {} {}", failure.class.as_str(), failure.phase.as_str())
        }
        _ => "unknown".to_owned(),
    }
}

async fn look(manager: &Manager, server: &Server) -> Report {
    let attempt = manager.connect(server).await;
    if let Some(connection) = attempt.connection {
        connection.close().await;
    }
    attempt.report
}

#[test]
fn every_kind_of_answer_comes_to_what_it_should() {
    for (mode, expected) in [
        ("everything --era modern", "ready modern streamable-http"),
        ("everything --era legacy", "ready legacy streamable-http"),
        ("strict --era dual", "ready modern streamable-http"),
        ("probe-400-empty", "ready legacy streamable-http"),
        ("probe-404-html", "ready legacy streamable-http"),
        ("probe-200-method", "ready legacy streamable-http"),
        ("version-refused-once", "ready modern streamable-http"),
        ("version-legacy-only", "ready legacy streamable-http"),
        ("session-none", "ready legacy streamable-http"),
        ("redirect-307", "ready modern streamable-http"),
        ("redirect-308-slash", "ready modern streamable-http"),
        ("events-split", "ready modern streamable-http"),
        ("429 --retry-after 0", "ready modern streamable-http"),
        ("get-ends", "ready legacy streamable-http"),
        ("sse", "ready legacy http+sse"),
        ("sse-absolute", "ready legacy http+sse"),
        ("version-unknown", "failed handshake_failed handshake"),
        ("401", "needs_login needs_login handshake"),
        ("401 --challenge Bearer", "needs_login needs_login handshake"),
        ("403", "needs_login missing_scopes handshake"),
        ("500-html", "failed refused handshake"),
        ("502-empty", "failed refused handshake"),
        ("status --status 404", "failed refused handshake"),
        ("status --status 418", "failed refused handshake"),
        ("page", "failed refused handshake"),
        ("redirect-other-origin", "blocked redirected handshake"),
        ("redirect-loop", "blocked redirected handshake"),
        ("redirect-301", "blocked redirected handshake"),
        ("huge-head", "failed limit handshake"),
        ("sse-other-origin", "failed refused handshake"),
        ("sse-userinfo", "failed refused handshake"),
        ("500-html --at tools/list", "degraded list_failed"),
        ("no-answer --at tools/list", "degraded list_failed"),
    ] {
        let (fake, world) = (HttpFake::start(mode), World::new());
        let report = run(async {
            let report = look(&world.manager, &at(&fake)).await;
            world.manager.shutdown().await;
            report
        });
        assert_eq!(short(&report), expected, "{mode}: {report:#?}");
        assert_eq!((report.starts, report.stderr.len()), (0, 0), "{mode}");
        fake.wait(|fake| fake.open_connections() == 0);
    }
}

#[test]
fn a_login_that_the_list_wants_is_a_missing_login() {
    let (fake, world) = (HttpFake::start("status --status 401 --at tools/list"), World::new());
    let report = run(async { look(&world.manager, &at(&fake)).await });
    assert_eq!(short(&report), "needs_login needs_login list", "{report:#?}");
}

#[test]
fn credentials_of_the_definition_that_are_refused_are_no_missing_login() {
    let (fake, world) = (HttpFake::start("401"), World::new());
    let url = fake.url();
    let with_user = url.replacen("http://", "http://me:pass-word@", 1);
    for definition in
        [json!({"url": url, "headers": {"authorization": "Bearer wrong-one"}}), json!({"url": with_user})]
    {
        let report = run(async { look(&world.manager, &server("s", &definition)).await });
        let Outcome::Failed(failure) = &report.outcome else { panic!("{report:?}") };
        assert_eq!((failure.class, failure.phase), (FailureClass::CredentialsRefused, Phase::Handshake));
        assert!(!format!("{report:?}").contains("wrong-one") && !format!("{report:?}").contains("pass-word"));
    }
    assert!(fake.requests().iter().any(|it| it.header("Authorization") == Some("Basic bWU6cGFzcy13b3Jk")));
}

#[test]
fn what_a_hint_led_to_is_no_news() {
    fn day(number: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(number * 24 * 60 * 60)
    }
    let clocks: [fn() -> SystemTime; 3] =
        [|| day(100), || day(100) + Duration::from_secs(23 * 3600), || day(102)];
    let fake = HttpFake::start("sse");
    let world = World::new();
    let asked: Vec<usize> = clocks
        .into_iter()
        .map(|clock| {
            let manager = world.again_at(clock);
            run(async {
                let report = look(&manager, &at(&fake)).await;
                assert_eq!(short(&report), "ready legacy http+sse", "{report:?}");
                manager.shutdown().await;
            });
            fake.count("server/discover")
        })
        .collect();
    // Found out, believed, and found out again, for it had not been renewed by being believed.
    assert_eq!(asked, [1, 1, 2]);
}

#[test]
fn a_server_that_has_become_another_one_is_found_out_anew() {
    let fake = HttpFake::start("everything --era legacy");
    let world = World::new();
    let connect = |expected: &str| {
        let manager = world.again();
        let report = run(async {
            let report = look(&manager, &at(&fake)).await;
            manager.shutdown().await;
            report
        });
        assert_eq!(short(&report), expected, "{report:?}");
        let Outcome::Ready(ready) = report.outcome else { panic!("it is ready") };
        ready.established.reason
    };
    connect("ready legacy streamable-http");
    assert_eq!(connect("ready legacy streamable-http"), EraReason::Remembered);
    fake.restart_as("everything --era modern");
    connect("ready modern streamable-http");
    fake.restart_as("probe-400-empty");
    connect("ready legacy streamable-http");
}

#[test]
fn endpoints_of_one_origin_are_different_servers() {
    let (fake, world) = (HttpFake::start("everything --era legacy"), World::new());
    let one = server("s", &json!({"url": fake.url()}));
    let other = server("s", &json!({"url": format!("{}?tenant=2", fake.url())}));
    run(async {
        look(&world.manager, &one).await;
        world.manager.shutdown().await;
        let again = world.again();
        assert!(again.recall(&one).await.list.is_some());
        assert!(again.recall(&other).await.list.is_none());
    });
}

#[test]
fn a_shutdown_ends_sessions_and_closes_connections() {
    let (fake, world) = (HttpFake::start("everything --era legacy"), World::new());
    run(async {
        let kept = world.manager.connect(&at(&fake)).await;
        let dropped = world.manager.connect(&at(&fake)).await;
        assert!(kept.connection.is_some() && dropped.connection.is_some());
        drop(dropped);
        world.manager.shutdown().await;
        drop(kept);
    });
    assert_eq!((fake.count("initialize"), fake.count("DELETE")), (2, 2));
    fake.wait(|fake| fake.open_connections() == 0);
    let log = world.read("home/logs/s.log");
    assert!(log.contains("the connection is closed") && !log.contains("the server closed"), "{log}");
}

#[test]
fn what_a_plugin_wrote_consents_to_nothing() {
    let (fake, world) = (HttpFake::start("everything"), World::new());
    let plugin = Source::file(Path::new("/test/plugin.json"), Scope::Plugin);
    for more in [json!({}), json!({"allow_private_network": true})] {
        let mut definition = json!({"url": fake.url()});
        definition.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let report = run(async { look(&world.manager, &from(&plugin, "s", &definition)).await });
        assert_eq!(short(&report), "blocked blocked reach", "{report:?}");
    }
    assert_eq!(fake.requests().len(), 0);
}

#[test]
fn a_header_that_is_not_for_a_definition_is_named() {
    let (fake, world) = (HttpFake::start("everything"), World::new());
    let definition = json!({"url": fake.url(), "headers": {"Content-Length": "7"}});
    let report = run(async { look(&world.manager, &server("s", &definition)).await });
    let Outcome::Failed(failure) = &report.outcome else { panic!("{report:?}") };
    assert_eq!(failure.class, FailureClass::Config);
    assert!(failure.to_string().to_lowercase().contains("content-length"), "{failure}");
    assert_eq!(fake.requests().len(), 0);
}

#[test]
fn lists_of_hosts_are_read_whole_or_not_at_all() {
    let network = |text: &str| -> NetworkSettings {
        Settings::parse(text, &Source::file(Path::new("c.toml"), Scope::User)).unwrap().network
    };
    let lists =
        host_lists(&network("[network]\nallow = [\"a.test\", \"*.b.test\", \"10.0.0.0/8\"]\ndeny = [\"*\"]"));
    let lists = lists.unwrap();
    assert_eq!((lists.allow.len(), lists.deny.len()), (3, 1));
    let problems =
        host_lists(&network("[network]\nallow = [\"a.test\", \"a b\"]\ndeny = [\"*.*.x\"]")).unwrap_err();
    let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert!(told[0].starts_with("c.toml:2:20: `network.allow` must be a host"), "{told:?}");
    assert!(told[1].starts_with("c.toml:3:9: `network.deny` must be a host"), "{told:?}");
}

#[test]
fn the_transport_is_told() {
    let told = |server: Value, expected: TransportUsed| {
        let world = World::new();
        let report = run(async {
            let report = look(&world.manager, &crate::world::server("s", &server)).await;
            world.manager.shutdown().await;
            report
        });
        let Outcome::Ready(ready) = report.outcome else { panic!("{report:?}") };
        assert_eq!(ready.transport, expected);
    };
    told(json!({"command": codewhale_testkit::fake(), "args": ["plain"]}), TransportUsed::Stdio);
    let fake = HttpFake::start("everything");
    told(json!({"url": fake.url()}), TransportUsed::StreamableHttp);
    let fake = HttpFake::start("sse");
    told(json!({"url": fake.url(), "type": "sse"}), TransportUsed::HttpSse);
}
