//! Ports of this machine.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use tokio::net::TcpListener;

use super::callback::{At, Callback};
use crate::browse::BrowseError;

/// How many free ports are tried until one is free in both families.
const TRIES: usize = 8;

/// What is listened on.
#[derive(Debug)]
pub(super) struct Bound {
    pub(super) listeners: Vec<TcpListener>,
    pub(super) port: u16,
}

/// Listens as the settings say; on the port of `registered` if that is free and nothing else is fixed.
pub(super) async fn bind(callback: &Callback, registered: Option<&str>) -> Result<Bound, BrowseError> {
    if let Some(port) = callback.port {
        return at(callback.at, port).await.map_err(|error| no_landing(&address(callback.at, port), &error));
    }
    if let Some(port) = registered.and_then(|uri| callback.port_of(uri))
        && let Ok(bound) = at(callback.at, port).await
    {
        return Ok(bound);
    }
    let mut failure = io::Error::from(io::ErrorKind::AddrInUse);
    for _ in 0..TRIES {
        match at(callback.at, 0).await {
            Ok(bound) => return Ok(bound),
            Err(error) => failure = error,
        }
    }
    Err(no_landing(&address(callback.at, 0), &failure))
}

async fn at(at: At, port: u16) -> io::Result<Bound> {
    let first = match at {
        At::V4 | At::Both => SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
        At::V6 => SocketAddr::from((Ipv6Addr::LOCALHOST, port)),
    };
    let first = TcpListener::bind(first).await?;
    let port = first.local_addr()?.port();
    let mut listeners = vec![first];
    if at == At::Both {
        // A browser that takes the other family must not come to somebody else.
        match TcpListener::bind((Ipv6Addr::LOCALHOST, port)).await {
            Ok(second) => listeners.push(second),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => return Err(error),
            Err(_) => {}
        }
    }
    Ok(Bound { listeners, port })
}

fn address(at: At, port: u16) -> String {
    let host = match at {
        At::V4 => "127.0.0.1",
        At::V6 => "[::1]",
        At::Both => "localhost",
    };
    format!("{host}:{port}")
}

fn no_landing(address: &str, error: &io::Error) -> BrowseError {
    let reason = match error.kind() {
        io::ErrorKind::AddrInUse => "another program listens there".to_owned(),
        _ => error.to_string(),
    };
    BrowseError::NoLanding { address: address.to_owned(), reason }
}
