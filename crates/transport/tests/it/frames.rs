//! Messages of a body, and what runs beside whoever reads them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use codewhale_mcp_transport::{Body, ExchangeError, Frames, Media};

/// A server that says the same again and again, as fast as it is read, until it is stopped or has said it so often.
struct Talk {
    says: &'static str,
    stopped: Arc<AtomicBool>,
    left: usize,
}

impl Body for Talk {
    fn poll_chunk(&mut self, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, ExchangeError>>> {
        if self.left == 0 || self.stopped.load(Ordering::Relaxed) {
            return Poll::Ready(None);
        }
        self.left -= 1;
        Poll::Ready(Some(Ok(Bytes::from_static(self.says.as_bytes()))))
    }
}

/// Reads all that a server says, and stops it as soon as a timer has run out beside that.
#[track_caller]
fn check(says: &'static str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let stopped = Arc::new(AtomicBool::new(false));
    let talk = Talk { says, stopped: Arc::clone(&stopped), left: 2_000_000 };
    let reading = async {
        let mut frames = Frames::new(&Media::EventStream, Box::new(talk), 1 << 30).ok().unwrap();
        while frames.next().await.unwrap().is_some() {}
        stopped.load(Ordering::Relaxed)
    };
    let is_stopped = runtime.block_on(async {
        let timer = async {
            tokio::time::sleep(Duration::from_millis(1)).await;
            stopped.store(true, Ordering::Relaxed);
        };
        tokio::join!(reading, timer).0
    });
    assert!(is_stopped, "{says:?}");
}

#[test]
fn a_server_that_never_stops_talking_leaves_others_their_turn() {
    check(": still here, still here, still here, still here, still here\n\n");
    check("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\n");
    check("data: and so on, and so on, and so on, and so on, and so on, and so on\n");
}
