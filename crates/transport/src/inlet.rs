//! The reading end of a pipe, which is widened once it was found full.

use std::io;
use std::os::fd::AsFd;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};

use crate::wide::{PIPE_HOLDS, widen};

/// The reading end of a pipe.
#[derive(Debug)]
pub(crate) struct Widening<P> {
    pipe: P,
    is_wide: bool,
}

impl<P> Widening<P> {
    pub(crate) fn new(pipe: P) -> Self {
        Self { pipe, is_wide: false }
    }
}

impl<P: AsyncRead + AsFd + Unpin> AsyncRead for Widening<P> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.pipe).poll_read(cx, buffer));
        if !self.is_wide && buffer.filled().len() - before >= PIPE_HOLDS {
            self.is_wide = true;
            widen(&self.pipe);
        }
        Poll::Ready(read)
    }
}

#[cfg(all(test, target_os = "linux", feature = "stdio"))]
mod tests {
    use std::io::Write;
    use std::thread;

    use rustix::pipe::fcntl_getpipe_size;
    use tokio::io::AsyncReadExt;
    use tokio::net::unix::pipe::Receiver;

    use super::Widening;
    use crate::wide::PIPE_HOLDS;

    #[tokio::test]
    async fn a_pipe_that_is_found_full_holds_more_from_then_on() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let sent: Vec<u8> = (0..1 << 20).map(|at: u32| at.to_le_bytes()[at as usize % 3]).collect();
        let expected = sent.clone();
        let writing = thread::spawn(move || writer.write_all(&sent));
        let mut inlet = Widening::new(Receiver::from_owned_fd(reader.into()).unwrap());
        assert_eq!(fcntl_getpipe_size(&inlet.pipe).unwrap(), PIPE_HOLDS);
        let (mut received, mut buffer) = (Vec::new(), vec![0; PIPE_HOLDS]);
        loop {
            // Wait until it is full, or everything is in it.
            let left = expected.len() - received.len();
            while rustix::io::ioctl_fionread(&inlet.pipe).unwrap() < left.min(PIPE_HOLDS) as u64 {
                thread::yield_now();
            }
            match inlet.read(&mut buffer).await.unwrap() {
                0 => break,
                read => received.extend_from_slice(&buffer[..read]),
            }
        }
        assert!(received == expected);
        assert!(fcntl_getpipe_size(&inlet.pipe).unwrap() > PIPE_HOLDS);
        writing.join().unwrap().unwrap();
    }
}
