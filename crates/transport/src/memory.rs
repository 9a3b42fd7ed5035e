//! A server in this process: a pipe in memory.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use tokio::io::DuplexStream;
use tokio::sync::watch;

use crate::{Connector, End, Lines, Link, OpenError, Outlet, Peer};

/// A connector that opens one link, and the server's end of it. Each direction holds `capacity` bytes before
/// its writer has to wait.
#[must_use]
pub fn pair(capacity: usize) -> (MemoryConnector, DuplexStream) {
    let (ours, theirs) = tokio::io::duplex(capacity);
    (MemoryConnector { stream: Mutex::new(Some(ours)) }, theirs)
}

/// Opens one link to a server in this process.
#[derive(Debug)]
pub struct MemoryConnector {
    stream: Mutex<Option<DuplexStream>>,
}

#[async_trait]
impl Connector for MemoryConnector {
    async fn open(&self) -> Result<Link, OpenError> {
        let stream = self.stream.lock().expect("nothing panics while it holds the lock").take();
        let (inlet, outlet) = tokio::io::split(stream.ok_or(OpenError::Exhausted)?);
        let peer = Arc::new(MemoryPeer { stopped: watch::Sender::new(false) });
        Ok(Link::Lines(Lines { outlet: Outlet::Stream(Box::new(outlet)), inlet: Box::new(inlet), peer }))
    }
}

/// A peer of which nothing is known but whether it was told to stop; its stream says when it is gone.
#[derive(Debug)]
struct MemoryPeer {
    stopped: watch::Sender<bool>,
}

#[async_trait]
impl Peer for MemoryPeer {
    async fn gone(&self) -> End {
        // The sender lives as long as this peer, so waiting cannot fail.
        let _ = self.stopped.subscribe().wait_for(|stopped| *stopped).await;
        End::Closed
    }

    async fn stop(&self) -> End {
        self.stopped.send_replace(true);
        End::Closed
    }

    fn last_words(&self) -> Vec<String> {
        Vec::new()
    }
}
