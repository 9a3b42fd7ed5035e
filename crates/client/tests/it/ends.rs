//! How connections end, and what everything that waits is told.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use codewhale_mcp_client::{CallError, Client, ConnectCause, Event, LimitFault, Observer, Options};
use codewhale_mcp_transport::{Connector, End, Lines, Link, OpenError, Outlet, Peer, Way, memory};
use serde_json::json;

use crate::server::{Server, text};

#[tokio::test(start_paused = true)]
async fn everything_that_waits_learns_that_the_server_is_gone() {
    let (client, mut server) = Server::connected("2025-06-18", Options::default()).await;
    let mut events = client.events();
    let calls: Vec<_> = (0..3)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { client.call_tool("x", &json!({})).send().await.map(drop) })
        })
        .collect();
    for _ in &calls {
        server.next().await;
    }
    drop(server);
    for call in calls {
        let error = call.await.expect("the task ends").expect_err("the server is gone");
        assert!(matches!(error, CallError::ServerGone(_)), "{error}");
    }
    assert!(matches!(events.next().await, Some(Event::Closed(_))));
    let error = client.ping().await.expect_err("the server is gone");
    assert!(matches!(error, CallError::ServerGone(_)), "{error}");
}

#[tokio::test(start_paused = true)]
async fn closing_ends_what_waits_and_tells_the_server_by_closing_its_input() {
    let (client, mut server) = Server::connected("2026-07-28", Options::default()).await;
    let caller = client.clone();
    let call = tokio::spawn(async move { caller.call_tool("x", &json!({})).send().await.map(drop) });
    server.next().await;
    let (_, ()) = tokio::join!(client.close(), async {
        assert!(server.at_end().await);
        drop(server);
    });
    let error = call.await.expect("the task ends").expect_err("closed");
    assert!(matches!(error, CallError::ClosedHere), "{error}");
    let error = client.call_tool("x", &json!({})).send().await.expect_err("closed");
    assert!(matches!(error, CallError::ClosedHere), "{error}");
}

#[tokio::test(start_paused = true)]
async fn dropping_the_last_handle_closes_the_connection() {
    let (client, mut server) = Server::connected("2026-07-28", Options::default()).await;
    drop(client);
    assert!(server.at_end().await);
}

#[tokio::test(start_paused = true)]
async fn a_message_over_the_limit_ends_the_connection_with_its_reason() {
    let mut options = Options::default();
    options.message_limit = 1000;
    let (client, mut server) = Server::connected("2025-06-18", options).await;
    let (result, ()) = tokio::join!(client.ping(), async {
        server.next().await;
        server.write(&[b'x'; 1001]).await;
    });
    let error = result.expect_err("cut off").to_string();
    assert_eq!(error, "the server was cut off (a message is longer than 1000 bytes) before it answered");
}

