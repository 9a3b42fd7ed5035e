//! Sees each link that a connection opens.

use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use codewhale_mcp_transport::{Connector, Link, OpenError, Way};

use super::class::Phase;
use super::running::Lease;

/// A connector whose links are remembered, and whose processes are counted.
pub(crate) struct Watched<'a> {
    pub(crate) connector: Box<dyn Connector>,
    pub(crate) lease: &'a Lease,
    /// Is told that a link is open.
    pub(crate) tell: Option<&'a (dyn Fn(Phase) + Send + Sync)>,
    pub(crate) starts: AtomicU32,
}

#[async_trait]
impl Connector for Watched<'_> {
    async fn open(&self, way: Way) -> Result<Link, OpenError> {
        let link = self.connector.open(way).await?;
        match &link {
            Link::Lines(lines) => {
                self.starts.fetch_add(1, Ordering::Relaxed);
                self.lease.opened(lines.peer.clone());
            }
            Link::Exchanges(exchanges) => self.lease.opened(exchanges.peer.clone()),
            _ => {}
        }
        if let Some(tell) = self.tell {
            tell(Phase::Handshake);
        }
        Ok(link)
    }
}
