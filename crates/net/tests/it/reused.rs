//! Connections that are used again, and those that must not be.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;
use std::thread;

use codewhale_mcp_net::client::{Egress, Engine};
use codewhale_mcp_net::{Call, NetError, Purpose};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::JoinSet;

use crate::certified::Authority;
use crate::network::{egress, message, whole};
use crate::server::{Reply, Server, reply, soon};
use crate::world::guard;

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
/// Its end comes in the same piece as its data.
const EVENTS: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n\
    a\r\ndata: {}\n\n\r\n0\r\n\r\n";

/// A server with a thread of its own that answers one request of each connection. When it is told, it says something
/// more, closes the connection, and tells back.
fn told(more: &'static [u8]) -> (String, mpsc::SyncSender<()>, mpsc::Receiver<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let ((tell, end), (tell_back, closed)) = (mpsc::sync_channel(1), mpsc::sync_channel(1));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"{\"m\":1}") {
                let mut some = [0; 4096];
                let count = stream.read(&mut some).unwrap();
                request.extend_from_slice(&some[..count]);
            }
            stream.write_all(ANSWER).unwrap();
            if end.recv().is_err() {
                return;
            }
            stream.write_all(more).unwrap();
            drop(stream);
            tell_back.send(()).unwrap();
        }
    });
    (url, tell, closed)
}

#[tokio::test]
async fn no_request_leaves_on_a_connection_whose_end_has_come() {
    for more in [&b""[..], b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"] {
        let (url, tell, closed) = told(more);
        let egress = egress(&url);
        for turn in 0..50 {
            let answer = whole(&egress, message(&url)).await;
            assert_eq!(answer.map(|answer| answer.body), Ok("{}".into()), "{turn}");
            // The runtime sees nothing of it, since this thread is its only one.
            tell.send(()).unwrap();
            closed.recv().unwrap();
        }
    }
}

#[tokio::test]
async fn nor_on_an_encrypted_one() {
    let server = Server::start(|_| Reply::Close(ANSWER.to_vec())).await;
    let authority = Authority::of("127.0.0.1", &["http/1.1"]);
    let serving = server.clone();
    let address = authority.listen(move |stream| serving.clone().serve(stream)).await;
    let url = format!("https://{address}/");
    let egress = authority.engine().egress(guard(&url), Purpose::Message);
    for turn in 0..20 {
        let answer = whole(&egress, message(&url)).await;
        assert_eq!(answer.map(|answer| answer.body), Ok("{}".into()), "{turn}");
        server.open(0).await;
    }
    assert_eq!(server.accepted(), 20);
}

#[tokio::test]
async fn an_idle_connection_is_given_up_when_the_server_closes_it() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let (shut, shutting) = tokio::sync::oneshot::channel();
    let serving = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut bytes = Vec::new();
        while !bytes.ends_with(b"{\"m\":1}") {
            stream.read_buf(&mut bytes).await.unwrap();
        }
        stream.write_all(ANSWER).await.unwrap();
        shutting.await.unwrap();
        stream.shutdown().await.unwrap();
        stream.read_to_end(&mut Vec::new()).await.unwrap()
    });
    let egress = egress(&url);
    whole(&egress, message(&url)).await.unwrap();
    shut.send(()).unwrap();
    assert_eq!(soon(serving).await.unwrap(), 0);
    drop(egress);
}

/// Asks for events until the first ones are there, and leaves it at that.
async fn first_events(egress: &Egress, call: Call) -> Result<bytes::Bytes, NetError> {
    let mut response = soon(egress.send(call, None)).await?;
    soon(std::future::poll_fn(|context| response.body.poll_chunk(context))).await.expect("events")
}

#[tokio::test]
async fn a_stream_whose_end_has_come_frees_its_connection_although_nobody_reads_it_to_the_end() {
    let server = Server::start(|_| Reply::Say(EVENTS.to_vec())).await;
    let egress = egress(&server.url("/"));
    for _ in 0..100 {
        assert_eq!(first_events(&egress, message(&server.url("/"))).await.unwrap(), "data: {}\n\n");
    }
    assert_eq!(server.accepted(), 1);
    let mut asking = JoinSet::new();
    for _ in 0..16 {
        let (egress, url) = (egress.clone(), server.url("/"));
        asking.spawn(async move {
            for _ in 0..50 {
                first_events(&egress, message(&url)).await.unwrap();
            }
        });
    }
    soon(asking.join_all()).await;
    assert!(server.accepted() <= 17, "{}", server.accepted());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_threads_share_connections() {
    let server = Server::start(|request| match request.body.len() % 2 {
        0 => reply("200 OK", &[], b"{}"),
        _ => Reply::Say(EVENTS.to_vec()),
    })
    .await;
    let egress = Engine::new(Default::default()).egress(guard(&server.url("/")), Purpose::Message);
    let mut asking = JoinSet::new();
    for asker in 0..16 {
        let (egress, url) = (egress.clone(), server.url("/"));
        asking.spawn(async move {
            for turn in 0..100 {
                let mut call = message(&url);
                call.body = vec![b'x'; asker + turn].into();
                let answer = whole(&egress, call).await.unwrap().body;
                assert_eq!(answer, if (asker + turn) % 2 == 0 { "{}" } else { "data: {}\n\n" });
            }
        });
    }
    soon(asking.join_all()).await;
    assert!(server.accepted() <= 16, "{}", server.accepted());
    soon(egress.close()).await;
    server.open(0).await;
}