#[tokio::test(start_paused = true)]
async fn a_long_message_below_the_limit_is_read_in_linear_time() {
    // In so many pieces, looking at the whole again with each one takes hours.
    let (connector, stream) = memory::pair(512);
    let mut server = Server::new(stream);
    let (client, ()) =
        tokio::join!(Client::connect(&connector, Options::default()), server.shake_hands("2026-07-28"));
    let (client, body) = (client.expect("the handshake succeeds"), "x".repeat(32 << 20));
    let arguments = json!({});
    let (result, ()) = tokio::join!(client.call_tool("big", &arguments).send(), async {
        let request = server.next().await;
        server.answer(&request, text(&body)).await;
    });
    assert!(result.expect("an answer").content[0].text.as_deref() == Some(&*body));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_asks_and_does_not_read_is_cut_off() {
    let (client, mut server) = Server::connected("2025-06-18", Options::default()).await;
    let question = json!({"jsonrpc": "2.0", "id": "x".repeat(10_000), "method": "ping"});
    let flood = async {
        loop {
            server.say(&question).await;
            tokio::task::yield_now().await;
        }
    };
    let mut events = client.events();
    let closed = async {
        loop {
            if let Some(Event::Closed(gone)) = events.next().await {
                return gone;
            }
        }
    };
    let gone = tokio::select! {
        () = flood => unreachable!("it does not end"),
        gone = closed => gone,
    };
    assert_eq!(gone.to_string(), "was cut off (it does not read what it is sent)");
}

#[tokio::test(start_paused = true)]
async fn a_silent_server_fails_the_handshake_within_its_budget() {
    let (connector, stream) = memory::pair(1024);
    let mut options = Options::default();
    options.connect_timeout = Duration::from_secs(7);
    let error = Client::connect(&connector, options).await.expect_err("no answer");
    assert!(matches!(error.cause, ConnectCause::TimedOut { after, .. } if after.as_secs() == 7));
    drop(stream);
}

#[tokio::test(start_paused = true)]
async fn lines_that_are_no_messages_are_reported_from_the_first_moment_on() {
    let (connector, stream) = memory::pair(64 * 1024);
    let (observer, mut events) = Observer::new(100);
    let mut options = Options::default();
    options.observer = Some(observer);
    let mut server = Server::new(stream);
    let (client, ()) = tokio::join!(Client::connect(&connector, options), async {
        server.write("\u{feff}starting up\r\n\r\n".as_bytes()).await;
        server.shake_hands("2025-06-18").await;
    });
    client.expect("the handshake succeeds");
    let Some(Event::Dropped { line, .. }) = events.next().await else { panic!("a dropped line") };
    assert_eq!(&*line, "starting up");
}

/// Opens these links, one after the other.
#[derive(Debug)]
struct InTurn(Mutex<VecDeque<memory::MemoryConnector>>);

#[async_trait::async_trait]
impl Connector for InTurn {
    async fn open(&self, way: Way) -> Result<Link, OpenError> {
        let next =
            self.0.lock().expect("nobody panics with it").pop_front().expect("no more than these are opened");
        next.open(way).await
    }
}

#[tokio::test(start_paused = true)]
async fn an_observer_stays_when_a_server_has_to_be_started_again() {
    let ((first, dies), (second, stays)) = (memory::pair(64 * 1024), memory::pair(64 * 1024));
    let connector = InTurn(Mutex::new([first, second].into()));
    let (observer, mut events) = Observer::new(100);
    let mut options = Options::default();
    options.observer = Some(observer);
    let (client, server) = tokio::join!(Client::connect(&connector, options), async {
        let mut dies = Server::new(dies);
        dies.asked("server/discover").await;
        drop(dies);
        let mut server = Server::new(stays);
        let request = server.asked("initialize").await;
        server.answer(&request, json!({"protocolVersion": "2025-06-18", "capabilities": {}})).await;
        server.notify("notifications/tools/list_changed", json!({})).await;
        server
    });
    let client = client.expect("the handshake succeeds");
    assert!(matches!(events.next().await, Some(Event::ToolsChanged)));
    drop(server);
    assert!(matches!(events.next().await, Some(Event::Closed(_))));
    assert!(events.next().await.is_none());
    drop(client);
}

/// A server that lives on and has closed its input.
#[derive(Debug)]
struct Deaf;

#[async_trait::async_trait]
impl Peer for Deaf {
    async fn gone(&self) -> End {
        std::future::pending().await
    }

    async fn stop(&self) -> End {
        End::Signaled(9)
    }

    fn last_words(&self) -> Vec<String> {
        vec!["not listening".into()]
    }
}

struct DeafConnector;

#[async_trait::async_trait]
impl Connector for DeafConnector {
    async fn open(&self, _way: Way) -> Result<Link, OpenError> {
        let (ours, theirs) = tokio::io::duplex(1024);
        drop(theirs);
        let (inlet, kept) = tokio::io::duplex(1024);
        // Its output stays open.
        std::mem::forget(kept);
        let outlet = Outlet::Stream(Box::new(ours));
        Ok(Link::Lines(Lines { outlet, inlet: Box::new(inlet), peer: Arc::new(Deaf) }))
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_closes_its_input_and_lives_on_is_not_waited_for() {
    let began = tokio::time::Instant::now();
    let error = Client::connect(&DeafConnector, Options::default()).await.expect_err("nobody listens");
    assert!(matches!(error.cause, ConnectCause::Limit(LimitFault::Deaf)), "{error}");
    assert_eq!(error.last_words, ["not listening"]);
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
}
