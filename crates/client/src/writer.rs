//! The task that writes what callers could not write themselves.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use codewhale_mcp_transport::Outlet;
use tokio::io::{AsyncWrite, AsyncWriteExt};

use crate::shared::Shared;

/// How long a closing connection waits for a server to take its last bytes.
const LAST_BYTES: Duration = Duration::from_millis(200);

/// Writes until the connection is over. Then the outlet is dropped, which tells the server to leave.
pub(crate) async fn write(shared: Arc<Shared>, outlet: Outlet) {
    let writing = async {
        match outlet {
            #[cfg(unix)]
            Outlet::Pipe(pipe) => {
                let pipe = Arc::new(pipe);
                shared.share_pipe(pipe.clone());
                write_to_pipe(&shared, &pipe).await;
            }
            Outlet::Stream(mut stream) => write_to_stream(&shared, &mut stream).await,
            _ => {}
        }
    };
    tokio::select! {
        () = writing => {}
        () = too_late(&shared) => {}
    }
}

async fn too_late(shared: &Shared) {
    shared.ended.notified().await;
    tokio::time::sleep(LAST_BYTES).await;
}

#[cfg(unix)]
async fn write_to_pipe(shared: &Shared, pipe: &tokio::net::unix::pipe::Sender) {
    let mut buffer = Vec::new();
    while let Some(mut at) = next(shared, &mut buffer).await {
        while at < buffer.len() {
            match pipe.try_write(&buffer[at..]) {
                Ok(written) => at += written,
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                    if pipe.writable().await.is_err() {
                        return;
                    }
                }
                // The reading task sees the end of the peer and reports it.
                Err(_) => break,
            }
        }
    }
}

async fn write_to_stream(shared: &Shared, stream: &mut (dyn AsyncWrite + Send + Unpin)) {
    let mut buffer = Vec::new();
    while let Some(at) = next(shared, &mut buffer).await {
        // The reading task sees the end of the peer and reports it.
        if stream.write_all(&buffer[at..]).await.is_ok() {
            let _ = stream.flush().await;
        }
    }
    let _ = stream.shutdown().await;
}

/// Bytes that have to leave and how many of them have left already, or `None` at the end.
async fn next(shared: &Shared, buffer: &mut Vec<u8>) -> Option<usize> {
    let (head, room) = poll_fn(|context| {
        let mut state = shared.lock();
        let head = state.next_write(buffer, context.waker());
        if head.is_none() && state.gone.is_none() && !state.closing {
            return Poll::Pending;
        }
        Poll::Ready((head, state.waiting_for_room > 0))
    })
    .await;
    if room {
        shared.room.notify_one();
    }
    head
}
