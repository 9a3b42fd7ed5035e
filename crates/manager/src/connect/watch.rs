//! Sees each process that a connection starts.

use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use codewhale_mcp_transport::{Connector, Link, OpenError, Way};

use super::running::Lease;

/// A connector whose processes are counted and remembered.
pub(crate) struct Watched<'a, C> {
    pub(crate) connector: C,
    pub(crate) lease: &'a Lease,
    pub(crate) starts: AtomicU32,
}

#[async_trait]
impl<C: Connector> Connector for Watched<'_, C> {
    async fn open(&self, way: Way) -> Result<Link, OpenError> {
        let link = self.connector.open(way).await?;
        self.starts.fetch_add(1, Ordering::Relaxed);
        if let Link::Lines(lines) = &link {
            self.lease.started(lines.peer.clone());
        }
        Ok(link)
    }
}
