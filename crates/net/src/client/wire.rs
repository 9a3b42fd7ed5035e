//! The bytes of one HTTP/1 connection, and a look at whether any have come unasked.

use std::any::Any;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

use super::dial::Stream;

/// A stream that can be looked at while HTTP is spoken on it. Clones are the same one.
#[derive(Clone)]
pub(super) struct Wire(Arc<Mutex<Box<dyn Stream>>>);

impl Wire {
    pub(super) fn new(stream: Box<dyn Stream>) -> Self {
        Self(Arc::new(Mutex::new(stream)))
    }

    /// Whether it is certain that nothing came since it was read last, its end neither. The system is asked; what the
    /// runtime was told may be older.
    pub(super) fn is_quiet(&self) -> bool {
        let stream = self.lock();
        socket(&**stream).is_some_and(is_quiet)
    }

    fn lock(&self) -> MutexGuard<'_, Box<dyn Stream>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The socket under a stream, as far as it is one of ours.
fn socket(stream: &dyn Stream) -> Option<&TcpStream> {
    let any: &dyn Any = stream;
    match any.downcast_ref::<TlsStream<Box<dyn Stream>>>() {
        Some(encrypted) => socket(&**encrypted.get_ref().0),
        None => any.downcast_ref(),
    }
}

#[cfg(unix)]
fn is_quiet(socket: &TcpStream) -> bool {
    use rustix::net::{RecvFlags, recv};
    // Tokio's sockets do not block.
    matches!(recv(socket, &mut [0_u8; 1], RecvFlags::PEEK), Err(rustix::io::Errno::AGAIN))
}

#[cfg(not(unix))]
fn is_quiet(_: &TcpStream) -> bool {
    false
}

impl AsyncRead for Wire {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.lock()).poll_read(context, buffer)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut *self.lock()).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut *self.lock()).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.lock().is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.lock()).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.lock()).poll_shutdown(context)
    }
}
