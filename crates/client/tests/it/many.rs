//! Many requests at once: what of them leaves together, and what of their answers is read together.

use std::mem;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use codewhale_mcp_client::{Client, Options};
use codewhale_mcp_transport::{Connector, Lines, Link, OpenError, Outlet, Way, memory};
use serde_json::json;
use tokio::io::{self, AsyncRead, AsyncWrite, ReadBuf};
use tokio::task::JoinSet;

use crate::server::{Server, text};

/// How many lines each write had.
type Writes = Arc<Mutex<Vec<usize>>>;

/// How many answers callers had at each look for more.
type Looks = Arc<(AtomicUsize, Mutex<Vec<usize>>)>;

/// A connector whose writes and reads are counted.
struct Counted(memory::MemoryConnector, Writes, Looks);

#[async_trait::async_trait]
impl Connector for Counted {
    async fn open(&self, way: Way) -> Result<Link, OpenError> {
        let Link::Lines(Lines { outlet: Outlet::Stream(stream), inlet, peer }) = self.0.open(way).await?
        else {
            unreachable!("memory is a stream of lines");
        };
        let outlet = Outlet::Stream(Box::new(CountedStream(stream, self.1.clone())));
        let inlet = Box::new(CountedInlet(inlet, self.2.clone()));
        Ok(Link::Lines(Lines { outlet, inlet, peer }))
    }
}

struct CountedStream(Box<dyn AsyncWrite + Send + Unpin>, Writes);

impl AsyncWrite for CountedStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let Self(stream, writes) = self.get_mut();
        let written = Pin::new(stream).poll_write(context, bytes);
        if let Poll::Ready(Ok(count)) = written {
            let lines = bytes[..count].iter().filter(|byte| **byte == b'\n').count();
            writes.lock().expect("nobody panics with it").push(lines);
        }
        written
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_shutdown(context)
    }
}

struct CountedInlet(Box<dyn AsyncRead + Send + Unpin>, Looks);

impl AsyncRead for CountedInlet {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self(inlet, looks) = self.get_mut();
        looks.1.lock().expect("nobody panics with it").push(looks.0.load(Ordering::Relaxed));
        Pin::new(inlet).poll_read(context, buffer)
    }
}

/// A client whose writes and reads are counted, and its server.
async fn counted() -> (Client, Server, Writes, Looks) {
    let (connector, stream) = memory::pair(1 << 20);
    let (writes, looks, mut server) = (Writes::default(), Looks::default(), Server::new(stream));
    let counted = Counted(connector, writes.clone(), looks.clone());
    let client = tokio::spawn(async move { Client::connect(&counted, Options::default()).await });
    server.shake_hands("2025-11-25").await;
    (client.await.expect("the task ends").expect("the handshake succeeds"), server, writes, looks)
}

/// The writes of as many callers, each of which calls again when all have been answered at once, but for as many
/// `others` that wait for their answer all the time.
async fn second_round(callers: usize, others: usize) -> Vec<usize> {
    let (client, mut server, writes, _) = counted().await;
    let mut tasks = JoinSet::new();
    for _ in 0..callers + others {
        let client = client.clone();
        tasks.spawn(async move {
            loop {
                client.call_tool("x", &json!({})).send().await.expect("a result");
            }
        });
    }
    let mut answers = String::new();
    for number in 0..callers + others {
        let request = server.asked("tools/call").await;
        if number < callers {
            let answer = json!({"jsonrpc": "2.0", "id": request["id"], "result": text("ok")});
            answers += &format!("{answer}\n");
        }
    }
    mem::take(&mut *writes.lock().expect("nobody panics with it"));
    server.write(answers.as_bytes()).await;
    for _ in 0..callers {
        server.asked("tools/call").await;
    }
    mem::take(&mut *writes.lock().expect("nobody panics with it"))
}

#[tokio::test(start_paused = true)]
async fn a_server_that_would_wait_gets_half_of_many_requests_before_the_other_half_is_made() {
    assert_eq!(second_round(200, 0).await, [100, 100]);
    assert_eq!(second_round(127, 0).await, [127]);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_has_enough_to_do_gets_all_at_once() {
    assert_eq!(second_round(200, 100).await, [200]);
}

#[tokio::test(start_paused = true)]
async fn answers_that_came_are_looked_at_before_all_others_are_read() {
    const CALLERS: usize = 1000;
    let (client, mut server, _, looks) = counted().await;
    let mut tasks = JoinSet::new();
    for _ in 0..CALLERS {
        let (client, looks) = (client.clone(), looks.clone());
        tasks.spawn(async move {
            client.call_tool("x", &json!({})).send().await.expect("a result");
            looks.0.fetch_add(1, Ordering::Relaxed);
        });
    }
    let mut answers = String::new();
    for _ in 0..CALLERS {
        let request = server.asked("tools/call").await;
        let result = text(&"a long answer ".repeat(20));
        answers += &format!("{}\n", json!({"jsonrpc": "2.0", "id": request["id"], "result": result}));
    }
    mem::take(&mut *looks.1.lock().expect("nobody panics with it"));
    server.write(answers.as_bytes()).await;
    while tasks.join_next().await.is_some() {}
    let looks = mem::take(&mut *looks.1.lock().expect("nobody panics with it"));
    // At each look those have their answers that were read before; the rest is less than is read at once.
    let rest = looks.iter().filter(|had| **had < CALLERS).count() - 1;
    assert!(rest > 2 && looks[..rest].is_sorted_by(|before, after| before < after), "{looks:?}");
}
