//! The other end of a link of exchanges.

use async_trait::async_trait;
use codewhale_mcp_net::client::Egress;

use crate::{End, Peer};

/// A server that is reached by exchanges: it is there until we stop.
#[derive(Debug)]
pub(super) struct HttpPeer(pub(super) Egress);

#[async_trait]
impl Peer for HttpPeer {
    async fn gone(&self) -> End {
        self.0.closed().await;
        End::Closed
    }

    async fn stop(&self) -> End {
        self.0.close().await;
        End::Closed
    }

    fn last_words(&self) -> Vec<String> {
        Vec::new()
    }
}
