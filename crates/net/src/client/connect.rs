//! One connection: resolve, check, dial the address that was checked, a tunnel where there is a proxy, encryption.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::Uri;
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use url::Url;

use super::dial::{Stream, dial_any};
use super::tls::With;
use super::tunnel::tunnel;
use super::world::World;
use crate::{Guard, Nearness, NetError, Origin, Permit, Purpose, Route, Scheme};

/// The most addresses of one name that are tried.
const ADDRESSES: usize = 32;

/// Makes connections that one guard permits.
#[derive(Debug, Clone)]
pub(super) struct Connector {
    pub(super) world: Arc<World>,
    pub(super) guard: Arc<Guard>,
    pub(super) purpose: Purpose,
}

impl tower_service::Service<Uri> for Connector {
    type Response = TokioIo<Line>;
    type Error = NetError;
    type Future = Pin<Box<dyn Future<Output = Result<TokioIo<Line>, NetError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), NetError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        let connector = self.clone();
        Box::pin(async move { connector.connect(&to).await.map(TokioIo::new) })
    }
}

impl Connector {
    async fn connect(&self, to: &Uri) -> Result<Line, NetError> {
        let url =
            Url::parse(&to.to_string()).map_err(|error| NetError::NoRequest { reason: error.to_string() })?;
        let permit = self.guard.permit(&url, self.purpose)?;
        let limit = self.world.connect_timeout;
        let late = || NetError::ConnectTimeout { host: at(permit.origin()), limit };
        tokio::time::timeout(limit, self.way(&permit)).await.unwrap_or_else(|_| Err(late()))
    }

    async fn way(&self, permit: &Permit) -> Result<Line, NetError> {
        let origin = permit.origin();
        let encrypted = origin.scheme() == Scheme::Https;
        let (stream, proxied) = match permit.route() {
            Route::Direct => (self.direct(permit).await?, false),
            Route::Through(proxy) => {
                let stream = self.proxy(&proxy.origin).await?;
                match encrypted {
                    true => (tunnel(stream, proxy, &at(origin)).await?, false),
                    false => (stream, true),
                }
            }
        };
        if !encrypted {
            return Ok(Line { stream, proxied, h2: false });
        }
        let (stream, h2) = self.world.tls.handshake(With::Server, &bare(origin), &at(origin), stream).await?;
        Ok(Line { stream, proxied, h2 })
    }

    async fn direct(&self, permit: &Permit) -> Result<Box<dyn Stream>, NetError> {
        let origin = permit.origin();
        let addresses = self.addresses(origin).await?;
        permit.check(&addresses)?;
        self.dial(&addresses, origin.port(), &at(origin)).await
    }

    /// The operator named the proxy, so its addresses are not checked.
    async fn proxy(&self, origin: &Origin) -> Result<Box<dyn Stream>, NetError> {
        let failed = |error: NetError| NetError::Proxy { proxy: at(origin), reason: error.to_string() };
        let addresses = self.addresses(origin).await.map_err(failed)?;
        let stream = self.dial(&addresses, origin.port(), &at(origin)).await.map_err(failed)?;
        match origin.scheme() {
            Scheme::Http => Ok(stream),
            Scheme::Https => {
                let shaken = self.world.tls.handshake(With::Proxy, &bare(origin), &at(origin), stream).await;
                shaken.map(|(stream, _)| stream).map_err(failed)
            }
        }
    }

    async fn addresses(&self, origin: &Origin) -> Result<Vec<IpAddr>, NetError> {
        if let Some(address) = origin.literal() {
            return Ok(vec![address]);
        }
        // It is this machine, whatever a name server says (RFC 6761, section 6.3).
        if origin.nearness() == Nearness::Localhost {
            return Ok(vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]);
        }
        let host = origin.host().to_string();
        let none = |reason: String| NetError::Resolve { host: host.clone(), reason };
        let mut addresses =
            self.world.resolver.resolve(&host).await.map_err(|error| none(error.to_string()))?;
        if addresses.is_empty() {
            return Err(none("it has no address".to_owned()));
        }
        // The same address comes once for each kind of socket on some systems.
        let mut seen = Vec::new();
        addresses.retain(|address| {
            !seen.contains(address) && {
                seen.push(*address);
                true
            }
        });
        Ok(addresses)
    }

    async fn dial(&self, to: &[IpAddr], port: u16, at: &str) -> Result<Box<dyn Stream>, NetError> {
        let to: Vec<_> = to.iter().take(ADDRESSES).map(|address| SocketAddr::new(*address, port)).collect();
        dial_any(&self.world.dialer, &to)
            .await
            .map_err(|error| NetError::Connect { host: at.to_owned(), reason: error.to_string() })
    }
}

/// Host and port, as they are shown and as a proxy is told them.
pub(super) fn at(origin: &Origin) -> String {
    format!("{}:{}", origin.host(), origin.port())
}

/// The host without the brackets of an IPv6 address.
fn bare(origin: &Origin) -> String {
    origin.literal().map_or_else(|| origin.host().to_string(), |address| address.to_string())
}

/// A connection that HTTP is spoken on.
pub(super) struct Line {
    stream: Box<dyn Stream>,
    /// Whether a proxy is at the other end, which wants whole URLs.
    proxied: bool,
    h2: bool,
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Line").field("h2", &self.h2).finish_non_exhaustive()
    }
}

impl Connection for Line {
    fn connected(&self) -> Connected {
        let connected = Connected::new().proxy(self.proxied);
        if self.h2 { connected.negotiated_h2() } else { connected }
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Line {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
