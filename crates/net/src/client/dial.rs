//! From addresses to one connection.

use std::any::Any;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// Makes connections to addresses. Which addresses may be reached is decided before it is asked.
#[async_trait]
pub trait Dialer: Send + Sync + fmt::Debug {
    /// Connects.
    ///
    /// # Errors
    /// What the system says.
    async fn dial(&self, address: SocketAddr) -> io::Result<Box<dyn Stream>>;
}

/// Bytes in both directions.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin + Any {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin + Any> Stream for T {}

/// Connects over TCP.
#[derive(Debug, Clone, Copy, Default)]
pub struct TcpDialer;

#[async_trait]
impl Dialer for TcpDialer {
    async fn dial(&self, address: SocketAddr) -> io::Result<Box<dyn Stream>> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Box::new(stream))
    }
}

/// How long one address has before the next one is tried beside it (RFC 8305, section 5).
const STAGGER: Duration = Duration::from_millis(250);

/// The first connection to any of the addresses, which are tried in their order.
///
/// # Errors
/// That of the first address when none takes a connection.
pub(super) async fn dial_any(
    dialer: &Arc<dyn Dialer>,
    addresses: &[SocketAddr],
) -> io::Result<Box<dyn Stream>> {
    if let [address] = addresses {
        return dialer.dial(*address).await;
    }
    let mut waiting = addresses.iter().copied().enumerate();
    let mut tries = JoinSet::new();
    let mut failure: Option<(usize, io::Error)> = None;
    loop {
        let more = waiting.next();
        if let Some((order, address)) = more {
            let dialer = Arc::clone(dialer);
            tries.spawn(async move { (order, dialer.dial(address).await) });
        }
        let ended = match more {
            Some(_) => match tokio::time::timeout(STAGGER, tries.join_next()).await {
                Ok(ended) => ended,
                Err(_) => continue,
            },
            None => tries.join_next().await,
        };
        match ended {
            Some(Ok((_, Ok(stream)))) => return Ok(stream),
            Some(Ok((order, Err(error)))) => {
                if failure.as_ref().is_none_or(|(first, _)| order < *first) {
                    failure = Some((order, error));
                }
            }
            Some(Err(panic)) => return Err(io::Error::other(panic)),
            None => {
                let none = || io::Error::new(io::ErrorKind::NotFound, "it has no address");
                return Err(failure.map_or_else(none, |(_, error)| error));
            }
        }
    }
}
