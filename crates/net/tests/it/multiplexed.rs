//! HTTP/2.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use codewhale_mcp_net::client::{Dialer, Engine, Parts, Stream};
use codewhale_mcp_net::{Call, NetError, Purpose};
use http::{Request, Response, Version};
use hyper::body::{Body, Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::io::DuplexStream;
use tokio::sync::{Barrier, watch};

use crate::certified::Authority;
use crate::server::soon;
use crate::world::guard;

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

/// Has one connection to give.
#[derive(Debug)]
struct One(Mutex<Option<DuplexStream>>);

#[async_trait]
impl Dialer for One {
    async fn dial(&self, _: SocketAddr) -> io::Result<Box<dyn Stream>> {
        Ok(Box::new(self.0.lock().unwrap().take().expect("it is asked for once")))
    }
}

#[tokio::test(start_paused = true)]
async fn http_2_notices_that_nobody_is_there_any_more() {
    let authority = Authority::of("127.0.0.1", &["h2"]);
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let parts = Parts { dialer: Arc::new(One(Mutex::new(Some(ours)))), ..authority.parts() };
    let (leave, left) = tokio::sync::oneshot::channel::<()>();
    tokio::spawn(async move {
        let open = Arc::new(watch::Sender::new(1));
        let service = service_fn(move |_: Request<Incoming>| {
            let open = open.clone();
            async move { Ok::<_, Infallible>(Response::new(Endless { first: None, open })) }
        });
        let stream = TokioIo::new(authority.accept(theirs).await);
        let mut builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        builder.timer(TokioTimer::new());
        let connection = builder.serve_connection(stream, service);
        tokio::pin!(connection);
        tokio::select! {
            end = &mut connection => panic!("{end:?}"),
            _ = left => {}
        }
        // It is still open, and nothing is read any more.
        std::future::pending::<()>().await;
    });
    let url = "https://127.0.0.1/";
    let egress = Engine::new(parts).egress(guard(url), Purpose::Message);
    let mut response = egress.send(Call::get(url.parse().unwrap()), None).await.unwrap();
    let mut silence = std::pin::pin!(poll_fn(|context| response.body.poll_chunk(context)));
    // As long as the server is there, silence is fine.
    let hours = tokio::time::timeout(Duration::from_secs(7200), silence.as_mut()).await;
    assert!(hours.is_err());
    leave.send(()).unwrap();
    let end = soon(silence).await;
    assert!(matches!(end, Some(Err(NetError::Broken { .. }))), "{end:?}");
}
