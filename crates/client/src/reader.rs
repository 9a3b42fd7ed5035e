//! The task that reads: finds lines, and whose they are.

use std::cell::Cell;
use std::future::poll_fn;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use codewhale_mcp_protocol::{LineScanner, trim_line};
use codewhale_mcp_transport::{End, Peer};
use tokio::io::{AsyncRead, AsyncReadExt, ReadBuf};

use crate::error::{Gone, LimitFault};
use crate::shared::Shared;
use crate::state::Effects;

/// How much is read at once: as much as a pipe holds.
const CHUNK: usize = 64 << 10;
/// Lines that came together are copied together, as many as this holds: whoever keeps one keeps no more than that.
const BLOCK: usize = 4 << 10;
/// How long a peer that closed its stream is waited for, to learn how it ended.
const GRACE: Duration = Duration::from_secs(1);

thread_local! {
    /// Where all connections of a thread read into, one at a time: one that waits for its server holds no memory.
    static SHARED_CHUNK: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Reads until the link ends, then says so to everything that waits.
pub(crate) async fn read(
    shared: Arc<Shared>,
    mut inlet: Box<dyn AsyncRead + Send + Unpin>,
    peer: Arc<dyn Peer>,
    limit: usize,
) {
    let mut reader = Reader {
        shared: &shared,
        begun: BytesMut::new(),
        usual: 0,
        has_more: false,
        scanner: LineScanner::new(limit),
        effects: Effects::default(),
    };
    let fault = reader.read(&mut inlet).await;
    let end = match fault {
        None => tokio::time::timeout(GRACE, peer.gone()).await.unwrap_or(End::Closed),
        Some(_) => End::Closed,
    };
    shared.close(Gone { end, fault, last_words: peer.last_words() });
}

struct Reader<'a> {
    shared: &'a Arc<Shared>,
    /// A line that has not ended yet, and what came behind it.
    begun: BytesMut,
    /// About how long such lines were of late: room for one is made at once, since to make more and more moves it.
    usual: usize,
    /// As much was read as is read at once.
    has_more: bool,
    scanner: LineScanner,
    effects: Effects,
}

/// Why nothing more is read.
enum Stop {
    /// The link has ended.
    End,
    Fault(LimitFault),
}

impl Reader<'_> {
    async fn read(&mut self, inlet: &mut (dyn AsyncRead + Send + Unpin)) -> Option<LimitFault> {
        let shared = self.shared;
        let mut over = std::pin::pin!(shared.over.notified());
        loop {
            let taken = tokio::select! {
                biased;
                taken = self.more(inlet) => taken,
                // A process that holds the stream open must not keep this task.
                () = &mut over => return None,
            };
            let is_awaited = !self.effects.wakers.is_empty();
            shared.fire(&mut self.effects);
            match taken {
                // What thousands wait for is looked at while it is in the cache.
                Ok(()) if is_awaited && self.has_more => give_way().await,
                Ok(()) => {}
                Err(Stop::End) => return None,
                Err(Stop::Fault(fault)) => return Some(fault),
            }
        }
    }

    /// Takes in what comes next.
    async fn more(&mut self, inlet: &mut (dyn AsyncRead + Send + Unpin)) -> Result<(), Stop> {
        if self.begun.is_empty() {
            return poll_fn(|context| self.poll_lines(inlet, context)).await;
        }
        if self.begun.capacity() - self.begun.len() < CHUNK / 4 {
            let rest = self.usual.saturating_sub(self.begun.len());
            self.begun.reserve(self.begun.len().max(CHUNK + rest));
        }
        match inlet.read_buf(&mut self.begun).await {
            Ok(read) if read > 0 => {
                self.has_more = read >= CHUNK;
                self.take_begun().map_err(Stop::Fault)
            }
            // A peer that is gone shows itself as an error on some systems.
            Ok(_) | Err(_) => Err(Stop::End),
        }
    }

    /// Lines that come whole are copied: what is kept of them keeps little else.
    fn poll_lines(
        &mut self,
        inlet: &mut (dyn AsyncRead + Send + Unpin),
        context: &mut Context<'_>,
    ) -> Poll<Result<(), Stop>> {
        let mut chunk = SHARED_CHUNK.take();
        if chunk.is_empty() {
            chunk = vec![0; CHUNK];
        }
        let mut read = ReadBuf::new(&mut chunk);
        let polled = Pin::new(inlet).poll_read(context, &mut read).map(|done| match (done, read.filled()) {
            (Ok(()), bytes) if !bytes.is_empty() => {
                self.has_more = bytes.len() == CHUNK;
                self.take_lines(bytes).map_err(Stop::Fault)
            }
            _ => Err(Stop::End),
        });
        SHARED_CHUNK.set(chunk);
        polled
    }

    fn take_lines(&mut self, mut bytes: &[u8]) -> Result<(), LimitFault> {
        if let Some(mut length) = self.scanner.next(bytes)? {
            let mut state = self.shared.lock();
            let mut block = Bytes::new();
            loop {
                if block.is_empty() {
                    block = several_lines(bytes, length);
                }
                let line = match block.is_empty() {
                    true => Bytes::copy_from_slice(trim_line(&bytes[..length])),
                    false => trimmed(block.split_to(length)),
                };
                if !line.is_empty() {
                    state.receive(|| self.shared.now(), line, &mut self.effects);
                }
                bytes = &bytes[length..];
                match self.scanner.next(bytes)? {
                    Some(next) => length = next,
                    None => break,
                }
            }
            state.overfull().map_or(Ok(()), Err)?;
        }
        self.begun.extend_from_slice(bytes);
        Ok(())
    }

    fn take_begun(&mut self) -> Result<(), LimitFault> {
        let Some(length) = self.scanner.next(&self.begun)? else { return Ok(()) };
        self.usual = length.max(self.usual / 2);
        let line = trimmed(self.begun.split_to(length).freeze());
        let rest = mem::take(&mut self.begun);
        {
            let mut state = self.shared.lock();
            if !line.is_empty() {
                state.receive(|| self.shared.now(), line, &mut self.effects);
            }
            state.overfull().map_or(Ok(()), Err)?;
        }
        self.take_lines(&rest)
    }
}

/// Lets those run who were woken before.
async fn give_way() {
    let mut given = false;
    poll_fn(|context| {
        if mem::replace(&mut given, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Without what does not belong to the message, which mostly stands behind it.
fn trimmed(mut line: Bytes) -> Bytes {
    let text = trim_line(&line);
    if text.as_ptr() != line.as_ptr() {
        return line.slice_ref(text);
    }
    line.truncate(text.len());
    line
}

/// A copy of the lines that `bytes` begin with, as many as a block holds; nothing where the first one, which has this
/// length, is the only one.
fn several_lines(bytes: &[u8], length: usize) -> Bytes {
    let near = &bytes[..bytes.len().min(BLOCK)];
    let others = near.get(length..).unwrap_or_default();
    match others.iter().rposition(|byte| *byte == b'\n') {
        Some(end) => Bytes::copy_from_slice(&near[..=length + end]),
        None => Bytes::new(),
    }
}
