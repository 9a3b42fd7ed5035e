//! Reads standard error as it comes, holding no buffer while there is nothing to read.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};
#[cfg(unix)]
use tokio::net::unix::pipe::Receiver;

use super::lines::Lines;
use super::{StderrSink, Tail};

const CHUNK: usize = 8 * 1024;
/// How much is read in one go before others get their turn.
const TURN: usize = 64 * 1024;
/// How much is read to catch up with a process that has left: far more than a pipe holds.
const CATCH_UP: usize = 1024 * 1024;
/// How long the end of a stream is waited for when "empty for now" cannot be told.
const CATCH_UP_WAIT: Duration = Duration::from_millis(200);

/// Where the bytes come from.
pub(crate) enum Source {
    /// A pipe of which "empty for now" can be told.
    #[cfg(unix)]
    Pipe(Receiver),
    /// Anything else.
    Stream(Box<dyn AsyncRead + Send + Unpin>),
    /// It has ended.
    Ended,
}

/// The reader of one process's standard error.
pub(crate) struct Drain {
    source: Source,
    lines: Lines,
    tail: Arc<Mutex<Tail>>,
    sink: Option<Arc<dyn StderrSink>>,
}

impl Drain {
    pub(crate) fn new(source: Source, tail: Arc<Mutex<Tail>>, sink: Option<Arc<dyn StderrSink>>) -> Self {
        Self { source, lines: Lines::default(), tail, sink }
    }

    /// Whether more can come.
    pub(crate) fn is_open(&self) -> bool {
        !matches!(self.source, Source::Ended)
    }

    /// Waits for something to come and takes it in. May be dropped at any await without a loss.
    pub(crate) async fn step(&mut self) {
        let full = match &mut self.source {
            #[cfg(unix)]
            Source::Pipe(pipe) => match pipe.readable().await {
                Ok(()) => self.take_in(TURN, |pipe, buffer| pipe.try_read(buffer)),
                Err(_) => self.end(),
            },
            Source::Stream(_) => poll_fn(|cx| self.poll_chunk(cx)).await,
            Source::Ended => false,
        };
        if full {
            tokio::task::yield_now().await;
        }
    }

    /// Takes in everything that was written up to now, for a process that has left. What has begun counts as a
    /// line, as nobody is left to end it.
    pub(crate) async fn catch_up(&mut self) {
        match &mut self.source {
            // Straight from the system: the runtime may not have heard yet that there is something to read.
            #[cfg(unix)]
            Source::Pipe(_) => {
                self.take_in(CATCH_UP, |pipe, buffer| Ok(rustix::io::read(pipe, buffer)?));
            }
            Source::Stream(_) => {
                let to_the_end = async {
                    while self.is_open() {
                        self.step().await;
                    }
                };
                // A descendant that holds the stream open is not waited for any longer.
                let _ = tokio::time::timeout(CATCH_UP_WAIT, to_the_end).await;
            }
            Source::Ended => {}
        }
        let (tail, sink) = (&self.tail, self.sink.as_deref());
        self.lines.flush(|line| keep(tail, sink, line));
    }

    /// Reads until there is nothing, or until `limit`; says whether it was the limit.
    #[cfg(unix)]
    fn take_in(&mut self, limit: usize, read: impl Fn(&Receiver, &mut [u8]) -> io::Result<usize>) -> bool {
        let mut buffer = [0; CHUNK];
        let mut taken = 0;
        while taken < limit {
            let Source::Pipe(pipe) = &self.source else { return false };
            match read(pipe, &mut buffer) {
                Ok(0) => return self.end(),
                Ok(count) => {
                    taken += count;
                    self.feed(&buffer[..count]);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return false,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return self.end(),
            }
        }
        true
    }

    /// Reads one chunk; says whether more may be waiting.
    fn poll_chunk(&mut self, cx: &mut Context<'_>) -> Poll<bool> {
        let Source::Stream(stream) = &mut self.source else { return Poll::Ready(false) };
        let mut buffer = [0; CHUNK];
        let mut read = ReadBuf::new(&mut buffer);
        match Pin::new(stream).poll_read(cx, &mut read) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Ok(())) if !read.filled().is_empty() => {
                self.feed(read.filled());
                Poll::Ready(true)
            }
            Poll::Ready(_) => Poll::Ready(self.end()),
        }
    }

    fn feed(&mut self, bytes: &[u8]) {
        let (tail, sink) = (&self.tail, self.sink.as_deref());
        self.lines.feed(bytes, |line| keep(tail, sink, line));
    }

    fn end(&mut self) -> bool {
        self.source = Source::Ended;
        let (tail, sink) = (&self.tail, self.sink.as_deref());
        self.lines.flush(|line| keep(tail, sink, line));
        false
    }
}

fn keep(tail: &Mutex<Tail>, sink: Option<&dyn StderrSink>, line: String) {
    if let Some(sink) = sink {
        sink.line(&line);
    }
    tail.lock().unwrap_or_else(PoisonError::into_inner).push(line);
}
