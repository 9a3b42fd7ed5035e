//! Connections that are used again.

use std::sync::Arc;

use codewhale_mcp_transport::{Carrier, Connector, Frames, Way};
use tokio::task::JoinSet;

use super::site::{connector, endpoint, exchanges, post};
use crate::server::{Reply, Server, reply, soon};

/// A stream of one event that ends with it.
const EVENTS: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n\
    a\r\ndata: {}\n\n\r\n0\r\n\r\n";

/// Exchanges one after another, each until its answer is there, whatever is behind it.
async fn answered(carrier: Arc<dyn Carrier>, times: usize) {
    for _ in 0..times {
        let answer = soon(carrier.exchange(post("{}"))).await.unwrap();
        let mut frames = Frames::new(&answer.media, answer.body, 100).ok().unwrap();
        assert_eq!(soon(frames.next()).await.unwrap().unwrap(), "{}");
    }
}

#[tokio::test]
async fn as_many_connections_are_made_as_exchanges_are_on_their_way() {
    for events in [false, true] {
        let server = Server::start(move |_| match events {
            false => reply("200 OK", &["Content-Type: application/json"], b"{}"),
            true => Reply::Say(EVENTS.to_vec()),
        })
        .await;
        let link = exchanges(connector(endpoint(&server.url("/"))).open(Way::First).await.unwrap());
        answered(link.carrier.clone(), 100).await;
        assert_eq!(server.accepted(), 1, "events: {events}");
        let mut asking = JoinSet::new();
        for _ in 0..16 {
            asking.spawn(answered(link.carrier.clone(), 50));
        }
        soon(asking.join_all()).await;
        assert!(server.accepted() <= 17, "events: {events}: {}", server.accepted());
    }
}
