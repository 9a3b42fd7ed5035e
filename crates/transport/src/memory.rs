//! A server in this process: a pipe in memory.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker, ready};

use async_trait::async_trait;
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, ReadBuf, ReadHalf, WriteHalf};
use tokio::sync::watch;

use crate::{Connector, End, Lines, Link, OpenError, Outlet, Peer, Way};

/// A connector that opens one link, and the server's end of it. Each direction holds `capacity` bytes before
/// its writer has to wait.
#[must_use]
pub fn pair(capacity: usize) -> (MemoryConnector, DuplexStream) {
    let (ours, theirs) = tokio::io::duplex(capacity);
    (MemoryConnector { stream: Mutex::new(Some(ours)) }, theirs)
}

/// Opens one link to a server in this process.
#[derive(Debug)]
pub struct MemoryConnector {
    stream: Mutex<Option<DuplexStream>>,
}

#[async_trait]
impl Connector for MemoryConnector {
    async fn open(&self, _way: Way) -> Result<Link, OpenError> {
        let stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (inlet, outlet) = tokio::io::split(stream.ok_or(OpenError::Exhausted)?);
        let gone = Arc::new(watch::Sender::new(false));
        let inlet = Box::new(Inlet { half: inlet, gone: Arc::clone(&gone) });
        let outlet = Outlet::Stream(Box::new(Closing { half: outlet }));
        Ok(Link::Lines(Lines { outlet, inlet, peer: Arc::new(MemoryPeer { gone }) }))
    }
}

/// A peer of which nothing is known but that its stream ended, or that it was told to stop.
#[derive(Debug)]
struct MemoryPeer {
    gone: Arc<watch::Sender<bool>>,
}

#[async_trait]
impl Peer for MemoryPeer {
    async fn gone(&self) -> End {
        // The sender lives as long as this peer, so waiting cannot fail.
        let _ = self.gone.subscribe().wait_for(|gone| *gone).await;
        End::Closed
    }

    async fn stop(&self) -> End {
        self.gone.send_replace(true);
        End::Closed
    }

    fn last_words(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The reading half, which notices that the server's end was dropped.
struct Inlet {
    half: ReadHalf<DuplexStream>,
    gone: Arc<watch::Sender<bool>>,
}

impl AsyncRead for Inlet {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let (room, before) = (buffer.remaining(), buffer.filled().len());
        let read = ready!(Pin::new(&mut self.half).poll_read(cx, buffer));
        if read.is_err() || (room > 0 && buffer.filled().len() == before) {
            self.gone.send_replace(true);
        }
        Poll::Ready(read)
    }
}

/// The writing half. Dropping it closes its direction, as it would a pipe's; half of a split stream does not do
/// that by itself.
struct Closing {
    half: WriteHalf<DuplexStream>,
}

impl AsyncWrite for Closing {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.half).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.half).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.half).poll_shutdown(cx)
    }
}

impl Drop for Closing {
    fn drop(&mut self) {
        // A stream in memory closes without waiting.
        let _ = Pin::new(&mut self.half).poll_shutdown(&mut Context::from_waker(Waker::noop()));
    }
}
