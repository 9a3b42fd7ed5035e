//! Messages of a body, and what runs beside whoever reads them.

use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use codewhale_mcp_transport::{Body, ExchangeError, Frames, Media};
use tokio::time::timeout;

/// A server that says the same again and again, as fast as it is read.
struct Talk {
    says: &'static str,
    left: usize,
}

impl Body for Talk {
    fn poll_chunk(&mut self, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, ExchangeError>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        self.left -= 1;
        Poll::Ready(Some(Ok(Bytes::from_static(self.says.as_bytes()))))
    }
}

/// Reads all that a server says, which takes seconds, and holds that to a deadline.
#[track_caller]
fn check(says: &'static str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let talk = Talk { says, left: 2_000_000 };
    let reading = async {
        let mut frames = Frames::new(&Media::EventStream, Box::new(talk), 1 << 30).ok().unwrap();
        while frames.next().await.unwrap().is_some() {}
    };
    let ended = runtime.block_on(async { timeout(Duration::from_millis(1), reading).await });
    assert!(ended.is_err(), "{says:?}");
}

#[test]
fn a_server_that_never_stops_talking_leaves_others_their_turn() {
    check(": still here, still here, still here, still here, still here\n\n");
    check("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\n");
    check("data: and so on, and so on, and so on, and so on, and so on, and so on\n");
}
