//! Many exchanges at one time, and their end.

use codewhale_mcp_transport::http::HttpConnector;
use codewhale_mcp_transport::{
    Answer, Connector, End, Exchange, ExchangeError, Exchanges, Frames, Verb, Way,
};
use tokio::task::JoinSet;

use super::site::{body, connector, endpoint, exchanges, inside, post};
use crate::server::{Reply, Server, reply, soon};

const EVENT: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {}\n\n";

async fn open(connector: &HttpConnector) -> Exchanges {
    exchanges(connector.open(Way::First).await.unwrap())
}

fn start(asking: &mut JoinSet<Result<Answer, ExchangeError>>, link: &Exchanges, count: usize) {
    for _ in 0..count {
        let carrier = link.carrier.clone();
        asking.spawn(async move { carrier.exchange(post("{}")).await });
    }
}

#[tokio::test]
async fn at_most_256_exchanges_of_one_connector_run_at_one_time() {
    let server = Server::start(|request| match request.line() {
        "GET / HTTP/1.1" => Reply::Hold(EVENT.to_vec()),
        _ => Reply::Hold(Vec::new()),
    })
    .await;
    let connector = inside(&server, endpoint(&server.url("/")));
    // Two links of one connector share the places.
    let (one, other) = (open(&connector).await, open(&connector).await);
    let mut first = JoinSet::new();
    start(&mut first, &one, 256);
    server.open(256).await;
    let mut second = JoinSet::new();
    start(&mut second, &other, 1);
    // An event stream needs no place, and when it has come, the other one would have, too.
    let stream = Exchange { verb: Verb::Get, headers: Vec::new() };
    let answer = soon(other.carrier.exchange(stream)).await.unwrap();
    assert_eq!((server.accepted(), answer.status), (257, 200));
    drop(answer);
    server.open(256).await;
    // Who waits for a place does not outlive their link.
    let third = open(&connector).await;
    let mut waiting = JoinSet::new();
    start(&mut waiting, &third, 1);
    soon(third.peer.stop()).await;
    assert!(matches!(soon(waiting.join_next()).await, Some(Ok(Err(ExchangeError::Broken(_))))));
    drop(first);
    server.open(1).await;
    assert_eq!(server.accepted(), 258);
    drop(second);
    server.open(0).await;
}

#[tokio::test]
async fn an_event_stream_counts_until_it_begins() {
    let server = Server::start(|_| Reply::Hold(EVENT.to_vec())).await;
    let link = open(&inside(&server, endpoint(&server.url("/")))).await;
    let mut asking = JoinSet::new();
    start(&mut asking, &link, 300);
    let answers = soon(asking.join_all()).await;
    assert!(answers.iter().all(Result::is_ok));
    server.open(300).await;
    assert_eq!(soon(link.peer.stop()).await, End::Closed);
    server.open(0).await;
    let answer = answers.into_iter().next().unwrap().unwrap();
    let mut frames = Frames::new(&answer.media, answer.body, 100).ok().unwrap();
    let end = loop {
        match soon(frames.next()).await {
            // It was here before the end.
            Ok(Some(event)) => assert_eq!(event, "{}"),
            end => break end,
        }
    };
    assert!(matches!(end, Err(ExchangeError::Broken(_))), "{end:?}");
}

#[tokio::test]
async fn a_body_keeps_its_place_until_it_is_read_or_dropped() {
    let server = Server::start(|_| reply("200 OK", &["Content-Type: application/json"], b"{}")).await;
    let link = open(&inside(&server, endpoint(&server.url("/")))).await;
    let mut asking = JoinSet::new();
    start(&mut asking, &link, 256);
    let mut answers = soon(asking.join_all()).await;
    let mut waiting = JoinSet::new();
    start(&mut waiting, &link, 2);
    drop(answers.pop());
    let last = soon(waiting.join_next()).await.unwrap().unwrap().unwrap();
    assert_eq!(waiting.len(), 1);
    assert_eq!(body(last).await, "{}");
    soon(waiting.join_next()).await.unwrap().unwrap().unwrap();
}

#[tokio::test]
async fn h26_many_links_leave_no_connection() {
    let server = Server::start(|request| match request.line() {
        "GET / HTTP/1.1" => Reply::Hold(EVENT.to_vec()),
        _ => reply("200 OK", &[], b"{}"),
    })
    .await;
    let connector = connector(endpoint(&server.url("/")));
    for _ in 0..200 {
        let link = open(&connector).await;
        let stream = Exchange { verb: Verb::Get, headers: Vec::new() };
        let stream = soon(link.carrier.exchange(stream)).await.unwrap();
        body(soon(link.carrier.exchange(post("{}"))).await.unwrap()).await;
        let gone = tokio::spawn({
            let peer = link.peer.clone();
            async move { peer.gone().await }
        });
        assert_eq!(soon(link.peer.stop()).await, End::Closed);
        assert_eq!(soon(link.peer.stop()).await, End::Closed);
        assert_eq!(soon(gone).await.unwrap(), End::Closed);
        drop(stream);
    }
    server.open(0).await;
    assert_eq!(server.accepted(), 400);
}

#[tokio::test]
async fn a_link_that_is_dropped_leaves_no_connection_either() {
    let server = Server::start(|_| reply("200 OK", &[], b"{}")).await;
    let link = open(&connector(endpoint(&server.url("/")))).await;
    body(soon(link.carrier.exchange(post("{}"))).await.unwrap()).await;
    server.open(1).await;
    assert!(link.peer.last_words().is_empty());
    drop(link);
    server.open(0).await;
}
