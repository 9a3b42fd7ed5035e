//! Answers that are more than anybody wants: no more of them is taken than what may be, and the next call is a call.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use async_trait::async_trait;
use codewhale_mcp_manager::{Dialer, Stream};
use codewhale_mcp_net::client::TcpDialer;
use codewhale_testkit::HttpFake;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::http::world::{call, connected};
use crate::world::{World, run};

/// The most bytes of a message.
const LIMIT: usize = 1 << 20;
/// What is on its way or read ahead when the limit is seen.
const MORE: usize = 1 << 20;

/// Dials, and counts every byte that comes.
#[derive(Debug, Default)]
struct Counting(Arc<AtomicUsize>);

#[async_trait]
impl Dialer for Counting {
    async fn dial(&self, to: SocketAddr) -> io::Result<Box<dyn Stream>> {
        let stream = TcpDialer.dial(to).await?;
        Ok(Box::new(Counted { stream, read: self.0.clone() }))
    }
}

struct Counted {
    stream: Box<dyn Stream>,
    read: Arc<AtomicUsize>,
}

impl fmt::Debug for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Counted")
    }
}

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.read.fetch_add(buffer.filled().len() - before, Ordering::SeqCst);
        read
    }
}

impl AsyncWrite for Counted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

fn counting() -> (World, Arc<AtomicUsize>) {
    let read = Arc::new(AtomicUsize::new(0));
    let dialer = Counting(read.clone());
    let world = World::with(|setup| {
        setup.options.message_limit = LIMIT;
        setup.network.parts.dialer = Arc::new(dialer);
    });
    (world, read)
}

#[test]
fn no_more_of_an_answer_is_read_than_a_message_may_have() {
    run(async {
        for mode in ["huge-json", "huge-event"] {
            for era in ["legacy", "modern"] {
                let (world, read) = counting();
                let fake = HttpFake::start(&format!("{mode} --era {era}"));
                let connection = connected(&world, &fake).await;
                let before = read.load(Ordering::SeqCst);
                let told = call(connection.client(), "too much").await.expect_err("it is too much");
                assert!(told.to_string().ends_with("has more than 1048576 bytes"), "{mode} {era}: {told}");
                // The server has a terabyte more; it is told by the end of the connection.
                fake.until(|fake| fake.open_connections() <= 2).await;
                let taken = read.load(Ordering::SeqCst) - before;
                assert!((LIMIT..LIMIT + MORE).contains(&taken), "{mode} {era}: {taken}");
                assert_eq!(fake.count("tools/call"), 1, "{mode} {era}");
                let listed = connection.client().list_tools_page(None).fresh().send().await;
                assert!(listed.is_ok(), "{mode} {era}: {listed:?}");
                connection.close().await;
                world.manager.shutdown().await;
            }
        }
    });
}

#[test]
fn heads_and_pages_of_any_size_are_read_for_their_beginning_alone() {
    run(async {
        for mode in ["huge-head --bytes 100000000", "huge-page --bytes 100000000"] {
            let (world, read) = counting();
            let fake = HttpFake::start(mode);
            let attempt =
                world.manager.connect(&crate::http::world::remote(&fake, serde_json::json!({}))).await;
            assert!(attempt.connection.is_none(), "{mode}: {:?}", attempt.report.outcome);
            fake.until(|fake| fake.open_connections() == 0).await;
            let taken = read.load(Ordering::SeqCst);
            assert!(taken < 2 * MORE, "{mode}: {taken}");
            assert_eq!(fake.requests().len(), 1, "{mode}");
            world.manager.shutdown().await;
        }
    });
}
