//! Servers and proxies that take a connection and say nothing: they cost their own budget and nobody else's.

use std::ffi::OsString;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use codewhale_mcp_config::{Scope, Source};
use codewhale_mcp_manager::{Outcome, Target};
use codewhale_testkit::HttpFake;
use serde_json::json;

use crate::http::world::{at, remote};
use crate::world::{World, run};

/// A proxy that takes connections and never answers.
struct StalledProxy {
    port: u16,
    taken: Arc<AtomicUsize>,
}

impl StalledProxy {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (port, taken) = (listener.local_addr().unwrap().port(), Arc::new(AtomicUsize::new(0)));
        let counter = taken.clone();
        std::thread::spawn(move || {
            let mut held = Vec::new();
            for stream in listener.incoming() {
                held.push(stream);
                counter.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { port, taken }
    }

    fn world(&self) -> World {
        let proxy = OsString::from(format!("http://127.0.0.1:{}", self.port));
        World::with(|setup| setup.environment.push((OsString::from("HTTPS_PROXY"), proxy)))
    }
}

#[test]
fn a_proxy_that_never_answers_costs_the_budget_of_one_server_and_one_connection() {
    run(async {
        let proxy = StalledProxy::start();
        let world = proxy.world();
        let source = Source::label("a test", Scope::User);
        let server = at(&source, "https://mcp.test/mcp", json!({"connect_timeout": 2}));
        let attempt = world.manager.connect(&server).await;
        let Outcome::Failed(failure) = attempt.report.outcome else { panic!("{:?}", attempt.report.outcome) };
        assert_eq!(failure.class.as_str(), "timed_out", "{failure}");
        assert_eq!(
            failure.to_string(),
            "the server was not ready within 2 s: it did not answer server/discover"
        );
        assert!(attempt.report.elapsed.total().as_secs() < 20, "{:?}", attempt.report.elapsed);
        assert_eq!(proxy.taken.load(Ordering::SeqCst), 1);
        world.manager.shutdown().await;
    });
}

#[test]
fn p04_stalled_servers_do_not_delay_good_ones() {
    run(async {
        let proxy = StalledProxy::start();
        let world = proxy.world();
        let modes = ["silent", "stalled-body --at server/discover", "silent --at initialize --era legacy"];
        let stalled = modes.map(HttpFake::start);
        let good = ["everything --era legacy", "everything --era modern", "sse"].map(HttpFake::start);
        let long = || json!({"connect_timeout": 600});
        let source = Source::label("a test", Scope::User);
        let mut targets: Vec<Target> =
            stalled.iter().map(|fake| Target::from(remote(fake, long()))).collect();
        targets.push(Target::from(at(&source, "https://mcp.test/mcp", long())));
        targets.extend(good.iter().map(|fake| Target::from(remote(fake, json!({})))));
        let mut checks = world.manager.check_all(targets);
        for _ in &good {
            let report = checks.next().await.expect("the good ones settle");
            assert!(matches!(report.outcome, Outcome::Ready(_)), "{:?}", report.outcome);
        }
        for fake in &good {
            fake.until(|fake| fake.open_connections() == 0).await;
        }
        // The others have ten minutes and would take them.
        world.manager.shutdown().await;
        let mut interrupted = 0;
        while let Some(report) = checks.next().await {
            let Outcome::Failed(failure) = report.outcome else { panic!("{:?}", report.outcome) };
            assert_eq!(failure.class.as_str(), "interrupted", "{failure}");
            interrupted += 1;
        }
        assert_eq!(interrupted, stalled.len() + 1);
        for fake in &stalled {
            fake.until(|fake| fake.open_connections() == 0).await;
            assert!(fake.requests().len() <= 2, "{:?}", fake.requests());
        }
    });
}
