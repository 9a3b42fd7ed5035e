//! TLS, and HTTP/2 over it.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use codewhale_mcp_net::client::{Engine, Parts};
use codewhale_mcp_net::{Call, NetError, Purpose};
use http::{Request, Response, Version};
use hyper::body::{Body, Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::sync::{Barrier, watch};

use crate::certified::Authority;
use crate::network::{Names, Roads, egress, message, whole};
use crate::server::{Server, reply, soon};
use crate::world::guard;

#[tokio::test]
async fn an_authority_of_a_file_is_trusted_beside_those_of_the_system() {
    let server = Server::start(|_| reply("200 OK", &[], b"{}")).await;
    let authority = Authority::of("mcp.example", &["http/1.1"]);
    let address = authority
        .listen({
            let server = server.clone();
            move |stream| server.clone().serve(stream)
        })
        .await;
    let (names, roads) = (Names::new(&[&["9.9.9.9"]]), Roads::to(address));
    let parts = Parts { resolver: names.clone(), dialer: roads.clone(), ..authority.parts() };
    let url = "https://mcp.example/";
    let known = Engine::new(parts.clone()).egress(guard(url), Purpose::Message);
    for _ in 0..3 {
        assert_eq!(whole(&known, message(url)).await.unwrap().body, "{}");
    }
    assert_eq!((roads.dialled().len(), server.accepted()), (1, 1));
    // Another name, and an authority that nobody trusts.
    let url = "https://other.example/";
    let other = Engine::new(parts.clone()).egress(guard(url), Purpose::Message);
    let error = whole(&other, message(url)).await.unwrap_err();
    assert!(matches!(&error, NetError::Tls { host, .. } if host == "other.example:443"), "{error}");
    let url = "https://mcp.example/";
    let nobody = Authority::of("mcp.example", &[]);
    let unknown = Parts { resolver: names, dialer: roads, ..nobody.parts() };
    let error =
        whole(&Engine::new(unknown).egress(guard(url), Purpose::Message), message(url)).await.unwrap_err();
    assert!(matches!(&error, NetError::Tls { reason, .. } if reason.contains("certificate")), "{error}");
    assert_eq!(server.received().len(), 3);
}

#[tokio::test]
async fn a_file_that_holds_no_authority_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_owned();
    let address = Authority::of("localhost", &[]).listen(|_| async {}).await;
    let url = format!("https://{address}/");
    for path in [path.clone(), path.with_extension("missing")] {
        let engine = Engine::new(Parts { authorities: Some(path.clone()), ..Parts::default() });
        let error = whole(&engine.egress(guard(&url), Purpose::Message), message(&url)).await.unwrap_err();
        let named = |reason: &str| reason.contains(path.to_str().unwrap());
        assert!(matches!(&error, NetError::Tls { reason, .. } if named(reason)), "{error}");
    }
}

#[tokio::test]
async fn a_server_without_encryption_is_told_so() {
    let server = Server::start(|_| reply("200 OK", &[], b"{}")).await;
    let url = format!("https://{}/", server.address);
    let error = whole(&egress(&url), message(&url)).await.unwrap_err();
    assert!(matches!(error, NetError::Tls { .. }), "{error}");
    assert_eq!(server.received().len(), 0);
}

/// A body that says one thing, and waits until it is dropped.
struct Endless {
    first: Option<Bytes>,
    open: Arc<watch::Sender<usize>>,
}

impl Body for Endless {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.first.take() {
            Some(first) => Poll::Ready(Some(Ok(Frame::data(first)))),
            None => Poll::Pending,
        }
    }
}

impl Drop for Endless {
    fn drop(&mut self) {
        self.open.send_modify(|open| *open -= 1);
    }
}

#[tokio::test]
async fn http_2_carries_many_on_one_connection_and_resets_what_is_dropped() {
    const MANY: usize = 20;
    let authority = Authority::of("127.0.0.1", &["h2", "http/1.1"]);
    let (open, accepted) = (Arc::new(watch::Sender::new(0)), Arc::new(AtomicUsize::new(0)));
    let barrier = Arc::new(Barrier::new(MANY));
    let (serving, counting) = (open.clone(), accepted.clone());
    let address = authority
        .listen(move |stream| {
            counting.fetch_add(1, Ordering::SeqCst);
            let (open, barrier) = (serving.clone(), barrier.clone());
            let service = service_fn(move |request: Request<Incoming>| {
                let (open, barrier) = (open.clone(), barrier.clone());
                async move {
                    assert_eq!(request.version(), Version::HTTP_2);
                    if request.uri().path() == "/together" {
                        barrier.wait().await;
                    }
                    open.send_modify(|open| *open += 1);
                    let first = Some(Bytes::from_static(b"data: 1\n\n"));
                    Ok::<_, Infallible>(Response::new(Endless { first, open }))
                }
            });
            let connection = hyper::server::conn::http2::Builder::new(TokioExecutor::new())
                .serve_connection(TokioIo::new(stream), service);
            async { drop(connection.await) }
        })
        .await;
    let url = format!("https://{address}/");
    let egress = authority.engine().egress(guard(&url), Purpose::Message);
    let get = |path: &str| Call::get(format!("https://{address}{path}").parse().unwrap());
    // The first one finds out what the server speaks.
    drop(soon(egress.send(get("/"), None)).await.unwrap());
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..MANY {
        let (egress, call) = (egress.clone(), get("/together"));
        asking.spawn(async move { egress.send(call, None).await.unwrap() });
    }
    let mut responses = soon(asking.join_all()).await;
    for response in &mut responses {
        let chunk = soon(poll_fn(|context| response.body.poll_chunk(context))).await;
        assert_eq!(chunk.unwrap().unwrap(), "data: 1\n\n");
    }
    let mut count = open.subscribe();
    soon(count.wait_for(|open| *open == MANY)).await.unwrap();
    let last = responses.pop();
    drop(responses);
    soon(count.wait_for(|open| *open == 1)).await.unwrap();
    assert_eq!(accepted.load(Ordering::SeqCst), 1);
    soon(egress.close()).await;
    soon(count.wait_for(|open| *open == 0)).await.unwrap();
    drop(last);
}
