//! Roads that part by port.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use async_trait::async_trait;
use codewhale_mcp_net::client::{Dialer, Stream, TcpDialer};

/// Each port of every address leads to a server of its own.
#[derive(Debug)]
pub(crate) struct Crossing(Vec<(u16, SocketAddr)>);

impl Crossing {
    pub(crate) fn new(roads: &[(u16, SocketAddr)]) -> Arc<Self> {
        Arc::new(Self(roads.to_vec()))
    }
}

#[async_trait]
impl Dialer for Crossing {
    async fn dial(&self, address: SocketAddr) -> io::Result<Box<dyn Stream>> {
        let road = self.0.iter().find(|(port, _)| *port == address.port());
        TcpDialer.dial(road.expect("a road").1).await
    }
}
