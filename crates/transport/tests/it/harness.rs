//! A link's lines, taken and given whole.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_transport::{Connector, Lines, Link, Outlet, Peer, Way};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};

/// Waits, but not for ever.
pub(crate) async fn soon<T>(wait: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), wait).await.expect("it should have come by now")
}

/// An open link.
pub(crate) struct Open {
    pub(crate) outlet: Option<Box<dyn AsyncWrite + Send + Unpin>>,
    inlet: BufReader<Box<dyn AsyncRead + Send + Unpin>>,
    pub(crate) peer: Arc<dyn Peer>,
}

impl Open {
    pub(crate) async fn from(connector: &dyn Connector) -> Self {
        let Link::Lines(Lines { outlet, inlet, peer }) = connector.open(Way::First).await.unwrap() else {
            panic!("a link of lines")
        };
        let outlet: Box<dyn AsyncWrite + Send + Unpin> = match outlet {
            #[cfg(unix)]
            Outlet::Pipe(pipe) => Box::new(pipe),
            Outlet::Stream(stream) => stream,
            _ => panic!("a pipe or a stream"),
        };
        Self { outlet: Some(outlet), inlet: BufReader::new(inlet), peer }
    }

    pub(crate) async fn say(&mut self, line: &str) {
        let outlet = self.outlet.as_mut().unwrap();
        soon(outlet.write_all(line.as_bytes())).await.unwrap();
        soon(outlet.flush()).await.unwrap();
    }

    /// The next line, empty at the end.
    pub(crate) async fn line(&mut self) -> String {
        let mut line = String::new();
        soon(self.inlet.read_line(&mut line)).await.unwrap();
        line
    }
}
