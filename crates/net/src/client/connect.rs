//! One connection: resolve, check, dial the address that was checked, a tunnel where there is a proxy, encryption.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use super::dial::{Stream, dial_any};
use super::tls::With;
use super::tunnel::tunnel;
use super::world::World;
use crate::{Nearness, NetError, Origin, Permit, Route, Scheme};

/// The most addresses of one name that are tried.
const ADDRESSES: usize = 32;

/// Makes the connections that a guard permitted.
#[derive(Debug, Clone)]
pub(super) struct Connector {
    pub(super) world: Arc<World>,
}

impl Connector {
    /// A connection for requests that have this permit.
    pub(super) async fn connect(&self, permit: &Permit) -> Result<Line, NetError> {
        self.in_time(permit, self.way(permit)).await
    }

    /// Whether a connection might be made: the addresses are looked up and judged, and nothing is dialled.
    pub(super) async fn judge(&self, permit: &Permit) -> Result<(), NetError> {
        match permit.route() {
            Route::Direct => self.in_time(permit, self.permitted(permit)).await.map(drop),
            // It looks the host up itself.
            Route::Through(_) => Ok(()),
        }
    }

    async fn in_time<T>(
        &self,
        permit: &Permit,
        work: impl Future<Output = Result<T, NetError>>,
    ) -> Result<T, NetError> {
        let limit = self.world.connect_timeout;
        let late = || NetError::ConnectTimeout { host: at(permit.origin()), limit };
        tokio::time::timeout(limit, work).await.unwrap_or_else(|_| Err(late()))
    }

    async fn way(&self, permit: &Permit) -> Result<Line, NetError> {
        let origin = permit.origin();
        let encrypted = origin.scheme() == Scheme::Https;
        let stream = match permit.route() {
            Route::Direct => self.direct(permit).await?,
            Route::Through(proxy) => {
                let stream = self.proxy(&proxy.origin).await?;
                if encrypted { tunnel(stream, proxy, &at(origin)).await? } else { stream }
            }
        };
        if !encrypted {
            return Ok(Line { stream, h2: false });
        }
        let (stream, h2) = self.world.tls.handshake(With::Server, &bare(origin), &at(origin), stream).await?;
        Ok(Line { stream, h2 })
    }

    async fn direct(&self, permit: &Permit) -> Result<Box<dyn Stream>, NetError> {
        let origin = permit.origin();
        let addresses = self.permitted(permit).await?;
        self.dial(&addresses, origin.port(), &at(origin)).await
    }

    /// The host's addresses, all of which may be reached.
    async fn permitted(&self, permit: &Permit) -> Result<Vec<IpAddr>, NetError> {
        let addresses = self.addresses(permit.origin()).await?;
        permit.check(&addresses)?;
        Ok(addresses)
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
    pub(super) stream: Box<dyn Stream>,
    /// Whether it is HTTP/2 that is spoken.
    pub(super) h2: bool,
}
