//! The task that reads: finds lines, and whose they are.

use std::sync::Arc;
use std::time::Duration;

use bytes::{Buf, BytesMut};
use codewhale_mcp_protocol::{LineScanner, LineTooLong};
use codewhale_mcp_transport::{End, Peer};
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::error::{Gone, LimitFault};
use crate::shared::Shared;
use crate::state::Effects;

const SMALL: usize = 8 << 10;
const LARGE: usize = 256 << 10;
/// How long a peer that closed its stream is waited for, to learn how it ended.
const GRACE: Duration = Duration::from_secs(1);

/// Reads until the link ends, then says so to everything that waits.
pub(crate) async fn read(
    shared: Arc<Shared>,
    mut inlet: Box<dyn AsyncRead + Send + Unpin>,
    peer: Arc<dyn Peer>,
    limit: usize,
) {
    let fault = read_frames(&shared, &mut inlet, limit).await;
    let end = match fault {
        None => tokio::time::timeout(GRACE, peer.gone()).await.unwrap_or(End::Closed),
        Some(_) => End::Closed,
    };
    shared.close(Gone { end, fault, last_words: peer.last_words() });
}

async fn read_frames(
    shared: &Arc<Shared>,
    inlet: &mut (dyn AsyncRead + Send + Unpin),
    limit: usize,
) -> Option<LimitFault> {
    let mut buffer = BytesMut::new();
    let mut scanner = LineScanner::new(limit);
    let mut effects = Effects::default();
    let mut over = std::pin::pin!(shared.over.notified());
    let mut ahead = SMALL;
    loop {
        if buffer.capacity() - buffer.len() < ahead / 4 {
            buffer.reserve(ahead.max(buffer.len()));
        }
        let room = buffer.capacity() - buffer.len();
        let read = tokio::select! {
            biased;
            read = inlet.read_buf(&mut buffer) => read,
            // A process that holds the stream open must not keep this task.
            () = &mut over => return None,
        };
        match read {
            Ok(read) if read > 0 => ahead = if read == room { (ahead * 2).min(LARGE) } else { SMALL },
            // A peer that is gone shows itself as an error on some systems.
            Ok(_) | Err(_) => return None,
        }
        let taken = take_frames(shared, &mut buffer, &mut scanner, &mut effects);
        shared.fire(&mut effects);
        if let Err(fault) = taken {
            return Some(fault);
        }
        if buffer.is_empty() && buffer.capacity() > LARGE {
            buffer = BytesMut::new();
        }
    }
}

fn take_frames(
    shared: &Shared,
    buffer: &mut BytesMut,
    scanner: &mut LineScanner,
    effects: &mut Effects,
) -> Result<(), LimitFault> {
    let Some(mut length) = scanner.next(buffer)? else { return Ok(()) };
    let mut state = shared.lock();
    loop {
        let mut line = buffer.split_to(length);
        trim(&mut line);
        if !line.is_empty() {
            state.receive(|| shared.now(), line.freeze(), effects);
        }
        match scanner.next(buffer) {
            Ok(Some(next)) => length = next,
            Ok(None) => break,
            Err(LineTooLong { limit }) => return Err(LineTooLong { limit }.into()),
        }
    }
    state.overfull().map_or(Ok(()), Err)
}

/// Cuts a line's end, white space around it and a byte order mark off, in place.
fn trim(line: &mut BytesMut) {
    let kept = codewhale_mcp_protocol::trim_line(line);
    let start = kept.as_ptr() as usize - line.as_ptr() as usize;
    let length = kept.len();
    if start > 0 {
        line.advance(start);
    }
    line.truncate(length);
}
