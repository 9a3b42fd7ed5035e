//! The task that writes what callers could not write themselves.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use codewhale_mcp_transport::{End, Outlet, Peer};
#[cfg(unix)]
use codewhale_mcp_transport::{PIPE_HOLDS, widen};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::time::sleep;

use crate::error::{Gone, LimitFault};
use crate::shared::Shared;

/// How long a closing connection waits for a server to take its last bytes.
const LAST_BYTES: Duration = Duration::from_millis(200);

/// How long a server that reads no more may take to show that it is gone.
const GRACE: Duration = Duration::from_secs(1);

/// How long a connection keeps its large buffers while nothing has to leave.
const IDLE: Duration = Duration::from_secs(1);

/// What became of what had to leave.
enum Written {
    All,
    /// The server has closed its end.
    Broken,
}

/// Writes until the connection is over. Then the outlet is dropped, which tells the server to leave.
pub(crate) async fn write(shared: Arc<Shared>, outlet: Outlet, peer: Arc<dyn Peer>) {
    let writing = async {
        match outlet {
            #[cfg(unix)]
            Outlet::Pipe(pipe) => {
                let pipe = Arc::new(pipe);
                shared.share_pipe(pipe.clone());
                write_to_pipe(&shared, &pipe).await
            }
            Outlet::Stream(mut stream) => write_to_stream(&shared, &mut stream).await,
            _ => Written::All,
        }
    };
    let written = tokio::select! {
        written = writing => written,
        () = too_late(&shared) => Written::All,
    };
    // Who closes lets go of it too, but may have done so before it was there.
    shared.drop_pipe();
    // A server that has ended is reported as such by who reads; one that lives on will never answer.
    if let Written::Broken = written
        && tokio::time::timeout(GRACE, peer.gone()).await.is_err()
    {
        let fault = Some(LimitFault::Deaf);
        shared.close(Gone { end: End::Closed, fault, last_words: peer.last_words() });
    }
}

async fn too_late(shared: &Shared) {
    shared.ended.notified().await;
    sleep(LAST_BYTES).await;
}

#[cfg(unix)]
async fn write_to_pipe(shared: &Shared, pipe: &tokio::net::unix::pipe::Sender) -> Written {
    let mut buffer = Vec::new();
    let mut is_wide = false;
    while let Some(mut at) = next(shared, &mut buffer).await {
        while at < buffer.len() {
            match pipe.try_write(&buffer[at..]) {
                Ok(written) => at += written,
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                    if !is_wide && buffer.len() > PIPE_HOLDS {
                        is_wide = true;
                        widen(pipe);
                        continue;
                    }
                    if pipe.writable().await.is_err() {
                        return Written::Broken;
                    }
                }
                Err(_) => return Written::Broken,
            }
        }
    }
    Written::All
}

async fn write_to_stream(shared: &Shared, stream: &mut (dyn AsyncWrite + Send + Unpin)) -> Written {
    let mut buffer = Vec::new();
    while let Some(at) = next(shared, &mut buffer).await {
        if stream.write_all(&buffer[at..]).await.is_err() || stream.flush().await.is_err() {
            return Written::Broken;
        }
    }
    let _ = stream.shutdown().await;
    Written::All
}

/// Bytes that have to leave and how many of them have left already, or `None` at the end.
async fn next(shared: &Shared, buffer: &mut Vec<u8>) -> Option<usize> {
    let mut idle = None;
    let (head, room) = poll_fn(|context| {
        let mut state = shared.lock();
        let head = state.next_write(buffer, context.waker());
        if head.is_some() || state.gone.is_some() || state.closing {
            return Poll::Ready((head, state.waiting_for_room > 0));
        }
        let is_roomy = state.is_roomy();
        drop(state);
        if is_roomy && idle.get_or_insert_with(|| Box::pin(sleep(IDLE))).as_mut().poll(context).is_ready() {
            shared.lock().slim();
            idle = None;
        }
        Poll::Pending
    })
    .await;
    if room {
        shared.room.notify_one();
    }
    head
}
