//! A connection that is given up when its reader takes nothing for too long.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// A connection on which a write that waits longer than the limit fails.
pub(super) struct Stalled<T> {
    inner: T,
    limit: Duration,
    /// While a write waits.
    timer: Option<Pin<Box<Sleep>>>,
    waits: bool,
}

impl<T> Stalled<T> {
    pub(super) fn new(inner: T, limit: Duration) -> Self {
        Self { inner, limit, timer: None, waits: false }
    }

    /// Lets the timer run while a write waits, and fails when it is over.
    fn watch<R>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<R>>) -> Poll<io::Result<R>> {
        if written.is_ready() {
            self.waits = false;
            return written;
        }
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(self.limit)));
        if !self.waits {
            timer.as_mut().reset(Instant::now() + self.limit);
            self.waits = true;
        }
        match timer.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Stalled<T> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_read(cx, buf)
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Stalled<T> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.inner).poll_write(cx, buf);
        this.watch(cx, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.inner).poll_write_vectored(cx, bufs);
        this.watch(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = Pin::new(&mut this.inner).poll_flush(cx);
        this.watch(cx, flushed)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let shut = Pin::new(&mut this.inner).poll_shutdown(cx);
        this.watch(cx, shut)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_write_that_nobody_takes_fails_in_its_time_and_one_that_is_taken_does_not() {
        let (near, mut far) = duplex(4);
        let mut near = Stalled::new(near, Duration::from_secs(60));
        near.write_all(b"1234").await.unwrap();
        let start = Instant::now();
        let stalled = near.write_all(b"5").await.unwrap_err();
        assert_eq!((stalled.kind(), start.elapsed().as_secs()), (io::ErrorKind::TimedOut, 60));
        far.read_exact(&mut [0; 4]).await.unwrap();
        near.write_all(b"5678").await.unwrap();
        let reads = async {
            tokio::time::advance(Duration::from_secs(59)).await;
            far.read_exact(&mut [0; 4]).await.unwrap();
        };
        let (written, ()) = tokio::join!(near.write_all(b"9"), reads);
        written.unwrap();
    }
}
